"""The wheel that scripts/wheel builds: its size, its tag, and what it does in fresh virtual environments. Run by ctest, or:
/usr/bin/python3 tests/pypi_wheel_test.py"""
# Labels: pypi slow

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True
from ending import SKIPPED, main  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent
TOOLS = SOURCES / "build/pypi/tools"
DIST = SOURCES / "build/pypi/dist"
LARGEST_WHEEL = 15e6  # bytes
# The oldest packages that are supported and have wheels for Debian 12's Python 3.11, and the newest that there are.
OLDEST = ["numpy==1.24.*", "scipy==1.10.*", "pandas==1.5.*", "scikit-learn==1.2.*"]
PANDAS_2 = ["numpy==2.0.*", "scipy==1.13.*", "pandas==2.2.*", "scikit-learn==1.5.*"]
NEWEST = ["numpy", "scipy", "pandas", "scikit-learn", "polars", "pyarrow"]
GALLERY = ["numpy", "scipy", "pandas", "scikit-learn", "matplotlib", "anndata"]


def run(*words, **options):
    # The program must not find anything of this build.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPCA_", "PYTHON"))}
    finished = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, env=environment, **options)
    assert finished.returncode == 0, f"{words}\n{finished.stdout}\n{finished.stderr}"
    return finished.stdout + finished.stderr


def why_not():
    """The reason why the test cannot run; empty if it can."""
    if not (TOOLS / "complete").exists():
        return "needs an environment of tools (scripts/bootstrap --pypi)"
    with tempfile.TemporaryDirectory() as folder:
        download = [TOOLS / "bin/pip", "download", "-q", "--no-deps", "--no-cache-dir", "--retries", "0", "-d", folder, "packaging"]
        reached = subprocess.run(download, capture_output=True, check=False).returncode == 0
    return "" if reached else "needs PyPI, which is not reached"


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run(SOURCES / "scripts/wheel")
        (cls.wheel,) = DIST.glob("*.whl")
        (cls.sdist,) = DIST.glob("*.tar.gz")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="spca_wheel_"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def python_of(self, name, packages):
        """The Python of a fresh environment that holds the wheel and these packages."""
        environment = self.folder / name
        run("/usr/bin/python3", "-m", "venv", environment)
        run(environment / "bin/pip", "install", "-q", self.wheel, *packages)
        return environment / "bin/python"

    def check(self, name, packages, *words):
        """Runs wheel_check.py in an environment of python_of()."""
        python = self.python_of(name, packages)
        print(run(python, "-I", "-B", SOURCES / "tests/wheel_check.py", *words, cwd=self.folder))

    def test_it_is_small_and_runs_on_other_systems(self):
        self.assertLess(self.wheel.stat().st_size, LARGEST_WHEEL)
        self.assertLess(self.sdist.stat().st_size, LARGEST_WHEEL)
        self.assertIn("manylinux_2_", self.wheel.name)
        names = zipfile.ZipFile(self.wheel).namelist()
        for path in ["bin", "lib", "include"]:
            self.assertFalse([name for name in names if name.startswith(path + "/")])
        # The libraries of others are linked into the module: auditwheel had none to put beside it.
        self.assertFalse([name for name in names if ".libs/" in name], names)

    def test_it_needs_nothing_but_its_dependencies(self):
        self.check("bare", [])

    def test_it_works_with_the_oldest_packages(self):
        self.check("oldest", OLDEST, "--estimator")

    def test_it_works_with_pandas_2(self):
        self.check("pandas2", PANDAS_2, "--estimator")

    def test_the_notebooks_of_the_gallery_run(self):
        python = self.python_of("gallery", GALLERY)
        site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        finished = subprocess.run(
            [python, "-B", SOURCES / "tests/python/gallery_test.py"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "SPCA_PYTHON_PACKAGE": site},
        )
        output = finished.stdout + finished.stderr
        # A notebook without its data is skipped.
        self.assertIn(finished.returncode, [0, SKIPPED], output)
        self.assertNotIn("needs the module", output)
        print(output)

    def test_a_gate_in_ones_own_repository_needs_nothing_else(self):
        python = self.python_of("gate", [])
        words = [SOURCES / "tests/own_gate_test.py", "-v", "OwnGate.test_the_gate_of_a_peer"]
        finished = subprocess.run(
            ["/usr/bin/python3", "-B", *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "SPCA_PROGRAM": str(python.parent / "spca")},
        )
        self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)
        print(finished.stdout)

    def test_it_works_with_the_newest_packages(self):
        self.check("newest", NEWEST, "--estimator")


if __name__ == "__main__":
    if reason := why_not():
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    main()
