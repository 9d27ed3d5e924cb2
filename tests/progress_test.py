"""Tests of the progress that one solve reports, on a terminal and elsewhere. Run by ctest, or with SPCA_PROGRAM and
SPCA_MISBEHAVING_PROGRAM set."""

import os
import pathlib
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from terminal import shown_on_terminal  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))
MISBEHAVING = os.environ.get("SPCA_MISBEHAVING_PROGRAM", str(SOURCES / "build/release/tests/spca_misbehaving"))
# The solver is killed after 1.1 times its limit and a second: long after the line of progress has
# come, on any machine.
HANG = ["solve", "--dataset", "pitprops", "--solver", "misbehave-hang", "--cardinality", "2", "--time-limit", "2"]


def on_terminal(program, *words):
    """Returns what a terminal gets from the standard error of the program."""
    return shown_on_terminal([program, *words], "stderr")[0]


class Progress(unittest.TestCase):
    def test_a_terminal_shows_a_line_that_is_drawn_again(self):
        text = on_terminal(MISBEHAVING, *HANG)
        self.assertRegex(text, r"\rmisbehave-hang: \d\.\d s")
        self.assertNotIn("\x1b[3", text)  # no colours, with or without NO_COLOR
        self.assertIn("did not stop by itself", text)

    def test_the_search_for_a_proof_shows_its_bound(self):
        # On independent variables no proof is found within the limit.
        words = ["solve", "--dataset", "gaussian", "--set", "dataset.variables=400", "--solver", "threshold"]
        text = on_terminal(PROGRAM, *words, "--cardinality", "40", "--certify", "4")
        self.assertRegex(text, r"\rthreshold: \d\.\d s of certifying, value [\d.]+, bound [\d.]+, gap [\d.]+ %")

    def test_quiet_means_no_line(self):
        self.assertNotIn("misbehave-hang: 1.", on_terminal(MISBEHAVING, *HANG, "--quiet"))

    def test_elsewhere_a_short_solve_says_nothing(self):
        words = ["solve", "--dataset", "pitprops", "--solver", "tpower", "--cardinality", "2"]
        finished = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True)
        self.assertEqual(finished.stderr, "")


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
