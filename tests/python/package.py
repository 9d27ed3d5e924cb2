"""The package spca_bench for its tests, and how such a test ends. A test whose packages are missing is skipped by name."""

import importlib
import os
import pathlib
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2]

sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCES / "tests"))

from ending import SKIPPED, main  # noqa: E402, F401  (tests call them here)


def folder():
    """The folder that holds the package."""
    return os.environ.get("SPCA_PYTHON_PACKAGE", str(SOURCES / "build/release/python"))


def need(module, debian):
    """Imports a module. Without it the test ends, and says which Debian package has it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"skipped: needs {debian} (scripts/bootstrap --all)")
        sys.exit(SKIPPED)


def spca_bench():
    need("numpy", "python3-numpy")
    sys.path.insert(0, folder())
    return importlib.import_module("spca_bench")


def has_data(name):
    """Returns true if the files of a data set exist."""
    return (pathlib.Path(os.environ.get("SPCA_DATA_DIR", "/nowhere")) / name).is_dir()
