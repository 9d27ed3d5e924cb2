"""solve, compare_solvers, path, suggest, certify, describe, and lists of solvers and data sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from . import _arguments, _core
from ._answers import Answer, Certificate, Comparison, Component, Path, Suggestion, answer_from
from ._data import Data, data
from ._places import check_width, placed
from ._warning import warn


def solve(
    x: Any,
    cardinality: Any = None,
    *,
    solver: str = "search",
    components: int | None = None,
    options: Any = None,
    deflation: str | None = None,
    seed: int = 1,
    threads: int = 1,
    time_limit: float | None = None,
    covariance: bool = False,
    center: bool = True,
    scale: str = "n",
    names: Any = None,
    missing: str = "error",
    cell_seed: int | None = None,
    bound: bool = True,
) -> Answer:
    """Find sparse components, as ``spca solve`` does. Equal seeds give bit-identical answers.

    Parameters
    ----------
    x : array, data frame, sparse matrix, Data or str
        As in `data`: n x p with samples as rows; or S itself if `covariance`; or the name of a data
        set; or, as a `pathlib.Path`, a file.
    cardinality : int or sequence of int, optional
        Number of nonzeros: one number for all components, or one for each. A penalty solver is
        tuned to it; without it, the penalty in `options` is used.
    solver : str, default="search"
        One of `list_solvers`, ``"peers/NAME"``, or the name of a function registered with
        `spca_bench.solver`.
    components : int, optional
        Number of components. By default the number of cardinalities.
    options : dict, optional
        Options of the solver; see `describe`.
    deflation : str, optional
        Deflation between the components of a one-component solver; by default
        ``"remove-support"``, which makes them disjoint. ``spca list deflations`` lists the others.
    seed : int, default=1
        Seed of every random number.
    threads : int, default=1
        Number of threads that the solver may use. The answer does not depend on it.
    time_limit : float, optional
        Time limit in seconds. A solver stops at its next iteration; it is not killed.
    covariance, center, scale, names, missing
        As in `data`.
    cell_seed : int, optional
        The ``seed`` of a run's record: the answer is then that of the record's cell.
    bound : bool, default=True
        Whether the optimum is bounded, which may take longer than the solve. Without it
        ``upper_bound`` and ``gap`` are nan.

    Returns
    -------
    Answer
        If the solver failed, ``has_answer`` is false, and ``status`` and ``message`` say why.

    Raises
    ------
    ValueError
        If an argument is wrong. The message names it and says what is accepted.
    KeyboardInterrupt
        Within a second of Ctrl-C, if the solver checks its budget once a second.

    Examples
    --------
    >>> import spca_bench
    >>> answer = spca_bench.solve("pitprops", [7, 2], deflation="projection")
    >>> [len(component) for component in answer.components]
    [7, 2]
    >>> round(answer.explained_variance, 4)
    5.8782
    """
    solver = _arguments.word("solver", solver, "the name of a solver; see list_solvers()")
    if deflation is not None:
        deflation = _arguments.word("deflation", deflation, "the name of a deflation")
    chosen = (
        _arguments.options(options),
        _arguments.cardinality(cardinality),
        _arguments.optional_whole("components", components),
        deflation or "",
        _arguments.seed(seed),
        None if cell_seed is None else _arguments.seed(cell_seed, "cell_seed"),
        _arguments.threads(threads),
        _arguments.seconds(time_limit),
        _arguments.flag("bound", bound),
    )
    read = data(
        x,
        covariance=covariance,
        center=center,
        scale=scale,
        names=names,
        missing=missing,
        copy=False,
    )
    answer = answer_from(_core.solve(read, solver, *chosen))
    if answer.has_answer and answer.message and (
        answer.status == "incomplete" or any(len(one) == 0 for one in answer.components)
    ):
        warn(f"{solver}: {answer.status}: {answer.message}")
    return answer


def compare_solvers(
    x: Any,
    cardinality: Any,
    *,
    solvers: Iterable[str] | None = None,
    components: int | None = None,
    deflation: str | None = None,
    seed: int = 1,
    time_limit: float | None = 10.0,
    covariance: bool = False,
    center: bool = True,
    scale: str = "n",
    names: Any = None,
    missing: str = "error",
) -> Comparison:
    """Solve one problem by several solvers in this process, and compare value, bound, gap and time.

    ``spca compare-solvers`` instead runs each solver in a process of its own, so that it measures
    each time separately and survives the crash of a solver.

    Parameters
    ----------
    x, covariance, center, scale, names, missing
        As in `data`.
    cardinality : int or sequence of int
        Number of nonzeros: one number for all components, or one for each.
    solvers : iterable of str, optional
        By default those of ``spca compare-solvers``: seven for one component, six for several.
    components : int, optional
        Number of components. By default the number of cardinalities.
    deflation : str, optional
        Deflation between the components of solvers that find one component at a time.
    seed : int, default=1
    time_limit : float, optional
        Time limit of each solver in seconds.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import spca_bench
    >>> solvers = ["threshold", "branch-bound"]
    >>> comparison = spca_bench.compare_solvers("pitprops", 3, solvers=solvers)
    >>> [answer.solver for answer in comparison.answers]
    ['branch-bound', 'threshold']
    >>> [round(comparison.gap(answer), 3) for answer in comparison.answers]
    [0.0, 0.059]
    """
    read = data(
        x,
        covariance=covariance,
        center=center,
        scale=scale,
        names=names,
        missing=missing,
        copy=False,
    )
    sizes = _arguments.cardinality(cardinality)
    if not sizes:
        accepted = "a whole number >= 1, or one for each component; `suggest` helps to choose"
        raise _arguments.refuse("cardinality", cardinality, accepted)
    count = _arguments.optional_whole("components", components) or len(sizes)
    if solvers is None:
        solvers = _core.compared_solvers(count)
    chosen = [solvers] if isinstance(solvers, str) else list(solvers)
    if not chosen:
        raise _arguments.refuse("solvers", chosen, "names of solvers; see list_solvers()")
    answers = []
    for name in chosen:
        is_one_by_one = not _core.describe("solver", name, "solvers")["multiple_components"]
        answers.append(
            solve(
                read,
                sizes,
                solver=name,
                components=count,
                deflation=deflation if is_one_by_one else None,
                seed=seed,
                time_limit=time_limit,
            )
        )
    # Values that differ in their last digits alone stay in the order of `solvers`.
    answers.sort(key=lambda one: -float(f"{one.value:.9g}") if one.has_answer else np.inf)
    bounds = [one.upper_bound for one in answers if count == 1 and np.isfinite(one.upper_bound)]
    return Comparison(answers, min(bounds, default=float("nan")))


def path(
    x: Any,
    cardinalities: Iterable[int] | None = None,
    *,
    solver: str | Iterable[str] = "search",
    options: Any = None,
    resamples: int = 20,
    folds: int = 5,
    seed: int = 1,
    time_limit: float | None = None,
    covariance: bool = False,
    center: bool = True,
    scale: str = "n",
    names: Any = None,
    missing: str = "error",
) -> Path:
    """Find one component at every cardinality, as ``spca path`` does, to choose k.

    Parameters
    ----------
    x, covariance, center, scale, names, missing
        As in `data`.
    cardinalities : iterable of int, optional
        Ascending, such as ``range(1, 14)``; by default some numbers up to 100.
    solver : str or iterable of str, default="search"
        ``"tpower"`` takes the place of ``"search"`` on resamples and folds, because it is faster.
    options : dict, optional
        Options of every solver.
    resamples : int, default=20
        Random halves of the samples for the stability of the support; 0: none.
    folds : int, default=5
        Number of folds of the cross-validation; 0: none.
    seed : int, default=1
    time_limit : float, optional
        Time limit of each solve in seconds.

    Returns
    -------
    Path

    Examples
    --------
    >>> import spca_bench
    >>> spca_bench.path("pitprops", range(1, 14), solver="fullpath").suggestion()["knee"]
    6
    """
    sizes = _arguments.cardinality(cardinalities, "cardinalities")
    solvers = [solver] if isinstance(solver, str) else list(solver)
    if not solvers:
        raise _arguments.refuse("solver", solver, "at least one name")
    counts = {}
    for name, value in (("resamples", resamples), ("folds", folds)):
        counts[name] = _arguments.whole(name, value, 0, "0 or a whole number >= 2")
        if counts[name] == 1:
            raise _arguments.refuse(name, value, "0 or a whole number >= 2")
    read = data(
        x,
        covariance=covariance,
        center=center,
        scale=scale,
        names=names,
        missing=missing,
        copy=False,
    )
    too_large = [k for k in sizes if k > read.p]
    if too_large or sizes != sorted(set(sizes)):
        raise _arguments.refuse(
            "cardinalities", sizes, f"ascending whole numbers from 1 to p = {read.p}"
        )
    raw = _core.path(
        read,
        [_arguments.word("solver", one, "names of solvers") for one in solvers],
        _arguments.options(options),
        sizes,
        counts["resamples"],
        counts["folds"],
        _arguments.seed(seed),
        _arguments.seconds(time_limit),
    )
    return Path(**raw, _raw=raw)


def suggest(
    x: Any,
    *,
    most: int = 10,
    cardinalities: Iterable[int] | None = None,
    permutations: int | None = None,
    folds: int = 5,
    deflation: str | None = None,
    seed: int = 1,
    time_limit: float | None = None,
    center: bool = True,
    scale: str = "n",
    names: Any = None,
    missing: str = "error",
) -> Suggestion:
    """Suggest the number of components and the nonzeros of each, like ``spca path --components``.

    The number of components is the lesser of two numbers: how many leading eigenvalues exceed the
    95 % quantile for data with permuted columns (Horn 1965), and how many components have the least
    error on entries left out (Bro et al. 2008). The number of nonzeros of each component is the
    smallest whose error on samples left out is within one standard error of the least. If that is
    more than half of the variables, the correlation of scores decides instead.
    docs/WHICH_CARDINALITY.md has the rules.

    Parameters
    ----------
    x, center, scale, names, missing
        As in `data`. S alone has no samples.
    most : int, default=10
        The largest number of components that is considered.
    cardinalities : iterable of int, optional
        Ascending; by default some numbers up to 100.
    permutations : int, optional
        0 (no parallel analysis), or at least 19. By default 99, or 19 if x has more than 100,000
        entries.
    folds : int, default=5
    deflation : str, optional
        Deflation between the components; by default ``"remove-support"``.
    seed : int, default=1
    time_limit : float, optional
        Time limit of each solve in seconds.

    Returns
    -------
    Suggestion

    Examples
    --------
    >>> import spca_bench
    >>> found = spca_bench.suggest("wine", permutations=19)
    >>> found.components == len(found.cardinality)
    True
    """
    sizes = _arguments.cardinality(cardinalities, "cardinalities")
    limit = _arguments.whole("most", most, 1)
    parts = _arguments.whole("folds", folds, 2)
    draws = None
    if permutations is not None:
        accepted = "None, 0 or a whole number >= 19"
        draws = _arguments.whole("permutations", permutations, 0, accepted)
        if 0 < draws < 19:
            raise _arguments.refuse("permutations", permutations, accepted)
    if deflation is not None:
        deflation = _arguments.word("deflation", deflation, "the name of a deflation")
    chosen_seed, seconds = _arguments.seed(seed), _arguments.seconds(time_limit)
    read = data(x, center=center, scale=scale, names=names, missing=missing, copy=False)
    if any(k > read.p for k in sizes) or sizes != sorted(set(sizes)):
        raise _arguments.refuse(
            "cardinalities", sizes, f"ascending whole numbers from 1 to p = {read.p}"
        )
    raw = _core.suggest(read, limit, draws, parts, sizes, deflation or "", chosen_seed, seconds)
    return Suggestion(**raw, _raw=raw)


def certify(
    x: Any,
    components: Any,
    *,
    cardinality: Any = None,
    time_limit: float | None = 10.0,
    seed: int = 1,
    threads: int = 1,
    covariance: bool = False,
    center: bool = True,
    scale: str = "n",
    missing: str = "error",
) -> Certificate:
    """Bound the variance of all loadings with these cardinalities; compare `components` with it.

    The bound comes from ``branch-bound`` for one component, from ``branch-price`` for disjoint
    components, from the metric ``upper_bound_orthogonal`` for orthogonal ones, and in every case
    also from eigenvalues, variances and rows of S. A search that runs out of time returns its bound
    so far. A bound is recomputed from S; but if ``branch-bound`` ends by itself, the value of its
    answer, computed from S, counts as the bound.

    Parameters
    ----------
    x, covariance, center, scale, missing
        As in `data`.
    components : Answer, list of Component, or array
        Loadings from any source. Those of an Answer or of Components are matched with the columns
        of `x` by name if both have names, otherwise by place. An Answer must be complete. An array
        has one row per component (``SparsePCA.components_``), or p entries. Rows are scaled to unit
        length.
    cardinality : int or sequence of int, optional
        The cardinalities for which the bound must hold. By default those that were requested, if
        `components` is an Answer, otherwise the number of nonzeros of each component;
        ``cardinality_source`` says which.
    time_limit : float, optional
        Time limit of the search in seconds.
    seed, threads : int

    Returns
    -------
    Certificate

    Raises
    ------
    ArithmeticError
        If a value is above a bound: one of the two is wrong, and the message names both.

    Examples
    --------
    >>> import spca_bench
    >>> answer = spca_bench.solve("pitprops", 3, solver="threshold")
    >>> certificate = spca_bench.certify("pitprops", answer)
    >>> certificate.is_optimal, round(certificate.value, 5), round(certificate.upper_bound, 5)
    (False, 2.32937, 2.47533)
    """
    limit = _arguments.seconds(time_limit)
    chosen_seed = _arguments.seed(seed)
    chosen_threads = _arguments.threads(threads)
    read = data(
        x, covariance=covariance, center=center, scale=scale, missing=missing, copy=False
    )
    loadings = _loadings(components, read)
    held_to = _held_to(components, cardinality)
    raw = _core.certify(read, loadings, held_to, chosen_seed, chosen_threads, limit)
    proof = raw.pop("proof")
    return Certificate(**raw, proof=None if proof is None else answer_from(proof))


def _held_to(components: Any, cardinality: Any) -> list[int]:
    """Return the cardinalities for which the bound must hold; empty if none were requested."""
    if cardinality is None and isinstance(components, Answer) and not components.unconstrained:
        return components.cardinality_asked[: len(components.components)]
    return _arguments.cardinality(cardinality)


def _loadings(components: Any, read: Data) -> list[tuple[list[int], list[float]]]:
    p = read.p
    accepted = f"an Answer, Components, or an array with {p} columns"
    if isinstance(components, Answer):
        check_width(p, components)
        found, asked = len(components.components), components.components_asked
        if found < asked:
            raise ValueError(
                f"components: the answer has {found} of {asked} components; "
                "accepted: a complete answer, or its components as a list"
            )
        components = components.components
    is_list = isinstance(components, (list, tuple)) and components
    if is_list and all(isinstance(one, Component) for one in components):
        rows = placed(components, read.names)
    else:
        try:
            found = np.asarray(components)
            if np.iscomplexobj(found):
                raise ValueError("found complex numbers")
            matrix = np.atleast_2d(found.astype(np.float64))
        except (TypeError, ValueError) as error:
            raise ValueError(f"components: {error}; accepted: {accepted}") from error
        if matrix.ndim != 2 or matrix.shape[1] != p or not len(matrix):
            raise ValueError(f"components: found shape {matrix.shape}; accepted: {accepted}")
        rows = [(np.flatnonzero(row), row[np.flatnonzero(row)]) for row in matrix]
    loadings = []
    for indices, values in rows:
        norm = np.linalg.norm(values)
        if not (norm > 0 and np.isfinite(norm)):
            raise ValueError("components: one is zero or not finite; accepted: " + accepted)
        loadings.append((indices.tolist(), (values / norm).tolist()))
    return loadings


def list_solvers() -> list[dict[str, Any]]:
    """List every solver, including the functions registered in this process.

    Returns
    -------
    list of dict
        With ``name``, ``summary``, ``rule``, ``multiple_components``, ``exact`` and ``source``.

    Examples
    --------
    >>> import spca_bench
    >>> "tpower" in [solver["name"] for solver in spca_bench.list_solvers()]
    True
    """
    return _core.list_of("solvers")


def list_datasets() -> list[dict[str, Any]]:
    """List every data set, with ``name``, ``summary``, ``shape``, ``generated`` and ``source``."""
    return _core.list_of("datasets")


def describe(name: str, kind: str = "solver") -> dict[str, Any]:
    """Describe a solver, data set, metric or experiment, with all its options.

    Parameters
    ----------
    name : str
    kind : {"solver", "dataset", "metric", "experiment"}, default="solver"

    Returns
    -------
    dict
        The output of ``spca describe KIND NAME --json``.

    Examples
    --------
    >>> import spca_bench
    >>> [option["name"] for option in spca_bench.describe("threshold")["options"]]
    ['refit']
    """
    return _core.describe(
        _arguments.word("kind", kind, "solver, dataset, metric, experiment"),
        _arguments.word("name", name, "a name from list_solvers() or list_datasets()"),
        "name",
    )
