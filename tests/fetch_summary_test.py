"""The end of `spca fetch`: files to get by hand, and experiments that have their data. Nothing is downloaded. Run by ctest,
or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/fetch_summary_test.py"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from fetch_test import PROGRAM  # noqa: E402


class Summary(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name)

    def check(self, *words, code=3):
        command = [PROGRAM, "fetch", *words, "--check", "--data-dir", str(self.data)]
        finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(finished.returncode, code, finished.stdout + finished.stderr)
        return finished.stdout

    def test_without_any_data_what_is_built_in_is_complete(self):
        summary = json.loads(self.check("all", "--json"))["summary"]
        complete = summary["experiments"]["complete"]
        self.assertTrue({"quickstart", "mspca/mtcars", "mspca/pitprops"} <= set(complete), complete)
        self.assertEqual(summary["experiments"]["incomplete"]["mspca/snp500"], ["snp500"])
        self.assertIn("enron/docword.enron.txt.gz", summary["by_hand"]["enron"])
        self.assertNotIn("kos", summary["by_hand"])
        self.assertIn("pitprops-k5", summary["instances"]["complete"])
        self.assertEqual(summary["instances"]["incomplete"]["kos-k5"], ["kos"])

    def test_a_data_set_that_comes_completes_its_experiments(self):
        (self.data / "snp500").mkdir()
        (self.data / "snp500/snp500_corr.csv").write_text("any")
        self.assertIn("mspca/snp500", json.loads(self.check("all", "--json"))["summary"]["experiments"]["complete"])

    def test_a_named_data_set_has_the_experiments_that_need_it(self):
        text = self.check("mtcars", "wine", code=0)
        self.assertIn("mtcars/mtcars.csv: ok, built in\n", text)
        self.assertIn("experiments complete: mspca/mtcars, quickstart\n", text)
        self.assertRegex(text, r"instances complete: (\d+) of \1\n")
        self.assertIn("experiments incomplete: strength/correlations lacks ", text)
        self.assertNotIn("encoders/lower-bound", text)
        text = self.check("nytimes")
        self.assertIn("by hand: nytimes: put nytimes/docword.nytimes.txt.gz into the data folder; docs/DATA.md", text)
        self.assertIn("experiments complete: none\n", text)
        text = self.check("kos")
        self.assertRegex(text, r"instances complete: 0 of (\d+)\ninstances incomplete: \1 need kos\n")


if __name__ == "__main__":
    unittest.main()
