"""Compares R's answers with the library of instances. Run by ctest, or: /usr/bin/python3 tests/r/instances_test.py"""

import json
import pathlib
import subprocess
import tempfile
import unittest

import rbench
from pitprops_library import instance, library

rbench.need("Rcpp", "Matrix")

PROGRAM = """
suppressMessages(library(spcabench))
fit <- suppressWarnings(spca_solve("pitprops", 3))
cat(fit$status, ":", fit$message, "\\n")
fit <- spca_solve("pitprops", 2)
cat(fit$status, ":", fit$instance$id, fit$instance$standing, "\\n")
"""


class Instances(unittest.TestCase):
    def test_an_answer_above_a_bound_is_invalid_and_names_both(self):
        # The optima are 1.954 for two variables and 2.47533 for three.
        document = library(instance(2, [0, 1], 1.9, 2.0), instance(3, [0, 1, 8], 2.0, 2.2))
        with tempfile.TemporaryDirectory(prefix="spca_instances_") as folder:
            (pathlib.Path(folder) / "one-component.json").write_text(json.dumps(document))
            finished = subprocess.run(
                rbench.command(PROGRAM), capture_output=True, text=True, check=False,
                env=rbench.environment(SPCA_INSTANCES=folder),
            )
        self.assertEqual(finished.returncode, 0, finished.stderr)
        first, second = finished.stdout.splitlines()
        for word in ("invalid", "2.47", "2.2", "the bound of instance pitprops-k3, by branch-bound"):
            self.assertIn(word, first)
        self.assertIn("pitprops-k2 better", second)


if __name__ == "__main__":
    rbench.main()
