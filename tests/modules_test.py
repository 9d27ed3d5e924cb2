"""scripts/check-rooms on a copy of the tree: it passes as the tree is, and names each include that points upward."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import SOURCES  # noqa: E402


class Modules(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_modules_"))
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(SOURCES / "CMakeLists.txt", self.folder)
        for name in ["spca", "solvers", "datasets", "metrics", "harness", "bindings", "scripts"]:
            shutil.copytree(SOURCES / name, self.folder / name, ignore=shutil.ignore_patterns("*.json"))

    def check(self):
        command = [sys.executable, self.folder / "scripts/check-rooms"]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        return finished.returncode, finished.stderr.splitlines()

    def include(self, file, header):
        """Adds the include as the first line of the file."""
        path = self.folder / file
        path.write_text(f'#include "{header}"\n' + path.read_text(encoding="utf-8"), encoding="utf-8")

    def test_no_include_of_the_tree_points_upward(self):
        self.assertEqual(self.check(), (0, []))

    def test_each_include_that_points_upward_is_named(self):
        upward = {
            "spca/base/types.h": "spca/solving/solver.h",  # a higher module of the library
            "spca/measure/metrics.h": "harness/records/record.h",  # from the library to the harness
            "solvers/tpower.cpp": "harness/records/record.h",
            "harness/cli/list.cpp": "bindings/python/data.h",
            "harness/cli/solve.cpp": "harness/calls/calls.h",
            "bindings/r/src/spcabench.cpp": "spca/solving/solve.h",  # has Eigen, which is not the package's
            "spca/methods/ascent/support_ascent.h": "spca/methods/bounds/greedy_bound.h",  # siblings are strangers
            "spca/spectrum/spectrum.h": "spca/covariance/detail/block_pass.h",  # private to its module
        }
        for file, header in upward.items():
            self.include(file, header)
        code, lines = self.check()
        self.assertEqual((code, len(lines)), (1, len(upward)), lines)
        for file, header in upward.items():
            module = header.rsplit("/", 1)[0]
            self.assertTrue([line for line in lines if line.startswith(f"{file}:1: includes {module}/")], (file, lines))

    def test_an_include_within_a_module_or_downward_is_allowed(self):
        self.include("spca/solving/solver.h", "spca/solving/budget.h")
        self.include("harness/records/record.h", "spca/base/types.h")
        self.assertEqual(self.check(), (0, []))

    def test_a_module_that_uses_one_above_it_is_named(self):
        path = self.folder / "spca/base/CMakeLists.txt"
        path.write_text("spca_module(USES spca/solving)\n", encoding="utf-8")
        code, lines = self.check()
        self.assertEqual(code, 1)
        self.assertIn("spca/base/CMakeLists.txt: uses spca/solving", lines[0])

    def test_a_source_without_a_header_of_its_name_is_named(self):
        (self.folder / "spca/solving/aside.cpp").write_text("int aside;\n")
        self.assertEqual(self.check(), (1, ["spca/solving/aside.cpp: has no header of its name, and registers nothing"]))
        (self.folder / "spca/solving/aside.cpp").write_text("SPCA_METRIC(aside);\n")
        self.assertEqual(self.check(), (0, []))

    def test_a_folder_that_is_no_module_is_named(self):
        (self.folder / "spca/attic").mkdir()
        (self.folder / "spca/attic/old.cpp").write_text("int old;\n")
        (self.folder / "spca/attic/old.h").write_text("extern int old;\n")
        self.assertEqual(self.check(), (1, ["spca/attic/ is in no list of modules"]))


if __name__ == "__main__":
    report_runs.main()
