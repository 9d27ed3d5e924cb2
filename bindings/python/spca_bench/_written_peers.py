"""Writes the file of a peer: a program that the harness runs in experiments and benchmarks."""

from __future__ import annotations

import json
import pathlib
import shutil
import sys

from . import _arguments, _functions, _solvers

# The message of a machine without the package.
_NEEDED = "the Python package spca_bench: install its wheel, or set PYTHONPATH"


def write_peer(name: str) -> pathlib.Path:
    """Write the file by which the program runs a registered function: NAME.json beside its source.

    The function is then a solver for ``spca benchmark``, ``spca run`` and every other command that
    takes the file of a peer (docs/PEERS.md). The program imports the source file again in a process
    of its own, with ``__name__`` set to "spca_bench._peers". The name decides which function runs.

    Parameters
    ----------
    name : str
        A function that `solver` registered. Importing its source file must register it again.

    Returns
    -------
    pathlib.Path
        The file that was written.

    Raises
    ------
    ValueError
        If there is no such function, or if it has no source file: one of a notebook has none.
    """
    function = _solvers.registered.get(name)
    if function is None:
        raise _arguments.refuse("name", name, "a function that `solver` registered")
    source = pathlib.Path(function.__code__.co_filename).resolve()
    if not source.is_file():
        raise ValueError(f"name: {name} has no source file; accepted: a function of a file NAME.py")
    entry = _functions.describe(name)
    options = {}
    for option in entry["options"]:
        options[option["name"]] = {"default": option["default"], "help": "an option of the function"}
    # Where this interpreter is the one on the PATH, the file serves on another machine, too.
    python = "python3" if shutil.which("python3") == sys.executable else sys.executable
    peer = {
        "summary": entry["summary"],
        "source": entry["source"],
        "problem": entry["problem"],
        "rule": "cardinality",
        "matrix": "covariance",
        "multiple_components": entry["multiple_components"],
        "seeded": entry["seeded"],
        "command": [python, "-B", "-m", "spca_bench._peers", "{here}/" + source.name, name, "{problem}"],
        "files": [source.name],
        "needs": [{"command": [python, "-c", "import spca_bench"], "message": _NEEDED}],
        "options": options,
    }
    path = source.with_name(f"{name}.json")
    path.write_text(json.dumps({key: value for key, value in peer.items() if value != ""}, indent=1) + "\n")
    return path
