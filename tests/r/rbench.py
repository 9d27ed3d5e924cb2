"""The package of R for its tests, and how such a test ends. A test whose packages are missing is skipped by name."""

import os
import pathlib
import shutil
import subprocess
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("SPCA_BUILD_FOLDER", str(SOURCES / "build/release"))
CMAKE = os.environ.get("SPCA_CMAKE", "cmake")

sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCES / "tests"))

from ending import SKIPPED, main  # noqa: E402, F401  (tests call them here)


def environment(**more):
    """R finds the package of the build tree, and nothing of the user's."""
    return {**os.environ, "R_LIBS": f"{BUILD}/r", "R_LIBS_USER": "/nowhere", "LC_ALL": "C.UTF-8", **more}


def command(program, *words):
    return ["Rscript", "--vanilla", "-e", program, *map(str, words)]


def rscript(program, *words):
    """The lines that an R program prints."""
    finished = subprocess.run(command(program, *words), capture_output=True, text=True, env=environment())
    assert finished.returncode == 0, f"{program}\n{finished.stdout}\n{finished.stderr}"
    return finished.stdout.splitlines()


def has(package):
    """Returns true if R finds the package."""
    return rscript(f"cat(requireNamespace('{package}', quietly = TRUE))") == ["TRUE"]


def need(*packages):
    """Without R or one of its packages the test ends, and says which Debian package has it."""
    missing = []
    if not shutil.which("Rscript"):
        missing.append("r-base-core")
    else:
        names = ", ".join(f"'{name}'" for name in packages)
        test = f"cat(Filter(function(p) !requireNamespace(p, quietly = TRUE), c({names})))"
        missing = [f"r-cran-{name.lower()}" for line in rscript(test) for name in line.split()]
    if missing:
        print(f"skipped: needs {' '.join(missing)} (scripts/bootstrap --all)")
        sys.exit(SKIPPED)
