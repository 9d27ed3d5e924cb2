"""The files for benchopt. Run by ctest, or: /usr/bin/python3 tests/python/benchopt_test.py"""

import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import package

np = package.need("numpy", "python3-numpy")
spca_bench = package.spca_bench()

FOLDER = package.SOURCES / "bindings/benchopt"
HAS_BENCHOPT = importlib.util.find_spec("benchopt") is not None


def stand_in():
    """A stand-in for benchopt with all that the files use: base classes, and the context in which they import."""
    module = types.ModuleType("benchopt")
    module.BaseObjective = module.BaseSolver = module.BaseDataset = object
    module.safe_import_context = contextlib.nullcontext
    return module


def load(path, name):
    """The class of a file, with one value of each of its parameters."""
    spec = importlib.util.spec_from_file_location(path.stem + "_of_benchopt", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = []
    kind = getattr(module, name)
    longest = max(len(values) for values in kind.parameters.values())
    for i in range(longest):
        one = kind()
        for names, values in kind.parameters.items():
            value = values[i % len(values)]
            for part, own in zip(names.split(", "), value if "," in names else [value]):
                setattr(one, part, own)
        made.append(one)
    return made


class Files(unittest.TestCase):
    def test_the_methods_work_in_benchopt_s_order(self):
        with unittest.mock.patch.dict(sys.modules, {"benchopt": stand_in()}):
            objective = load(FOLDER / "objective.py", "Objective")[0]
            dataset = load(FOLDER / "datasets/spiked.py", "Dataset")[0]
            solvers = load(FOLDER / "solvers/spca_bench_solvers.py", "Solver")
        objective.set_data(**dataset.get_data())
        worst = objective.evaluate_result(**objective.get_one_result())["value"]
        self.assertEqual(len(solvers), 4)
        for solver in solvers:
            solver.set_objective(**objective.get_objective())
            solver.run(None)
            measured = objective.evaluate_result(**solver.get_result())
            self.assertLess(measured["value"], worst, solver.solver)
            self.assertEqual(measured["nonzeros"], 10)
        self.assertEqual(objective.evaluate_result(np.ones((1, 200)))["value"], np.inf)
        self.assertEqual(objective.evaluate_result(np.zeros((1, 200)))["value"], np.inf)

    @unittest.skipUnless(HAS_BENCHOPT, "benchopt is not installed: it was NOT run")
    def test_benchopt_runs_them(self):
        with tempfile.TemporaryDirectory() as folder:
            command = ["-m", "benchopt", "run", str(FOLDER), "-n", "1", "-r", "1", "-d", "Spiked[n_features=200]", "--no-display"]
            path = os.pathsep.join([package.folder(), os.environ.get("PYTHONPATH", "")])
            subprocess.run([sys.executable, *command], check=True, cwd=folder, env={**os.environ, "PYTHONPATH": path})


if __name__ == "__main__":
    package.main()
