"""The results of the functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

# The accuracy to which the program compares gaps (metrics/gap.cpp).
_GAP_ACCURACY = 1e-6


@dataclass(frozen=True, eq=False)
class Component:
    """One sparse unit vector.

    Attributes
    ----------
    indices : ndarray of int
        The variables with nonzero loadings, ascending.
    values : ndarray of float
        Their loadings. The largest is positive.
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
        """The sum of v'Sv over the components (docs/VARIANCE.md: the plain sum)."""
        return float(sum(component.explained_variance for component in self.components))

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
        )


def answer_from(raw: dict[str, Any]) -> Answer:
    """An answer from the members that the core returns."""
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
        The reason if there is none; otherwise empty.
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

    def to_dict(self) -> dict[str, Any]:
        """The same members as ``spca path --json`` prints."""
        return self._raw


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
        The source of the bound: the solver, or ``"spectrum"``.
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
        """True if the value reaches the bound to a millionth: no loadings explain more."""
        return bool(self.gap <= _GAP_ACCURACY)
