"""The hunt for contradictions (scripts/hunt) finds faulty solvers of tests/plugins/, and no others. Run by ctest, or:
SPCA_BUILD_FOLDER=build/release /usr/bin/python3 tests/hunt_test.py"""
# Labels: hunt

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("SPCA_BUILD_FOLDER", str(SOURCES / "build/release"))).resolve()
MISBEHAVING = BUILD / "tests/spca_hunt_misbehaving"
ENDLESS = "1000"  # minutes: each hunt ends by its number of cases


def hunt(folder, *words, seed=1, program=MISBEHAVING):
    command = [program, "hunt", ENDLESS, str(seed), "--folder", folder, *words]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


class Hunt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="spca_hunt_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def found(self, solver, *words):
        finished = hunt(self.folder, "--solver", solver, *words)
        self.assertEqual(finished.returncode, 3, finished.stderr)
        return finished.stdout

    def test_a_false_optimum_is_shrunk_to_a_case_whose_command_shows_it(self):
        text = self.found("misbehave-exact", "--kind", "generic", "--cases", "20")
        # The harness itself finds a bound that is below the variance of one variable.
        self.assertIn("(the variance of one variable) is above the upper bound", text)
        # It takes no bound from a solver that is called once for each component.
        claim = "contradiction: an exact solver reaches the optimum of a deflated S\n"
        self.assertIn(claim, text)
        block = text[text.index(claim) :]
        found, optimum = (float(word) for word in re.search(r"(\S+) against (\S+); component 2\n", block).groups())
        self.assertLess(found, optimum)
        # Four variables are enough to show it.
        rows = re.search(r"generic, S, answer alone\n((?:  [^s].*\n)+)  spca solve ", block).group(1)
        self.assertLessEqual(rows.count("\n"), 4)
        command = shlex.split(re.search(r"spca (solve .*--solver misbehave-exact .*)\n", block).group(1))
        printed = subprocess.run([MISBEHAVING, *command, "--json"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(json.loads(printed)["solver"], "misbehave-exact")

    def test_crashes_and_exits_are_named_and_the_hunt_goes_on(self):
        text = self.found("misbehave-crash", "--cases", "3")
        self.assertIn("contradiction: no case crashes or hangs\n  killed by signal 11\n", text)
        self.assertIn("3 cases of seed 1, 3 contradict", text)
        self.assertIn("exit code ", self.found("misbehave-exit", "--cases", "1"))

    def test_infeasible_and_unlawful_answers_and_exceptions_are_found(self):
        self.assertIn("no answer is invalid", self.found("misbehave-infeasible", "--kind", "generic", "--cases", "6"))
        self.assertIn("breaks its law", self.found("misbehave-unlawful", "--kind", "generic", "--cases", "6"))
        self.assertIn("a solver throws no exception", self.found("misbehave-throw", "--cases", "2"))

    def test_the_same_seed_gives_the_same_cases(self):
        words = ("--cases", "60", "--kind", "generic", "--kind", "diagonal")
        first = hunt(self.folder, *words, "--solver", "tpower", "--solver", "exhaustive")
        again = hunt(self.folder, *words, "--solver", "tpower", "--solver", "exhaustive")
        self.assertEqual(first.returncode, 0, first.stdout)
        self.assertEqual(first.stdout, again.stdout)
        other = hunt(self.folder, *words, "--solver", "tpower", "--solver", "exhaustive", seed=2)
        self.assertNotEqual(first.stdout, other.stdout)

    def test_bad_arguments_are_refused_in_one_line(self):
        for words in (("--solver", "none-such"), ("--kind", "none-such"), ("--cases", "0")):
            finished = hunt(self.folder, *words)
            self.assertEqual(finished.returncode, 2)
            self.assertEqual(finished.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
