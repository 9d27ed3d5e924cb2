"""Checks an installed wheel from within its own environment, which needs nothing else. Run by
tests/pypi_wheel_test.py and by cibuildwheel, or: PYTHON -I tests/wheel_check.py [--estimator]

With --estimator it also checks data of SciPy and pandas, and scikit-learn's own checks of SparsePCA; the environment
holds these packages then."""

import importlib.metadata
import importlib.util
import json
import operator
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import unittest

import numpy as np

import spca_bench

PREFIX = pathlib.Path(sys.prefix).resolve()
PROGRAM = pathlib.Path(sysconfig.get_path("scripts"), "spca")
WITH_ESTIMATOR = "--estimator" in sys.argv
SAMPLES = np.random.default_rng(1).normal(size=(40, 12)) * np.linspace(1, 3, 12)


class Wheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def spca(self, *words):
        """The output of the program, run where no file of the sources can be found."""
        finished = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(finished.returncode, 0, f"{words}\n{finished.stdout}\n{finished.stderr}")
        return finished.stdout

    def test_the_module_is_that_of_the_wheel_and_needs_numpy_alone(self):
        self.assertIn(PREFIX, pathlib.Path(spca_bench.__file__).resolve().parents)
        needed = importlib.metadata.requires("spca-bench")
        self.assertEqual([line for line in needed if "extra" not in line], ["numpy>=1.21"])
        self.assertEqual(spca_bench.solve("pitprops", 5, solver="fullpath").status, "converged")
        answer = spca_bench.solve(SAMPLES, 3)
        self.assertLessEqual(answer.explained_variance, answer.upper_bound)

    def test_disjoint_components_are_certified_by_linear_programs(self):
        answer = spca_bench.solve("pitprops", [3, 3], solver="branch-price")
        self.assertEqual(answer.status, "converged")
        self.assertTrue(spca_bench.certify("pitprops", answer).is_optimal)

    def test_the_program_solves(self):
        self.assertIn("topdiam", self.spca("solve", "--dataset", "pitprops", "--cardinality", "5"))

    def test_the_program_says_what_it_was_built_with(self):
        environment = json.loads(self.spca("env", "--json"))
        libraries = environment["libraries"]
        for name in ["curl", "liblinear", "libsvm"]:
            self.assertIsNone(libraries[name], name)
        for name in ["clp", "hdf5", "sqlite", "zlib"]:
            self.assertTrue(libraries[name], name)
        interpreter = environment["python"].get("interpreter", str(PROGRAM.parent / "python3"))
        self.assertEqual(pathlib.Path(interpreter).parent, PROGRAM.parent)

    def test_the_program_finds_the_files_of_the_wheel(self):
        experiment = json.loads(self.spca("describe", "experiment", "quickstart", "--json"))
        self.assertIn(PREFIX / "share/spca", pathlib.Path(experiment["path"]).resolve().parents)
        self.assertIn("peers/sklearn", self.spca("list", "peers"))
        self.assertEqual(spca_bench.describe("quickstart", "experiment")["path"], experiment["path"])

    def test_quickstart_comes_out(self):
        self.spca("reproduce", "quickstart", "--profile", "smoke")

    def test_the_small_instances_hold(self):
        self.spca("instances", "check", "--size", "built-in")


@unittest.skipUnless(WITH_ESTIMATOR, "--estimator is not given")
class Estimator(unittest.TestCase):
    def test_scikit_learn_finds_no_fault(self):
        from sklearn.utils.estimator_checks import check_estimator

        check_estimator(spca_bench.SparsePCA())

    def test_sparse_arrays_are_sparse_matrices(self):
        import scipy.sparse

        sparse = np.where(SAMPLES > 1, SAMPLES, 0)
        expected = spca_bench.solve(sparse, 3, solver="tpower")
        for name in ["csr_matrix", "csc_matrix", "coo_matrix", "csr_array", "csc_array", "coo_array"]:
            if hasattr(scipy.sparse, name):
                with self.subTest(name):
                    answer = spca_bench.solve(getattr(scipy.sparse, name)(sparse), 3, solver="tpower")
                    np.testing.assert_array_equal(answer.components[0].indices, expected.components[0].indices)
                    np.testing.assert_allclose(answer.components[0].values, expected.components[0].values, atol=1e-8)

    def test_frames_name_their_variables(self):
        import pandas as pd

        frame = pd.DataFrame(SAMPLES, columns=[f"x{number}" for number in range(12)])
        answer = spca_bench.solve(frame, 3, solver="tpower")
        np.testing.assert_array_equal(answer.components[0].names, [f"x{number}" for number in answer.components[0].indices])
        for module, make in {"polars": "from_pandas", "pyarrow": "Table.from_pandas"}.items():
            if importlib.util.find_spec("pyarrow") and importlib.util.find_spec(module):
                with self.subTest(module):
                    table = operator.attrgetter(make)(importlib.import_module(module))(frame)
                    found = spca_bench.solve(table, 3, solver="tpower")
                    self.assertEqual(found.components[0].names, answer.components[0].names)
                    self.assertEqual(found.explained_variance, answer.explained_variance)
        scores = spca_bench.SparsePCA(2, cardinality=3).set_output(transform="pandas").fit_transform(frame)
        self.assertEqual(list(scores.columns), ["sparsepca0", "sparsepca1"])


if __name__ == "__main__":
    packages = [name for name in ["numpy", "scipy", "pandas", "scikit-learn"] if WITH_ESTIMATOR or name == "numpy"]
    print(f"Python {sys.version.split()[0]},", ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages))
    unittest.main(argv=sys.argv[:1], verbosity=2)
