"""The results of the functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _html, _pictures

# The accuracy to which the program compares gaps (metrics/gap.cpp).
_GAP_ACCURACY = 1e-6
# The largest gap between one value and the same value, computed in another order.
_ROUNDING = 1e-12
# Orthonormal loadings (kOrthogonalTolerance of spca/solving/feasibility.h).
_ORTHOGONAL = 1e-12
# The members of a point of a path (harness/answers/path_json.cpp).
_POINT = (
    "cardinality",
    "status",
    "message",
    "nonzeros",
    "cardinality_missed",
    "truncated",
    "value",
    "ratio",
    "variance_share",
    "gap",
    "stability",
    "reconstruction_error",
    "reconstruction_standard_error",
    "score_correlation",
    "score_correlation_standard_error",
    "repeat_correlation",
    "repeat_correlation_standard_error",
    "indices",
    "values",
    "names",
    "solve_seconds",
)


@dataclass(frozen=True, eq=False)
class Component:
    """One sparse unit vector.

    Attributes
    ----------
    indices : ndarray of int
        The variables with nonzero loadings, ascending.
    values : ndarray of float
        Their loadings. The loading of largest magnitude is positive.
    names : list of str
        Their names; empty if the data have none.
    explained_variance : float
        v'Sv.
    """

    indices: np.ndarray
    values: np.ndarray
    names: list[str]
    explained_variance: float

    def dense(self, p: int) -> np.ndarray:
        """All `p` loadings."""
        loadings = np.zeros(p)
        loadings[self.indices] = self.values
        return loadings

    def __len__(self) -> int:
        return len(self.indices)


@dataclass(frozen=True, eq=False)
class Answer:
    """The judged answer of a solver: the members of ``spca solve --json``.

    Numbers that were not measured are ``nan``; members that do not exist are None.

    Attributes
    ----------
    solver : str
    options : dict
        As used, with the tuned penalty if one was tuned.
    status : str
        ``"converged"``, ``"iteration_limit"``, ``"incomplete"`` (fewer components than requested:
        `message` says why), ``"time_limit"`` (perhaps fewer), ``"numerical_failure"``,
        ``"skipped"``, ``"failed"`` or ``"invalid"``.
    message : str
    n : int or None
        None if S itself was given.
    p : int
    components : list of Component
    metrics : dict
        See ``spca_bench.describe(name, "metric")``.
    upper_bound : float
        No feasible answer explains more.
    gap : float
        (upper_bound - value) / upper_bound, with the projected variance as value.
    reading_seconds, solve_seconds, check_seconds : float
    phases : dict
    seed : int
    tuned, cardinality_missed, truncated, unconstrained : bool
    facts : dict
    components_asked : int
        The number requested: more than `components` if the time ran out.
    cardinality_asked : list of int
        For each requested component; empty if a penalty decides. `certify` bounds answers with
        these cardinalities, which may exceed the nonzeros found.
    deflation : str or None
    instance : dict or None
        How the answer compares with the best known one, if the library has this instance
        (docs/BENCHMARK.md): ``id``, ``class``, ``value``, ``best``, ``bound``, ``proved`` and
        ``standing``, which is ``"better"``, ``"reached"`` or ``"worse"``.
    notes : list of str
        What a reader of the answer should know: that k is more than half of p, or that each
        component is one variable.
    """

    solver: str
    options: dict[str, Any]
    status: str
    message: str
    n: int | None
    p: int
    components: list[Component]
    metrics: dict[str, Any]
    upper_bound: float
    gap: float
    reading_seconds: float
    solve_seconds: float
    check_seconds: float
    phases: dict[str, float]
    seed: int
    tuned: bool
    cardinality_missed: bool
    truncated: bool
    unconstrained: bool
    facts: dict[str, Any]
    components_asked: int
    cardinality_asked: list[int]
    deflation: str | None
    instance: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    _raw: dict[str, Any] = field(repr=False, default_factory=dict)

    @property
    def has_answer(self) -> bool:
        """True if there are usable components."""
        return bool(self.metrics)

    @property
    def loadings(self) -> np.ndarray:
        """p x r, one column per component."""
        if not self.components:
            return np.zeros((self.p, 0))
        return np.column_stack([component.dense(self.p) for component in self.components])

    @property
    def supports(self) -> list[np.ndarray]:
        """The variables of each component."""
        return [component.indices for component in self.components]

    @property
    def explained_variance(self) -> float:
        """The sum of v'Sv over the components (docs/VARIANCE.md: the plain sum); nan without an answer."""
        if not self.has_answer:
            return float("nan")
        return float(sum(component.explained_variance for component in self.components))

    @property
    def value(self) -> float:
        """The projected variance, which `upper_bound` bounds; nan without an answer."""
        return float(self.metrics.get("projected_variance", np.nan))

    def to_frame(self) -> Any:
        """The loadings by name, as a pandas data frame.

        One row for each variable with a nonzero loading, in the order of the data; one column for
        each component, ``PC1`` first. Variables without names are their indices.
        """
        import pandas as pd

        names = {
            int(index): component.names[i] if component.names else int(index)
            for component in self.components
            for i, index in enumerate(component.indices)
        }
        used = sorted(names)
        columns = [f"PC{j + 1}" for j in range(len(self.components))]
        index = pd.Index([names[i] for i in used], name="variable")
        return pd.DataFrame(self.loadings[used], index=index, columns=columns)

    def plot(self, ax: Any = None, *, components: Any = None, most: int = 30) -> Any:
        """Draw the loadings by name, the largest of each component first.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default a new figure has one, with room for all names.
        components : int or sequence of int, optional
            The components, counted from zero; by default all.
        most : int, default=30
            At most this number of variables of each component.

        Returns
        -------
        matplotlib axes
        """
        return _pictures.plot_loadings(self, ax, components, most)

    def _repr_html_(self) -> str:
        return _html.answer_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The members that ``spca solve --json`` prints, without those of the data."""
        return self._raw

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(component)) for component in self.components)
        message = f", {self.message}" if self.message else ""
        if not self.has_answer:
            return f"<Answer of {self.solver}: {self.status}{message}>"
        return (
            f"<Answer of {self.solver}: {self.status}{message}; nonzeros {sizes}; "
            f"explained variance {self.explained_variance:.6g}, gap {self.gap:.3g}>"
            + "".join(f"\nnote: {note}" for note in self.notes)
        )


def answer_from(raw: dict[str, Any]) -> Answer:
    """Return an answer made of the members that the core returns."""
    components = [
        Component(
            np.asarray(one["indices"], dtype=np.intp),
            np.asarray(one["values"], dtype=np.float64),
            one["names"],
            one["explained_variance"],
        )
        for one in raw["components"]
    ]
    return Answer(**{**raw, "components": components}, _raw=raw)


@dataclass(frozen=True, eq=False)
class Path:
    """Answers at every cardinality of a range: the members of ``spca path --json``.

    Attributes
    ----------
    n : int or None
    p : int
    lambda_1, trace : float
        The largest variance of one component, and Tr S.
    without_stability, without_cross_validation : str
        The reason why it was not measured; empty if it was.
    bounds : list of dict
        For each cardinality an upper bound, and its source.
    solvers : list of dict
        For each solver its points, and the cardinality that each rule suggests.
    """

    n: int | None
    p: int
    lambda_1: float
    trace: float
    without_stability: str
    without_cross_validation: str
    bounds: list[dict[str, Any]]
    solvers: list[dict[str, Any]]
    _raw: dict[str, Any] = field(repr=False, default_factory=dict)

    def to_frame(self) -> Any:
        """One row for each solver and cardinality, as a pandas data frame."""
        import pandas as pd

        bounds = {bound["cardinality"]: bound["upper_bound"] for bound in self.bounds}
        rows = [
            {
                "solver": solver["solver"],
                **point,
                "upper_bound": bounds.get(point["cardinality"], np.nan),
            }
            for solver in self.solvers
            for point in solver["points"]
        ]
        return pd.DataFrame(rows)

    def suggestion(self, solver: str | None = None) -> dict[str, int | None]:
        """The cardinality that each rule suggests, for one solver (default: the first)."""
        for one in self.solvers:
            if solver is None or one["solver"] == solver:
                return one["suggested"]
        names = ", ".join(one["solver"] for one in self.solvers)
        raise ValueError(f"solver: found {solver!r}; accepted: {names}")

    def plot(self, ax: Any = None, *, show: Any = None) -> Any:
        """Draw the value with its upper bound, the stability and the left-out error against k.

        Parameters
        ----------
        ax : matplotlib axes or sequence of them, optional
            One for each panel. By default a new figure has a panel for each quantity that was
            measured.
        show : str or sequence of str, optional
            ``"value"``, ``"stability"``, ``"error"`` and ``"scores"``; by default those that were
            measured, as many as there are axes.

        Returns
        -------
        matplotlib axes, or an array of them
            The axes of the one panel, or of each.
        """
        return _pictures.plot_path(self, ax, show)

    def _repr_html_(self) -> str:
        return _html.path_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The same members as ``spca path --json`` prints."""
        return self._raw

    def __repr__(self) -> str:
        names = ", ".join(one["solver"] for one in self.solvers)
        sizes = [bound["cardinality"] for bound in self.bounds]
        return f"<Path of {names}: {_html.counted(len(sizes), 'cardinality', 'cardinalities')} from " + (
            f"{sizes[0]} to {sizes[-1]}; p = {self.p}>"
        )


@dataclass(frozen=True, eq=False)
class Suggestion:
    """The suggested number of components and cardinalities, with the numbers behind them.

    Attributes
    ----------
    n, p : int
    components : int
        The suggested number of components. 0: no component stands out from chance.
    cardinality : list of int
        The suggested number of nonzeros of each component.
    rule, why : str
        The rule that chose the number of components, and the same in words.
    parallel_analysis : dict
        ``eigenvalues`` of S beside ``limits``, the 95 % quantile of those of data whose columns
        are permuted, and ``suggested``.
    cross_validation : dict
        ``errors`` on entries left out for 0, 1, 2 ... components, their ``standard_errors``,
        ``suggested`` (the least error) and ``one_standard_error``.
    paths : list of dict
        For each component the members of a `Path`, ``chosen``, its ``rule`` and ``why``.
    """

    n: int
    p: int
    components: int
    rule: str
    why: str
    cardinality: list[int]
    parallel_analysis: dict[str, Any]
    cross_validation: dict[str, Any]
    paths: list[dict[str, Any]]
    _raw: dict[str, Any] = field(repr=False, default_factory=dict)

    def to_frame(self) -> Any:
        """One row for each component and cardinality, as a pandas data frame."""
        import pandas as pd

        rows = [
            {"component": i + 1, **point, "chosen": point["cardinality"] == path["chosen"]}
            for i, path in enumerate(self.paths)
            for point in path["solvers"][0]["points"]
        ]
        return pd.DataFrame(rows, columns=None if rows else ["component", *_POINT, "chosen"])

    def plot(self, ax: Any = None) -> Any:
        """Draw why: eigenvalues beside those of chance, errors on entries and samples left out.

        Parameters
        ----------
        ax : sequence of matplotlib axes, optional
            Three of them; by default those of a new figure.

        Returns
        -------
        array of matplotlib axes
        """
        return _pictures.plot_suggestion(self, ax)

    def _repr_html_(self) -> str:
        return _html.suggestion_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The same members as ``spca path --components --json`` prints."""
        return self._raw

    def __repr__(self) -> str:
        count = _html.counted(self.components, "component", "components")
        sizes = ", ".join(map(str, self.cardinality))
        nonzeros = f", nonzeros {sizes}" if sizes else ""
        return f"<Suggestion: {count}{nonzeros}; n = {self.n}, p = {self.p}>"


@dataclass(frozen=True, eq=False)
class Certificate:
    """The variance that given loadings explain, and an upper bound on it.

    Attributes
    ----------
    value : float
        The projected variance of the loadings; v'Sv for one component.
    upper_bound : float
        No loadings of the same cardinalities explain more.
    gap : float
        (upper_bound - value) / upper_bound.
    problem : str
        ``"one component"``, ``"disjoint supports"``, ``"orthogonal loadings"`` or
        ``"any loadings"``: the answers for which the bound holds.
    cardinality : list of int
        The cardinalities for which the bound holds.
    cardinality_source : str
        ``"asked"``, or ``"nonzeros"`` if no cardinality was given and the nonzeros found count.
    source : str
        The source of the bound: a solver, a metric, or ``"spectrum"``.
    metrics : dict
    proof : Answer or None
        The search for the bound. Its components may explain more than the given ones.
    """

    value: float
    upper_bound: float
    gap: float
    problem: str
    cardinality: list[int]
    cardinality_source: str
    source: str
    metrics: dict[str, Any]
    proof: Answer | None

    @property
    def is_optimal(self) -> bool:
        """True if `gap` is at most 1e-6: no loadings explain more than a millionth of the bound more."""
        return bool(self.gap <= _GAP_ACCURACY)

    def _repr_html_(self) -> str:
        return _html.certificate_html(self)


def _speciality(answer: Answer) -> int:
    """Return 0 for any loadings, 1 for orthonormal ones, 2 for disjoint supports, 3 for one."""
    components = answer.components
    if len(components) == 1:
        return 3
    indices = np.concatenate([one.indices for one in components])
    used, rows = np.unique(indices, return_inverse=True)
    if len(used) == len(indices):
        return 2
    loadings = np.zeros((len(used), len(components)))
    columns = np.repeat(np.arange(len(components)), [len(one) for one in components])
    loadings[rows, columns] = np.concatenate([one.values for one in components])
    apart = np.abs(loadings.T @ loadings - np.eye(len(components)))
    return 1 if apart.max() <= _ORTHOGONAL else 0


@dataclass(frozen=True, eq=False)
class Comparison:
    """Answers of several solvers to one problem, the best first.

    Attributes
    ----------
    answers : list of Answer
        Those without components are last.
    upper_bound : float
        The least bound of all solvers, for one component. nan for several, because solvers may then
        answer different problems: disjoint components, or any.
    """

    answers: list[Answer]
    upper_bound: float

    @property
    def best(self) -> Answer:
        """The answer with the largest value."""
        return self.answers[0]

    def bound(self, answer: Answer) -> float:
        """The least bound of any solver that holds for an answer of this kind; nan without one.

        A bound on answers of a kind holds for those of a special kind, too: orthogonal loadings are
        a kind of any loadings, and disjoint supports are a kind of orthogonal loadings.
        """
        of = _speciality(answer)
        bounds = [
            other.upper_bound
            for other in self.answers
            if other is answer
            or (other.has_answer and not answer.unconstrained and _speciality(other) <= of)
        ]
        return min((bound for bound in bounds if np.isfinite(bound)), default=float("nan"))

    def gap(self, answer: Answer) -> float:
        """The gap of an answer to `bound`."""
        if not answer.has_answer:
            return answer.gap
        bound = self.bound(answer)
        gap = (bound - answer.value) / bound
        return 0.0 if gap <= _ROUNDING else float(gap)

    def to_frame(self) -> Any:
        """One row for each solver, as a pandas data frame."""
        import pandas as pd

        rows = [
            {
                "solver": answer.solver,
                "status": answer.status,
                "value": answer.value,
                "upper_bound": answer.upper_bound,
                "gap": self.gap(answer),
                "nonzeros": [len(one) for one in answer.components],
                "seconds": answer.solve_seconds,
            }
            for answer in self.answers
        ]
        return pd.DataFrame(rows)

    def plot(self, ax: Any = None) -> Any:
        """Draw the value of each solver, with the upper bound.

        Parameters
        ----------
        ax : matplotlib axes, optional
            By default a new figure has one.

        Returns
        -------
        matplotlib axes
        """
        return _pictures.plot_comparison(self, ax)

    def __repr__(self) -> str:
        lines = [
            f"  {answer.value:.6g}  {answer.solver}  gap {self.gap(answer):.3g}"
            for answer in self.answers
        ]
        return "<Comparison, the best first:\n" + "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        return _html.comparison_html(self)
