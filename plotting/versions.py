"""Prints the versions of Python and of the modules that plotting/ imports, as JSON; null if it is missing. For `spca env`."""

import importlib
import json
import platform
import sys


def version(module):
    try:
        return importlib.import_module(module).__version__
    except ImportError:
        return None


json.dump(
    {"python": platform.python_version(), "interpreter": sys.executable}
    | {module: version(module) for module in ("matplotlib", "numpy", "jinja2")},
    sys.stdout,
)
