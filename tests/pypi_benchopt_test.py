"""`benchopt run` of PyPI's benchopt on bindings/benchopt. Run by ctest, or: /usr/bin/python3 tests/pypi_benchopt_test.py"""
# Labels: pypi slow

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import pypi_environment  # noqa: E402
from ending import main  # noqa: E402

PYTHON = pypi_environment.python()
SOLVERS = ["tpower", "fullpath", "local-search", "branch-bound"]


class Benchopt(unittest.TestCase):
    def test_it_runs_every_solver_and_writes_its_page(self):
        with tempfile.TemporaryDirectory() as folder:
            # benchopt writes beside the files that it runs.
            benchmark = pathlib.Path(folder) / "benchmark"
            shutil.copytree(pypi_environment.SOURCES / "bindings/benchopt", benchmark)
            words = ["run", benchmark, "-n", "1", "-r", "1", "-d", "Spiked[n_features=200]", "--no-display", "--output", "test"]
            environment = {**pypi_environment.variables(), "HOME": folder}
            command = [PYTHON, "-m", "benchopt", *words]
            finished = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
            self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)
            page = (benchmark / "outputs/benchmark_test.html").read_text(encoding="utf-8")
            # A solver that failed is not in the results.
            for solver in SOLVERS:
                self.assertIn(f"spca_bench[solver={solver}]", page)
            read = (
                "import pandas, sys; t = pandas.read_parquet(sys.argv[1]); assert len(t) == 4, t;"
                "assert (t.objective_value < 1).all() and (t.objective_nonzeros == 10).all(), t"
            )
            subprocess.run([PYTHON, "-c", read, benchmark / "outputs/test.parquet"], check=True, env=environment)


if __name__ == "__main__":
    main()
