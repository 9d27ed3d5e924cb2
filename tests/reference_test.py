"""The reference of the C++ library: it is made without a warning, and a page for each solver says what the program says.
Run by ctest, label docs, or with SPCA_PROGRAM set. Without doxygen it is skipped."""
# Labels: docs

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import PROGRAM, SOURCES, spca  # noqa: E402


def build(folder, *words):
    command = [sys.executable, "-B", SOURCES / "docs/reference/build.py", "--program", PROGRAM, "--output", folder, *words]
    return subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=folder.parent)


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_reference_"))
        cls.made = build(cls.folder / "made")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_it_is_made_without_a_warning(self):
        self.assertEqual((self.made.returncode, self.made.stderr), (0, ""))
        for page in ["index.html", "solvers.html", "classspca_1_1Covariance.html", "plugin_8h.html"]:
            self.assertTrue((self.folder / "made/html" / page).is_file(), page)

    def test_each_solver_has_a_page_with_its_options(self):
        for one in json.loads(spca("list", "solvers", "--json").stdout):
            entry = json.loads(spca("describe", "solver", one["name"], "--json").stdout)
            stem = "solver_" + one["name"].replace("-", "_")
            self.assertTrue((self.folder / f"made/html/{stem}.html").is_file(), stem)
            text = (self.folder / f"made/pages/{stem}.md").read_text(encoding="utf-8").replace("\\", "")
            self.assertIn(entry["problem"], text)
            for option in entry["options"]:
                self.assertIn(f"| {option['name']} | {option['type']} | ", text)

    def test_where_a_solver_stands_is_what_the_baselines_have(self):
        baseline = json.loads((SOURCES / "results/reference/quickstart.json").read_text(encoding="utf-8"))
        values = {}
        for cell in baseline["cells"]:
            if cell["grid"] == "pitprops" and not cell["unconstrained"] and len(cell["cardinality"]) == 1:
                problem = values.setdefault(cell["cardinality"][0], {})
                problem[cell["solver_name"]] = cell["metrics"]["explained_variance"][0]
        self.assertTrue(values)
        ratios = [problem["threshold"] / max(problem.values()) for problem in values.values()]
        page = (self.folder / "made/pages/solver_threshold.md").read_text(encoding="utf-8")
        row = next(line for line in page.splitlines() if line.startswith("| quickstart |"))
        self.assertLessEqual(float(row.split("|")[-2]), round(min(ratios), 4))

    def test_a_declaration_without_a_comment_stops_it(self):
        header = self.folder / "bare.h"
        header.write_text("#pragma once\n\n/// What this file is for.\n\nnamespace spca {\n\nint bare(int value);\n\n}  // namespace spca\n")
        refused = build(self.folder / "refused", "--header", header)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("bare.h:7", refused.stderr)
        self.assertIn("is not documented", refused.stderr)

    def test_comments_behind_members_and_formulas_are_kept(self):
        for page, text in [
            ("structspca_1_1DataForm.html", "whether the column means are subtracted"),
            ("namespacespca.html", "disjoint supports     that sum, and the sum of the k_1 + ... + k_r largest variances;\n"),
            ("types_8h.html", "n, p       samples and variables; X is n x p, its rows are samples\n"),
            ("solver_8h.html", "A solver has no timer, iteration limit"),
        ]:
            self.assertTrue(text in (self.folder / "made/html" / page).read_text(encoding="utf-8"), (page, text))


if __name__ == "__main__":
    if not shutil.which("doxygen"):
        print("skipped: needs doxygen (Debian: doxygen)")
        sys.exit(77)
    report_runs.main()
