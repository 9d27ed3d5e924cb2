"""The program of a peer that `write_peer` makes: it runs a function of Python for the harness.

The harness starts this module, ``python -m spca_bench._peers FILE NAME PROBLEM``, for each problem.
The package does not import it: Python warns of a module that is imported before it is run."""

from __future__ import annotations

import json
import pathlib
import runpy
import sys

from . import _functions

# The __name__ of the source file as it runs, so that it is not run as a script.
_RUN_NAME = "spca_bench._peers"


def _answer(source: str, name: str, file: str) -> None:
    """Solve the problem in `file`, and write the answer to the file that the problem names."""
    import numpy as np

    with open(file, encoding="utf-8") as stream:
        problem = json.load(stream)
    sys.path.insert(0, str(pathlib.Path(source).parent))
    runpy.run_path(source, run_name=_RUN_NAME)
    answer = _functions.solve(
        np.load(problem["matrix"]["file"]),
        problem["cardinality"],
        solver=name,
        components=problem["components"],
        options=problem["options"],
        seed=problem["seed"],
        threads=problem["threads"],
        covariance=True,
        bound=False,
    )
    if not answer.has_answer:
        sys.exit(f"{name}: {answer.status}: {answer.message}")
    loadings = [{"indices": one.indices.tolist(), "values": one.values.tolist()} for one in answer.components]
    with open(problem["answer"], "w", encoding="utf-8") as stream:
        json.dump({"loadings": loadings}, stream)


if __name__ == "__main__":
    _answer(*sys.argv[1:])
