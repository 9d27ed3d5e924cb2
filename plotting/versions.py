"""Prints the version and path of Python, and the versions of the modules that plotting/ imports.

The output is JSON, for `spca env`. The version of a missing module is null.
"""

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
