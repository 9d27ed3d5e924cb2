"""R's answers are held against the library of instances. Run by ctest, or: /usr/bin/python3 tests/r/instances_test.py"""

import json
import pathlib
import subprocess
import tempfile
import unittest

import rbench

rbench.need("Rcpp", "Matrix")

PROGRAM = """
suppressMessages(library(spcabench))
fit <- suppressWarnings(spca_solve("pitprops", 3))
cat(fit$status, ":", fit$message, "\\n")
fit <- spca_solve("pitprops", 2)
cat(fit$status, ":", fit$instance$id, fit$instance$standing, "\\n")
"""


def instance(k, support, value, bound):
    """An instance on pit props, whose optima are 1.954 for two variables and 2.47533 for three."""
    found_by = {"solver": "a hand", "version": "", "options": None}
    proof = {"value": bound, "by": "branch-bound", "version": "", "options": None, "seconds": 0, "limit": 1}
    return {
        "id": f"pitprops-k{k}",
        "data": "pitprops",
        "r": 1,
        "k": k,
        "best": {"value": value, "supports": [support], "found_by": found_by},
        "bound": {**proof, "certificate": "checked", "machine": ""},
        "status": "open",
        "gap": 0.1,
    }


class Instances(unittest.TestCase):
    def test_an_answer_above_a_bound_is_invalid_and_names_both(self):
        pitprops = {"dataset": "pitprops", "options": {}, "draw": None, "checksum": "", "n": 0, "p": 13, "trace": 13}
        document = {
            "schema": 1,
            "class": "one-component",
            "edition": "2026",
            "data": {"pitprops": pitprops},
            "instances": [instance(2, [0, 1], 1.9, 2.0), instance(3, [0, 1, 8], 2.0, 2.2)],
        }
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
