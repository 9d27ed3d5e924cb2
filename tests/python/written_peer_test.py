"""Tests a Python function as a solver of the program. Run by ctest, or: /usr/bin/python3 tests/python/written_peer_test.py"""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import package

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()

SOURCE = '''
import numpy as np
import spca_bench


@spca_bench.solver("largest-variances")
def largest_variances(S, k, shift=0):
    "The k largest variances."
    support = (np.sort(np.argsort(-S.diagonal(), kind="stable")[:k]) + shift) % S.p
    return support, np.linalg.eigh(S.submatrix(support))[1][:, -1]


@spca_bench.solver("one-by-one", multiple_components=True)
def one_by_one(S, k):
    "One variable for each component: the first variables."
    return [([j], [1.0]) for j in range(len(k))]


if __name__ == "__main__":
    raise SystemExit("the program ran this file as a script")
'''


class WrittenPeer(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_written_peer_"))
        self.addCleanup(shutil.rmtree, self.folder)
        source = self.folder / "mine.py"
        source.write_text(SOURCE, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("mine", source)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))

    def spca(self, *words):
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(spca_bench.__file__).parent.parent)}
        environment["SPCA_CACHE_DIR"] = str(self.folder / "cache")
        finished = subprocess.run(
            [os.environ["SPCA_PROGRAM"], *map(str, words)],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(finished.returncode, 0, finished.stderr)
        return finished.stdout

    def test_the_program_and_python_have_the_same_answer(self):
        file = spca_bench.write_peer("largest-variances")
        self.assertEqual(file, (self.folder / "largest-variances.json").resolve())
        for shift in (0, 2):
            words = ["--cardinality", 4, "--set", f"shift={shift}", "--json"]
            program = json.loads(self.spca("solve", "--dataset", "pitprops", "--solver", file, *words))
            python = spca_bench.solve("pitprops", 4, solver="largest-variances", options={"shift": shift})
            (component,) = program["components"]
            self.assertEqual(component["indices"], python.components[0].indices.tolist())
            np.testing.assert_allclose(component["values"], python.components[0].values, rtol=0, atol=1e-12)

    def test_its_program_prints_nothing(self):
        np.save(self.folder / "x.npy", np.diag([3.0, 2.0, 1.0]))
        problem = {"matrix": {"file": str(self.folder / "x.npy")}, "cardinality": [1], "components": 1, "options": {}}
        problem |= {"seed": 1, "threads": 1, "answer": str(self.folder / "answer.json")}
        (self.folder / "problem.json").write_text(json.dumps(problem), encoding="utf-8")
        peer = json.loads(spca_bench.write_peer("largest-variances").read_text(encoding="utf-8"))
        places = {"{here}": str(self.folder), "{problem}": str(self.folder / "problem.json")}
        words = []
        for word in peer["command"]:
            for mark, place in places.items():
                word = word.replace(mark, place)
            words.append(word)
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(spca_bench.__file__).parent.parent)}
        finished = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        self.assertEqual((finished.stdout, finished.stderr), ("", ""))
        answer = json.loads((self.folder / "answer.json").read_text(encoding="utf-8"))
        self.assertEqual(answer["loadings"], [{"indices": [0], "values": [1.0]}])

    def test_a_function_may_take_several_components_at_once(self):
        file = spca_bench.write_peer("one-by-one")
        words = ["--dataset", "pitprops", "--solver", file, "--cardinality", "2,3", "--json"]
        components = json.loads(self.spca("solve", *words))["components"]
        self.assertEqual([component["indices"] for component in components], [[0], [1]])

    def test_it_has_a_row_in_the_table_of_a_benchmark(self):
        spca_bench.write_peer("largest-variances")
        words = ["./largest-variances.json", "threshold", "--class", "one-component", "--json"]
        scores = {score["solver"]: score for score in json.loads(self.spca("benchmark", *words))["solvers"]}
        self.assertEqual(set(scores), {"largest-variances", "threshold"})
        self.assertEqual(scores["largest-variances"]["failures"], 0)
        self.assertGreater(scores["largest-variances"]["proved"], 10)

    def test_a_function_without_a_file_is_refused_and_so_is_a_name_that_is_none(self):
        exec(compile(SOURCE, "<a notebook>", "exec"), {"__name__": "notebook"})
        with self.assertRaisesRegex(ValueError, "largest-variances has no source file; accepted"):
            spca_bench.write_peer("largest-variances")
        with self.assertRaisesRegex(ValueError, "name: found 'tpower'; accepted: a function"):
            spca_bench.write_peer("tpower")


if __name__ == "__main__":
    package.main()
