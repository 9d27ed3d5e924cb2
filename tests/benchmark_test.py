"""Solvers on the library of instances: `spca benchmark`, its table, page and leaderboard.
Run by ctest, or: SPCA_PROGRAM=build/release/spca /usr/bin/python3 tests/benchmark_test.py"""

import csv
import io
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
from ending import main  # noqa: E402
from report_runs import PROGRAM  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = SOURCES / "results" / "instances"
CLASSES = ["one-component", "disjoint"]


class Benchmark(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_benchmark_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.library = self.folder / "library"
        self.library.mkdir()
        for name in CLASSES:
            self.change(name, LIBRARY, lambda document: None)

    def change(self, name, source, change):
        """Writes the instances of a class on pit props, changed by `change`."""
        document = json.loads((source / f"{name}.json").read_text())
        document["instances"] = [one for one in document["instances"] if one["data"] == "pitprops"]
        document["data"] = {"pitprops": document["data"]["pitprops"]}
        change(document)
        (self.library / f"{name}.json").write_text(json.dumps(document))

    def spca(self, *words, code=0):
        environment = {**os.environ, "SPCA_INSTANCES": str(self.library), "SPCA_CACHE_DIR": ""}
        finished = subprocess.run(
            [PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder, env=environment
        )
        self.assertEqual(finished.returncode, code, f"{words}\n{finished.stdout}{finished.stderr}")
        return finished

    def json(self, *words, code=0):
        return json.loads(self.spca("benchmark", *words, "-q", "--json", code=code).stdout)

    def scores(self, found):
        return {(one["class"], one["solver"]): one for one in found["solvers"]}

    def test_one_table_sums_up_each_solver_on_each_class(self):
        found = self.json("threshold", "branch-bound", "bipart-ascent", "pca")
        scores = self.scores(found)
        exact = scores["one-component", "branch-bound"]
        self.assertEqual((exact["optima"], exact["own_proofs"]), (exact["proved"], exact["proved"]))
        self.assertEqual(exact["worst_shortfall"], 0)
        screened = scores["one-component", "threshold"]
        self.assertLess(screened["optima"], screened["proved"])
        self.assertGreater(screened["worst_shortfall"], screened["median_shortfall"])
        # A dense answer answers no instance, but it is not a failure either.
        dense = scores["one-component", "pca"]
        self.assertEqual((dense["not_applicable"], dense["failures"]), (dense["instances"], 0))
        # With deflation a solver of one component gives disjoint answers.
        self.assertEqual(scores["disjoint", "threshold"]["not_applicable"], 0)
        self.assertIn("best_known", scores["disjoint", "bipart-ascent"])
        text = self.spca("benchmark", "threshold", "branch-bound", "bipart-ascent", "pca", "-q").stdout
        self.assertIn("No answer to any instance: pca.\n", text)
        self.assertIn(f"sha256 {found['digest']}", text)
        self.assertEqual(self.json("threshold", "branch-bound", "bipart-ascent", "pca")["solvers"], found["solvers"])

    def test_options_of_a_solver_follow_in_brackets(self):
        found = self.json("search", "orthogonal-branch[accuracy=0.5]", "search[starts=2]", "search")
        scores = self.scores(found)
        labels = {solver for _, solver in scores}
        self.assertEqual(labels, {"search", "search starts=2", "orthogonal-branch accuracy=0.5"})
        self.assertEqual(scores["one-component", "search starts=2"]["failures"], 0)
        said = self.spca("benchmark", "search[strats=2]", code=2).stderr
        self.assertIn("SOLVER: search[strats=2]/strats", said)
        self.assertIn("starts", said)

    def test_the_same_command_continues_and_class_restricts(self):
        first = self.json("tpower", "--class", "one-component")
        self.assertEqual({one["class"] for one in first["cells"]}, {"one-component"})
        again = self.spca("benchmark", "tpower", "--class", "one-component")
        self.assertIn("0 run", again.stderr)
        other = self.json("tpower", "--class", "disjoint")
        self.assertNotEqual(first["directory"], other["directory"])

    def test_a_folder_with_other_cells_is_refused(self):
        self.json("tpower", "threshold", "--class", "one-component", "-o", "run")
        cells = (self.folder / "run" / "cells.jsonl").read_bytes()
        one = ["benchmark", "threshold", "-o", "run"]
        for words, lacks in [
            ([*one, "--class", "disjoint"], "one_component_pitprops_r1"),
            ([*one, "--class", "one-component"], "tpower on one_component_pitprops_r1"),
            (["benchmark", "tpower", "threshold", "-o", "run", "--time-limit", "3"], "the time limit 2.0 s of"),
        ]:
            error = self.spca(*words, code=2).stderr
            self.assertEqual(error.count("\n"), 1, error)
            self.assertIn(f"run: holds a benchmark with {lacks}", error)
        self.assertEqual((self.folder / "run" / "cells.jsonl").read_bytes(), cells)
        more = self.spca("benchmark", "tpower", "threshold", "pca", "-o", "run").stderr
        self.assertIn(f"{cells.count(10)} kept from before", more)

    def test_an_interrupted_benchmark_says_that_cells_are_missing(self):
        peer = SOURCES / "tests" / "peers" / "toy.json"
        words = ["benchmark", "tpower", f"{peer}[mode=hang,text={self.folder}/names]", "--class", "one-component"]
        words += ["--time-limit", "1000", "--leaderboard", "board.md", "-o", "run", "-q"]
        environment = {**os.environ, "SPCA_INSTANCES": str(self.library), "SPCA_CACHE_DIR": ""}
        process = subprocess.Popen(
            [PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, env=environment
        )
        while not (self.folder / "names").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate()
        self.assertEqual(process.returncode, 130, said)
        self.assertRegex(out, r"Not finished: \d+ of \d+ cells are missing\.")
        self.assertIn("board.md is not written", said)
        self.assertFalse((self.folder / "board.md").exists())

    def test_a_better_answer_is_named_with_the_command_that_takes_it_up(self):
        def worse(document):
            document["instances"][0]["best"] |= {"value": 1.5, "supports": [[0]]}

        self.change("one-component", LIBRARY, worse)
        said = self.spca("benchmark", "branch-bound", "--class", "one-component", "-o", "run").stderr
        self.assertIn("improved by", said)
        self.assertIn("`spca instances update run`", said)
        updated = self.spca("instances", "update", "run", "-q").stdout
        self.assertIn("1", updated)
        self.assertGreater(json.loads((self.library / "one-component.json").read_text())["instances"][0]["best"]["value"], 1.5)

    def test_an_answer_above_a_bound_is_a_contradiction(self):
        self.json("branch-bound", "--class", "one-component", "-o", "run")

        def lower(document):
            document["instances"][1]["best"] |= {"value": 1.0, "supports": [[0]]}
            document["instances"][1]["bound"]["value"] = 1.2

        self.change("one-component", LIBRARY, lower)
        # In the new folder the cells are solved again; in the old one the records are older than
        # the bound.
        for folder in ("new", "run"):
            said = self.spca("benchmark", "branch-bound", "--class", "one-component", "-o", folder, code=3).stderr
            self.assertIn("one of the two is wrong", said)
            self.assertIn("branch-bound on pitprops-k", said)

    def test_one_format_is_asked_for(self):
        said = self.spca("benchmark", "threshold", "--json", "--format", "md", code=2).stderr
        self.assertIn("--format: found md beside --json", said)

    def test_formats_page_and_leaderboard(self):
        words = ["benchmark", "threshold", "branch-bound", "-q"]
        self.assertIn("| class | solver | optima |", self.spca(*words, "--format", "md", "--leaderboard", "board.md").stdout)
        board = (self.folder / "board.md").read_text()
        self.assertIn("- **one-component**", board)
        self.assertIn("With a proof: `branch-bound`", board)
        scores = json.loads(self.spca(*words, "--json").stdout)["solvers"]
        rows = list(csv.DictReader(io.StringIO(self.spca(*words, "--format", "csv").stdout)))
        self.assertEqual([list(row) for row in rows], [list(score) for score in scores])
        for row, score in zip(rows, scores):
            for name, value in score.items():
                read = row[name] if isinstance(value, str) else float(row[name] or "nan")
                self.assertTrue(read == value or (value is None and math.isnan(read)), name)
        tex = self.spca(*words, "--format", "tex").stdout
        self.assertIn("\\textbf{", tex)
        latex = shutil.which("pdflatex")
        if latex:
            document = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n%s\\end{document}\n" % tex
            (self.folder / "document.tex").write_text(document, encoding="utf-8")
            command = [latex, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "document.tex"]
            made = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, errors="replace", check=False)
            self.assertEqual(made.returncode, 0, made.stdout)
            self.assertNotIn("Overfull", made.stdout)
        finished = subprocess.run([sys.executable, "-c", "import matplotlib, jinja2"], capture_output=True, check=False)
        if finished.returncode == 0:
            self.spca(*words, "--page", "page.html")
            page = (self.folder / "page.html").read_text()
            for words in ("each solver on each instance", "how near each solver comes", "optima", '<td class="best">'):
                self.assertIn(words, page)

    def test_wrong_words_are_refused_before_anything_runs(self):
        self.change("common-support", LIBRARY, lambda document: None)
        for words, says in [
            (["tpowr"], ["SOLVER", "tpower"]),
            (["nothing-*"], ["SOLVER", "nothing-*"]),
            (["tpower", "--size", "tiny"], ["--size", "built-in"]),
            (["tpower", "--size", "small,hug"], ["--size", 'found "hug"', 'did you mean "huge"']),
            (["tpower", "--size", ""], ["--size", "accepted: a value"]),
            (["tpower", "--class", "pairs"], ["--class", "disjoint"]),
            (["tpower", "--format", "doc"], ["text", "md", "json"]),
            (["tpower", "em", "--class", "common-support"], ["no solver of tpower, em takes the class common-support"]),
        ]:
            error = self.spca("benchmark", *words, code=2).stderr
            self.assertEqual(error.count("\n"), 1, error)
            for word in says:
                self.assertIn(word, error)
        self.assertFalse((self.folder / "results").exists())

    def test_without_a_library_nothing_is_compared(self):
        for name in CLASSES:
            (self.library / f"{name}.json").unlink()
        self.assertIn("no instance", self.spca("benchmark", "tpower", code=5).stderr)


if __name__ == "__main__":
    main()
