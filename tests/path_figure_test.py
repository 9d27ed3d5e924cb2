"""The figure of `spca path`: from the JSON that the program prints to the numbers that are drawn, and to files."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SPCA_PROGRAM", str(SOURCES / "build/release/spca"))
sys.path.insert(0, str(SOURCES / "plotting"))
SKIPPED = 77  # the code that tests/CMakeLists.txt declares to ctest

try:
    import path_figure
except SystemExit:
    print("skipped: no matplotlib")
    sys.exit(SKIPPED)


def report(*words):
    asked = words if "--solver" in words else ("--solver", "t*", "--cardinality", "1:4", *words)
    line = [PROGRAM, "path", "--data", "x.csv", "--json", *asked]
    with tempfile.TemporaryDirectory() as folder:
        rows = [[(i * (j + 3)) % 7 + (i % 3) * (j < 2) for j in range(5)] for i in range(24)]
        text = "\n".join(",".join(map(str, row)) for row in rows)
        (pathlib.Path(folder) / "x.csv").write_text(text + "\n")
        finished = subprocess.run(line, capture_output=True, text=True, check=True, cwd=folder)
    return json.loads(finished.stdout)


class PathFigure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = report()

    def test_panels_hold_what_the_program_found(self):
        value, stability, error = path_figure.data(self.report)
        threshold, tpower = self.report["solvers"]
        self.assertEqual([curve["name"] for curve in value["curves"]], ["threshold", "tpower", "upper bound"])
        self.assertEqual(value["curves"][1]["y"], [point["value"] for point in tpower["points"]])
        self.assertEqual(value["curves"][2]["y"], [bound["upper_bound"] for bound in self.report["bounds"]])
        self.assertEqual(stability["curves"][0]["y"], [point["stability"] for point in threshold["points"]])
        self.assertEqual(error["curves"][0]["error"], [point["reconstruction_standard_error"] for point in threshold["points"]])

    def test_a_panel_without_numbers_is_left_out_and_said(self):
        without = report("--folds", "0")
        self.assertEqual(len(path_figure.data(without)), 2)
        self.assertIn("No cross-validation: not asked for.", path_figure.suggestions(without))

    def test_components_have_panels_that_say_why(self):
        found = report("--components=3", "--permutations", "19", "--folds", "4", "--solver", "tpower", "--cardinality", "1:4")
        panels = path_figure.component_data(found)
        self.assertEqual(panels[0]["curves"][0]["y"], found["parallel_analysis"]["eigenvalues"])
        self.assertEqual(panels[0]["curves"][1]["y"], found["parallel_analysis"]["limits"])
        self.assertEqual(panels[1]["curves"][0]["y"], found["cross_validation"]["errors"])
        self.assertEqual(len(panels[2]["rings"]), found["components"])
        count = "1 component" if found["components"] == 1 else f"{found['components']} components"
        self.assertIn(f"Suggested: {count}, ", path_figure.component_notes(found)[0])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "why.svg"
            subprocess.run(
                [sys.executable, str(SOURCES / "plotting/path_figure.py"), str(file)],
                input=json.dumps(found), text=True, check=True,
            )
            self.assertIn("How many components", file.read_text())

    def test_the_same_report_gives_the_same_bytes_in_every_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for form in ("svg", "png", "pdf"):
                files = [pathlib.Path(folder) / f"{i}.{form}" for i in range(2)]
                for file in files:
                    subprocess.run(
                        [sys.executable, str(SOURCES / "plotting/path_figure.py"), str(file)],
                        input=json.dumps(self.report), text=True, check=True,
                    )
                self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def test_an_unwritable_file_is_one_line(self):
        finished = subprocess.run(
            [sys.executable, str(SOURCES / "plotting/path_figure.py"), "/no/such/folder/x.svg"],
            input=json.dumps(self.report), text=True, capture_output=True, check=False,
        )
        self.assertEqual(finished.returncode, 2)
        self.assertEqual(len(finished.stderr.splitlines()), 1)
        self.assertIn("/no/such/folder/x.svg", finished.stderr)


if __name__ == "__main__":
    unittest.main()
