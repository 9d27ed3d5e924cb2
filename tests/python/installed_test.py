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

    def files_of(self, component):
        """The installed files of a component, relative to the prefix."""
        prefix = self.folder / component
        install(prefix, "--component", component)
        return [path.relative_to(prefix) for path in prefix.rglob("*") if path.is_file()]

    def test_the_components_for_wheels_are_the_package_and_the_program(self):
        self.assertEqual({path.parent.name for path in self.files_of("python")}, {"spca_bench"})
        files = self.files_of("program")
        self.assertEqual([path.name for path in files if path.parts[0] != "share"], ["spca"])
        needed = {"experiments/quickstart.json", "peers/r-rsvd.json", "plotting/plot.py", "datasets/sources.json"}
        self.assertEqual(needed - {str(path.relative_to("share/spca")) for path in files if path.parts[0] == "share"}, set())

    def test_pyproject_asks_for_what_there_is(self):
        tomllib = package.need("tomllib", "python3 >= 3.11")
        project = tomllib.loads((package.SOURCES / "pyproject.toml").read_text(encoding="utf-8"))
        lists = (package.SOURCES / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertIn(f"VERSION {project['project']['version']} ", lists)
        own = (package.SOURCES / "bindings/python/CMakeLists.txt").read_text(encoding="utf-8")
        build = project["tool"]["scikit-build"]
        self.assertIn(f"pybind11_add_module({build['build']['targets'][0]} ", own)
        self.assertEqual(build["install"]["components"], ["python", "program"])
        for name in build["cmake"]["define"]:
            self.assertTrue(name in lists or name in own, name)


if __name__ == "__main__":
    package.main()
