"""Compares answers from Python with the library of instances. Run by ctest, or:
/usr/bin/python3 tests/python/instances_test.py"""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

import package
from pitprops_library import instance, library

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="spca_instances_"))
# The package looks for the library once.
os.environ["SPCA_INSTANCES"] = str(FOLDER)

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()


def write_library():
    """Writes a library of pit props with the optimum of five variables, and with a false bound,
    2.2, on three variables, whose optimum is 2.47533."""
    best = spca_bench.solve("pitprops", 5, solver="exhaustive", bound=False)
    value = best.metrics["projected_variance"]
    document = library(instance(3, [0, 1, 8], 2.0, 2.2), instance(5, best.components[0].indices.tolist(), value, value))
    (FOLDER / "one-component.json").write_text(json.dumps(document))


class Instances(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Another process finds the answer for the library: this process reads the library once.
        if os.fork() == 0:
            write_library()
            os._exit(0)
        os.wait()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(FOLDER)

    def test_an_answer_says_how_it_compares_with_the_best_known(self):
        reached = spca_bench.solve("pitprops", 5).instance
        self.assertEqual((reached["id"], reached["standing"], reached["proved"]), ("pitprops-k5", "reached", True))
        self.assertEqual(spca_bench.solve("pitprops", 5, solver="varimax-threshold").instance["standing"], "worse")
        self.assertIsNone(spca_bench.solve("pitprops", 4).instance)
        self.assertIsNone(spca_bench.solve(np.eye(6), 2, covariance=True).instance)

    def test_an_answer_above_a_bound_is_invalid_and_names_both(self):
        answer = spca_bench.solve("pitprops", 3)
        self.assertEqual((answer.status, answer.has_answer), ("invalid", False))
        for word in ("2.47", "2.2", "the bound of instance pitprops-k3, by branch-bound"):
            self.assertIn(word, answer.message)

    def test_a_path_has_no_answer_above_a_bound(self):
        path = spca_bench.path("pitprops", [3, 4], solver="tpower")
        three, four = path.solvers[0]["points"]
        self.assertEqual((three["status"], four["status"]), ("invalid", "converged"))
        self.assertIn("pitprops-k3", three["message"])

    def test_loadings_above_a_bound_are_not_certified(self):
        loadings = spca_bench.solve(spca_bench.data("pitprops"), 2, bound=False).loadings.T
        self.assertTrue(np.isfinite(spca_bench.certify("pitprops", loadings).value))
        three = np.zeros(13)
        three[[0, 1, 8]] = 1
        with self.assertRaisesRegex(ArithmeticError, "pitprops-k3"):
            spca_bench.certify("pitprops", three)


if __name__ == "__main__":
    package.main()
