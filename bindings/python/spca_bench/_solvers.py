"""Solvers that are written in Python."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

from . import _arguments, _core

_Function = TypeVar("_Function", bound=Callable[..., Any])

# The names that `spca new solver` accepts.
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

# The functions registered in this process, by name. The module _written_peers reads them.
registered: dict[str, Callable[..., Any]] = {}


def solver(
    name: str,
    *,
    summary: str = "",
    problem: str = "",
    source: str = "",
    multiple_components: bool = False,
    disjoint: bool = False,
    orthogonal: bool = False,
    seeded: bool = False,
) -> Callable[[_Function], _Function]:
    """Register a function as a solver, for this process.

    `solve`, `path`, `compare_solvers`, `SparsePCA` and `list_solvers` then treat the function like
    any other solver. `write_peer` makes it a solver of the program, for experiments
    and benchmarks.

    Parameters
    ----------
    name : str
        Lower-case letters and digits, with single dashes between words, that is not a solver of the
        program. A second function of this name replaces the first.
    summary, problem, source : str
        Shown by ``describe``. `summary` is by default the first line of the docstring.
    multiple_components : bool, default=False
        Whether the function finds several components at once. Otherwise the harness deflates.
    disjoint, orthogonal : bool, default=False
        Properties that the function promises for several components. The judge checks them.
    seeded : bool, default=False
        Whether the function draws random numbers, which it must derive from ``S.seed``.

    Returns
    -------
    callable
        A decorator, which returns the function.

    Notes
    -----
    The function is called as ``function(S, k, **options)``. S is the covariance as an operator:
    ``S.multiply(v)`` for a vector or a matrix, ``S.diagonal()``, ``S.columns(indices)``,
    ``S.submatrix(indices)``, ``S.p``, ``S.seed``, and ``S.next(objective)``, which is false once
    the time is over. `k` is the cardinality, or the list of them if `multiple_components`. Further
    parameters with a default are options. The function returns p loadings, or ``(indices,
    values)``, or a list of these if `multiple_components`. Loadings are scaled to unit length.
    Exceptions propagate to the caller of `solve`.

    Examples
    --------
    >>> import numpy as np, spca_bench
    >>> @spca_bench.solver("largest-variances")
    ... def largest_variances(S, k):
    ...     "The k largest variances, and the leading eigenvector there."
    ...     support = np.sort(np.argsort(-S.diagonal(), kind="stable")[:k])
    ...     return support, np.linalg.eigh(S.submatrix(support))[1][:, -1]
    >>> answer = spca_bench.solve("colon500", 10, solver="largest-variances")  # doctest: +SKIP
    >>> spca_bench.describe("largest-variances")["summary"]
    'The k largest variances, and the leading eigenvector there.'
    >>> spca_bench.forget("largest-variances")
    """

    def register(function: _Function) -> _Function:
        if not callable(function):
            raise _arguments.refuse("function", function, "a function of S and k")
        accepted = (
            "lower-case letters and digits, beginning with a letter, with single dashes between words"
        )
        if not _NAME.fullmatch(_arguments.word("name", name, accepted)):
            raise _arguments.refuse("name", name, accepted)
        lines = (inspect.getdoc(function) or "").splitlines()
        _core.register_solver(
            name,
            function,
            _defaults(function),
            summary or (lines[0] if lines else f"the function {function.__qualname__}"),
            problem,
            source or "Python",
            bool(multiple_components),
            bool(disjoint),
            bool(orthogonal),
            bool(seeded),
        )
        registered[name] = function
        return function

    return register


def forget(name: str) -> None:
    """Remove a solver that `solver` registered."""
    _core.remove_solver(_arguments.word("name", name, "a solver that is registered"))
    registered.pop(name, None)


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = list(inspect.signature(function).parameters.values())
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    options = {}
    for parameter in parameters[2:]:
        if parameter.kind not in named or parameter.default is inspect.Parameter.empty:
            raise ValueError(
                f"function: parameter {parameter.name} has no default; "
                "accepted: function(S, k, option=default, ...)"
            )
        options[parameter.name] = parameter.default
    if len(parameters) < 2:
        raise ValueError("function: accepted: function(S, k, option=default, ...)")
    return options
