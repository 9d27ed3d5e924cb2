"""The package after cmake --install. Run by ctest, or: /usr/bin/python3 tests/python/installed_test.py"""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest

import package

package.need("numpy", "python3-numpy")
package.spca_bench()

BUILD = os.environ.get("SPCA_BUILD_FOLDER", str(package.SOURCES / "build/release"))
CMAKE = os.environ.get("SPCA_CMAKE", "cmake")
PROGRAM = """
import spca_bench
print(spca_bench.__file__)
print(spca_bench.solve("pitprops", 5).status)
print(spca_bench.describe("quickstart", "experiment")["path"])
"""


def install(prefix, *words):
    subprocess.run([CMAKE, "--install", BUILD, "--prefix", prefix, *words], check=True, stdout=subprocess.DEVNULL)


class Installed(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_python_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def test_it_runs_from_there_wherever_the_folder_is_moved(self):
        install(self.folder / "first")
        prefix = self.folder / "a place with blanks"
        (self.folder / "first").rename(prefix)
        place = sysconfig.get_path("platlib", "posix_prefix", {"base": str(prefix), "platbase": str(prefix)})
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SPCA_")}
        command = [sys.executable, "-B", "-c", PROGRAM]
        output = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=self.folder, env={**environment, "PYTHONPATH": place}
        )
        file, status, experiment = output.stdout.splitlines()
        self.assertTrue(file.startswith(place), file)
        self.assertEqual(status, "converged")
        self.assertTrue(experiment.startswith(str(prefix / "share/spca")), experiment)
        installed = {path.name for path in pathlib.Path(place, "spca_bench").iterdir()}
        sources = {path.name for path in (package.SOURCES / "bindings/python/spca_bench").glob("*.py*")} | {"py.typed"}
        self.assertEqual({name for name in installed if not name.endswith(".so")}, sources)

    def test_the_component_for_wheels_is_the_package_alone(self):
        install(self.folder / "wheel", "--component", "python")
        files = [path for path in (self.folder / "wheel").rglob("*") if path.is_file()]
        self.assertEqual({path.parent.name for path in files}, {"spca_bench"})

    def test_pyproject_asks_for_what_there_is(self):
        tomllib = package.need("tomllib", "python3 >= 3.11")
        project = tomllib.loads((package.SOURCES / "pyproject.toml").read_text(encoding="utf-8"))
        lists = (package.SOURCES / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertIn(f"VERSION {project['project']['version']} ", lists)
        own = (package.SOURCES / "bindings/python/CMakeLists.txt").read_text(encoding="utf-8")
        build = project["tool"]["scikit-build"]
        self.assertIn(f"pybind11_add_module({build['build']['targets'][0]} ", own)
        self.assertEqual(build["install"]["components"], ["python"])
        for name in build["cmake"]["define"]:
            self.assertTrue(name in lists or name in own, name)


if __name__ == "__main__":
    package.main()
