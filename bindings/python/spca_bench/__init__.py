"""Sparse principal components: every solver of spca-bench, with certificates.

The results have the members of the ``--json`` output of the program's commands. `SparsePCA` is an
estimator for scikit-learn; only this class needs scikit-learn.

Examples
--------
>>> import spca_bench
>>> answer = spca_bench.solve("pitprops", 5, solver="fullpath")
>>> answer.status, answer.components[0].names
('converged', ['topdiam', 'length', 'ringbut', 'bowdist', 'whorls'])
>>> bool(answer.upper_bound >= answer.explained_variance)
True
"""

from __future__ import annotations

import pathlib as _pathlib
from typing import Any as _Any

from . import _core
from ._answers import Answer, Certificate, Comparison, Component, Path, Suggestion
from ._data import Data, data, load_dataset
from ._functions import (
    certify,
    compare_solvers,
    describe,
    list_datasets,
    list_solvers,
    path,
    solve,
    suggest,
)
from ._pictures import plot_components, plot_scree
from ._runs import read_run, read_verdicts
from ._solvers import forget, solver
from ._written_peers import write_peer

__all__ = [
    "Answer",
    "Certificate",
    "Comparison",
    "Component",
    "Data",
    "Path",
    "SparsePCA",
    "Suggestion",
    "certify",
    "compare_solvers",
    "data",
    "describe",
    "forget",
    "list_datasets",
    "list_solvers",
    "load_dataset",
    "path",
    "plot_components",
    "plot_scree",
    "read_run",
    "read_verdicts",
    "solve",
    "solver",
    "suggest",
    "write_peer",
]

# After installation, experiments and peers lie in share/spca below the same prefix.
for _folder in _pathlib.Path(__file__).resolve().parents:
    if (_folder / "share/spca/peers").is_dir():
        _core.add_installed_folder(str(_folder / "share/spca"))
        break


def __getattr__(name: str) -> _Any:
    if name == "SparsePCA":
        # Imported here, so that the other functions work without scikit-learn.
        from ._estimator import SparsePCA

        return SparsePCA
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
