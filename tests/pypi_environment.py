"""The environment of packages of PyPI that peers and tests use (scripts/bootstrap --pypi-peers)."""

import os
import pathlib
import sys

from ending import SKIPPED

SOURCES = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = SOURCES / "build/pypi/peers"
BUILD = pathlib.Path(os.environ.get("SPCA_BUILD_FOLDER", SOURCES / "build/release"))


def python(with_package=True):
    """The environment's Python. Without it, or without the package spca_bench if it is needed, the test is skipped."""
    needed = {"scripts/bootstrap --pypi-peers": ENVIRONMENT / "complete"}
    if with_package:
        needed["a build with -DSPCA_PYTHON=ON"] = BUILD / "python/spca_bench/__init__.py"
    for what, path in needed.items():
        if not path.exists():
            print(f"skipped: needs {what}")
            sys.exit(SKIPPED)
    return ENVIRONMENT / "bin/python"


def variables():
    """Environment variables with which that Python finds spca_bench and nothing else of this machine."""
    return {**os.environ, "PYTHONPATH": str(BUILD / "python"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}
