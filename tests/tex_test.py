"""Tables in TeX compile in a document. Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/tex_test.py"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402

# Mathematics, typography, letters with accents, and what LaTeX has no letter for.
LABELS = ["γ-spca λ₁", "‖x‖² ≤ ∞, 3 × 10⁻² ± 1 − 2", "“naïve” – é ß Ž …", "中文 😀 ð ą e\u0301", "ac\u200b\u00a0d"]

LATEX = shutil.which("pdflatex")


@unittest.skipUnless(LATEX, "pdflatex is missing (Debian: texlive-latex-recommended)")
class Tex(unittest.TestCase):
    def compiled(self, folder, tables):
        """The output of pdflatex, and whether it made a page."""
        document = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n%s\\end{document}\n" % tables
        (folder / "document.tex").write_text(document, encoding="utf-8")
        command = [LATEX, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "document.tex"]
        finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
        self.assertEqual(finished.returncode, 0, finished.stdout)
        self.assertTrue((folder / "document.pdf").exists())
        return finished.stdout

    def test_tables_compile_whatever_the_labels_hold(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            run = report_runs.odd_run(folder)
            tables = report_runs.spca("table", run, "--format", "tex").stdout
            self.assertIn("\\toprule", tables)
            self.assertNotIn("undefined", self.compiled(folder, tables).lower())

    def test_tables_compile_in_every_script(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            solvers = [{"name": "em", "label": label, "options": {"restarts": 1 + i}} for i, label in enumerate(LABELS)]
            grid = {"datasets": ["pitprops"], "solvers": solvers, "cardinality": [5], "metrics": ["explained_variance"]}
            tables = [{"title": "".join(LABELS), "metric": "explained_variance"}]
            run = report_runs.run_experiment(folder, {"name": "scripts", "title": "T", "grids": {"g": grid}, "tables": tables})
            tables = report_runs.spca("table", run, "--format", "tex").stdout
            self.assertIn("$\\gamma$-spca $\\lambda$$_{1}$ &", tables)
            self.assertIn("\\texttt{U+4E2D}\\texttt{U+6587}", tables)
            self.compiled(folder, tables)

    def test_every_experiment_of_the_demo_compiles(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            run = report_runs.quickstart(folder)
            self.compiled(folder, report_runs.spca("table", run, "--format", "tex").stdout)


if __name__ == "__main__":
    report_runs.main()
