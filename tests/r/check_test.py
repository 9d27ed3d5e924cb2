"""R CMD build and R CMD check, offline, against the installed library. Run by ctest, or:
/usr/bin/python3 tests/r/check_test.py"""
# Labels: slow

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import rbench

rbench.need("Rcpp", "Matrix", "testthat")

# The one note that R CMD check may have, as bindings/r/README.md says: all solvers are inside.
EXPECTED_NOTES = {"checking installed package size"}
# ggplot2 is suggested for autoplot() alone. Without it a second note says that it is missing, and everything else is
# checked all the same.
HAS_GGPLOT2 = rbench.has("ggplot2")
if not HAS_GGPLOT2:
    EXPECTED_NOTES.add("checking package dependencies")


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_r_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_r(self, *words, home, code=0):
        finished = subprocess.run(
            ["R", "CMD", *map(str, words)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=rbench.environment(SPCA_HOME=str(home), _R_CHECK_FORCE_SUGGESTS_="true" if HAS_GGPLOT2 else "false"),
        )
        output = finished.stdout + finished.stderr
        self.assertEqual(finished.returncode, code, output)
        return output

    def test_it_is_built_and_checked_without_errors_and_warnings(self):
        prefix = self.folder / "prefix"
        subprocess.run([rbench.CMAKE, "--install", rbench.BUILD, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        self.run_r("build", rbench.SOURCES / "bindings/r", home=prefix)
        [package] = self.folder.glob("spcabench_*.tar.gz")
        output = self.run_r("check", "--no-manual", package, home=prefix)
        self.assertNotRegex(output, r"\.\.\. (ERROR|WARNING)")
        notes = set(re.findall(r"\* (checking .*) \.\.\.(?: \[.*\])? NOTE", output))
        self.assertLessEqual(notes, EXPECTED_NOTES, output)
        self.assertRegex(output, r"Running .testthat\.R.")
        self.assertRegex(output, r"checking examples \.\.\.(?: \[.*\])? OK")

    def test_a_library_that_is_not_there_is_one_line(self):
        (self.folder / "empty").mkdir()
        (self.folder / "library").mkdir()
        sources = self.folder / "spcabench"
        shutil.copytree(rbench.SOURCES / "bindings/r", sources)
        output = self.run_r("INSTALL", "--library=library", sources, home=self.folder / "empty", code=1)
        lines = [line for line in output.splitlines() if line.startswith("spcabench: ")]
        self.assertEqual(len(lines), 1, output)
        self.assertIn("accepted: the prefix of 'cmake --install', or a build tree", lines[0])

    def test_the_version_is_the_program_s(self):
        lists = (rbench.SOURCES / "CMakeLists.txt").read_text(encoding="utf-8")
        version = re.search(r"project\(spca-bench VERSION (\S+)", lists).group(1)
        self.assertIn(f"Version: {version}\n", (rbench.SOURCES / "bindings/r/DESCRIPTION").read_text(encoding="utf-8"))


if __name__ == "__main__":
    rbench.main()
