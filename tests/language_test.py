"""scripts/check-language on small trees: it names each comment and each constant that breaks a rule, and no other."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from ending import SKIPPED  # noqa: E402
from report_runs import SOURCES  # noqa: E402

if shutil.which("git") is None:
    print("skipped: needs git, which lists the files of a tree")
    sys.exit(SKIPPED)


class Language(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_language_"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "scripts").mkdir()
        shutil.copy(SOURCES / "scripts/check-language", self.folder / "scripts")

    def check(self, files):
        """Checks a tree of these files; returns the exit code and the lines."""
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        subprocess.run(["git", "add", "-A"], cwd=self.folder, check=True)
        finished = subprocess.run([sys.executable, self.folder / "scripts/check-language"], capture_output=True, text=True, check=False)
        return finished.returncode, finished.stdout.splitlines()

    def test_one_name_of_two_values_in_a_module_is_named(self):
        code, lines = self.check(
            {
                "spca/dense/a.cpp": "constexpr double kRounding = 1e-9;  // a share\n",
                "spca/dense/detail/b.h": "\ninline constexpr double kRounding =\n    1e-12;\n",
                "solvers/c.cpp": "constexpr Index kMost = 5;\nvoid f() {\n  constexpr Index kMost = 6;\n}\n",
            }
        )
        self.assertEqual((code, len(lines)), (1, 2), lines)
        self.assertTrue(any(line.startswith("spca/dense/detail/b.h:2: kRounding is 1e-12, and 1e-9 in spca/dense/a.cpp:1") for line in lines), lines)
        self.assertTrue(any(line.startswith("solvers/c.cpp:3: kMost is 6, and 5 in solvers/c.cpp:1") for line in lines), lines)

    def test_names_of_other_modules_classes_and_systems_are_free(self):
        code, lines = self.check(
            {
                "spca/dense/a.cpp": "constexpr double kRounding = 1e-9;\n",
                "spca/spectrum/a.cpp": "constexpr double kRounding = 1e-12;\n",
                "spca/spectrum/b.cpp": "constexpr double kRounding = 1e-12;\n// constexpr double kRounding = 1;\n",
                "solvers/c.cpp": "constexpr Index kMost = 5;\n",
                "solvers/d.cpp": "constexpr Index kMost = 6;\n",
                "spca/io/classes.h": "struct One {\n  static constexpr int kWidth = 1;\n};\nstruct Two {\n  static constexpr int kWidth = 2;\n};\n",
                "spca/io/systems.h": "#if defined(A)\ninline constexpr bool kCan = false;\n#else\ninline constexpr bool kCan = true;\n#endif\n",
                "tests/dense/a_test.cpp": "void f() {\n  constexpr int kSteps = 1;\n}\nvoid g() {\n  constexpr int kSteps = 2;\n}\n",
            }
        )
        self.assertEqual((code, lines), (0, ["8 files"]))

    def test_a_comment_that_breaks_a_rule_is_named(self):
        code, lines = self.check({"spca/dense/a.h": "/// What it has.\n// Takes so many rows.\n"})
        self.assertEqual((code, len(lines)), (1, 2), lines)


if __name__ == "__main__":
    unittest.main()
