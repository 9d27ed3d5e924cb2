"""Tests the programs of examples/cpp on the installed library and on the Debian package. Run by ctest, or
with a build in SPCA_BUILD_FOLDER (default: build/release)."""
# Labels: slow

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import report_runs  # noqa: E402
from report_runs import SOURCES  # noqa: E402

EXAMPLES = SOURCES / "examples/cpp"
BUILD = str(pathlib.Path(os.environ.get("SPCA_BUILD_FOLDER", SOURCES / "build/release")).resolve())
CMAKE = os.environ.get("SPCA_CMAKE", "cmake")
LONGEST = 60  # lines: each example has fewer, so that it is read at one look


def run(*words, cwd):
    finished = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{words}\n{finished.stdout}\n{finished.stderr}"
    return finished.stdout


class CppExamples(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_examples_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def said_by_all(self, prefix):
        """Builds all examples on the package at `prefix`. Returns the output of each, by name."""
        build = self.folder / "build"
        run(CMAKE, "-S", EXAMPLES, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", cwd=self.folder)
        self.assertIn(f"spca_DIR:PATH={prefix}", (build / "CMakeCache.txt").read_text(encoding="utf-8"))
        run(CMAKE, "--build", build, cwd=self.folder)
        return {path.stem: run(build / path.stem, cwd=self.folder) for path in EXAMPLES.glob("*.cpp")}

    def assert_right(self, output):
        self.assertEqual(set(output), {"components", "certificate", "own_solver"})
        groups = [re.findall(r" x(\d+) ", line) for line in output["components"].splitlines()[1:]]
        self.assertEqual(groups, [list("01234"), ["10", "11", "12", "13", "14", "15"]])

        bound, *answers = output["certificate"].splitlines()
        bound = float(bound.split()[-1])
        values = {line.split()[0]: float(line.split()[2].rstrip(",")) for line in answers}
        self.assertEqual(set(values), {"spannogram-bound", "tpower", "diagonal"})
        self.assertLessEqual(max(values.values()), bound)
        self.assertGreater(max(values.values()), 0.99 * bound)

        rivals = {line.split()[0]: float(line.split()[1]) for line in output["own_solver"].splitlines()}
        self.assertEqual(set(rivals), {"my-power", "threshold", "fullpath", "tpower"})
        self.assertGreaterEqual(rivals["tpower"], rivals["threshold"])

    def test_they_run_on_the_installed_package(self):
        prefix = self.folder / "prefix"
        run(CMAKE, "--install", BUILD, "--prefix", prefix, cwd=self.folder)
        self.assert_right(self.said_by_all(prefix))

    def test_they_run_on_the_debian_package(self):
        cpack = pathlib.Path(shutil.which(CMAKE)).with_name("cpack")
        if not shutil.which("dpkg-deb") or not cpack.exists():
            self.skipTest("needs dpkg-deb and cpack (Debian)")
        # The dependencies of the package do not matter here, and finding them needs dpkg-dev.
        words = ["-G", "DEB", "-B", self.folder / "packed", "-D", "CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF"]
        run(cpack, "--config", pathlib.Path(BUILD) / "CPackConfig.cmake", *words, cwd=self.folder)
        packages = list((self.folder / "packed").glob("*.deb"))
        self.assertEqual(len(packages), 1, packages)
        run("dpkg-deb", "-x", packages[0], self.folder / "root", cwd=self.folder)
        self.assert_right(self.said_by_all(self.folder / "root/usr"))

    def test_each_is_short(self):
        for path in EXAMPLES.glob("*.cpp"):
            self.assertLess(len(path.read_text(encoding="utf-8").splitlines()), LONGEST, path)

    def test_the_version_that_is_asked_for_is_one_of_the_same_major_version(self):
        asks = self.folder / "asks.cmake"
        asks.write_text(
            "string(REPLACE \".\" \";\" parts \"${PACKAGE_FIND_VERSION}\")\n"
            "list(GET parts 0 PACKAGE_FIND_VERSION_MAJOR)\n"
            f'include("{BUILD}/spca-config-version.cmake")\n'
            "message(STATUS ${PACKAGE_VERSION} ${PACKAGE_VERSION_COMPATIBLE})\n",
            encoding="utf-8",
        )
        project = (SOURCES / "CMakeLists.txt").read_text(encoding="utf-8")
        major, minor = re.search(r"^project\(\S+ VERSION (\d+)\.(\d+)", project, re.MULTILINE).groups()
        for version, accepted in [
            (f"{major}.{minor}", "TRUE"),
            (f"{major}.0", "TRUE"),
            (f"{major}.{int(minor) + 1}", "FALSE"),
            (f"{int(major) + 1}.0", "FALSE"),
        ]:
            output = run(CMAKE, f"-DPACKAGE_FIND_VERSION={version}", "-P", asks, cwd=self.folder)
            self.assertIn(accepted, output, version)


if __name__ == "__main__":
    report_runs.main()
