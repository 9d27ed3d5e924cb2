"""Results of `spca solve` against the schema that `spca schema result` prints, by a validator that is not ours. Run by
ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/result_schema_test.py"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: no module jsonschema for", sys.executable, "(Debian: python3-jsonschema)")
    sys.exit(77)

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))).resolve()
TABLE = "id,height,weight,age\nann,1.5,2,7\nben,2,3.5,1\ncyd,4,1,2\ndan,3,9,4\neve,7,8,1\n"


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="spca_result_")
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "x.csv").write_text(TABLE)
        cls.schema = json.loads(cls.run_program("schema", "result"))
        Draft202012Validator.check_schema(cls.schema)
        cls.validator = Draft202012Validator(cls.schema)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def run_program(cls, *words, code=0):
        finished = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, cwd=cls.folder)
        assert finished.returncode == code, f"{words}\n{finished.stderr}"
        return finished.stdout

    def valid(self, *words, code=0):
        result = json.loads(self.run_program("solve", *words, "--json", code=code))
        self.assertEqual([error.message for error in self.validator.iter_errors(result)], [], words)
        return result

    def test_notes_are_in_the_result_and_in_the_text(self):
        for cardinality, note in [("8", "k = 8 is more than half of the 13 variables; "), ("1,1", "each component is one variable; ")]:
            words = ["--dataset", "pitprops", "--solver", "tpower", "--cardinality", cardinality]
            (found,) = self.valid(*words)["notes"]
            self.assertTrue(found.startswith(note), found)
            self.assertIn(f"note: {found}\n", self.run_program("solve", *words))
        self.assertEqual(self.valid("--dataset", "pitprops", "--cardinality", "7,2")["notes"], [])

    def test_every_kind_of_answer_is_as_the_schema_says(self):
        pitprops = ["--dataset", "pitprops", "--solver"]
        one = self.valid(*pitprops, "tpower", "--cardinality", "5")
        self.assertEqual((one["schema"], one["cardinality_asked"], one["deflation"]), (1, [5], None))
        several = self.valid(*pitprops, "tpower", "--cardinality", "4", "--components", "2")
        self.assertEqual((several["components_asked"], several["cardinality_asked"]), (2, [4, 4]))
        self.assertEqual(several["deflation"], "remove-support")
        self.valid(*pitprops, "pca", "--components", "2")
        self.valid(*pitprops, "gpower-l1", "--cardinality", "5")
        self.valid(*pitprops, "gpower-l1", "--set", "penalty=0.4")
        self.valid(*pitprops, "branch-bound", "--cardinality", "5", "--threads", "2")
        # An answer without components follows the schema too: constant data have no solution.
        (self.folder / "constant.csv").write_text("a,b\n1,1\n1,1\n")
        failed = self.valid("--data", "constant.csv", "--solver", "tpower", "--cardinality", "1", code=3)
        self.assertEqual(failed["components"], [])

    def test_a_result_says_what_was_solved(self):
        data = self.valid("--data", "x.csv", "--cardinality", "2", "--scale", "n-1")["data"]
        self.assertEqual((data["file"], data["dataset"], data["kind"]), ("x.csv", None, "data"))
        self.assertEqual((data["centered"], data["scale"], data["standardized"]), (True, "n-1", False))
        data = self.valid("--data", "x.csv", "--cardinality", "2", "--standardize")["data"]
        self.assertEqual((data["scale"], data["standardized"]), ("n", True))
        self.assertEqual(data["options"], {"path": "x.csv", "standardize": True})
        data = self.valid("--dataset", "pitprops", "--cardinality", "2")["data"]
        self.assertEqual((data["file"], data["dataset"], data["kind"]), (None, "pitprops", "covariance"))
        self.assertIsNone(data["centered"])

    def test_what_is_written_has_the_same_schema_and_the_means(self):
        self.run_program("solve", "--data", "x.csv", "--cardinality", "2", "-o", "result.json")
        result = json.loads((self.folder / "result.json").read_text())
        self.assertEqual([error.message for error in self.validator.iter_errors(result)], [])
        means = {"height": 3.5, "weight": 4.7, "age": 3}
        for name, mean in zip(result["components"][0]["names"], result["components"][0]["means"], strict=True):
            self.assertAlmostEqual(mean, means[name], 12)
        self.assertEqual(result["components"][0]["deviations"], [1, 1])

    def test_the_schema_refuses_what_is_no_result(self):
        good = self.valid("--data", "x.csv", "--cardinality", "2")
        for path, value in [
            (["schema"], 2), (["status"], "done"), (["p"], 0), (["components", 0, "indices", 0], -1),
            (["data", "kind"], "matrix"), (["metrics", "gap"], "small"), (["cardinality_asked"], 2),
        ]:
            wrong = copy.deepcopy(good)
            place = wrong
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
            with self.subTest(path):
                self.assertFalse(self.validator.is_valid(wrong))
        for member in self.schema["required"]:
            self.assertFalse(self.validator.is_valid({key: good[key] for key in good if key != member}), member)


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
