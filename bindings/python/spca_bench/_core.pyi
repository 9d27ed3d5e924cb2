from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Loadings = list[tuple[list[int], list[float]]]

class Data:
    @staticmethod
    def dense(
        x: NDArray[Any],
        centered: bool,
        scale: str,
        standardized: bool,
        names: Sequence[str],
        what: str,
        /,
    ) -> Data: ...
    @staticmethod
    def sparse(
        values: NDArray[np.float64],
        indices: NDArray[Any],
        starts: NDArray[Any],
        n: int,
        p: int,
        by_columns: bool,
        centered: bool,
        scale: str,
        standardized: bool,
        copy: bool,
        names: Sequence[str],
        what: str,
        /,
    ) -> Data: ...
    @staticmethod
    def covariance(s: NDArray[Any], names: Sequence[str], what: str, /) -> Data: ...
    @staticmethod
    def named(name: str, options: dict[str, Any], seed: int, data_folder: str, /) -> Data: ...
    @property
    def n(self) -> int: ...
    @property
    def p(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def labels(self) -> list[int]: ...
    @property
    def reading_seconds(self) -> float: ...
    @property
    def total_variance(self) -> float: ...
    @property
    def diagonal(self) -> NDArray[np.float64]: ...
    @property
    def truth(self) -> _Loadings: ...
    def samples(self) -> NDArray[np.float64]: ...

class Operator:
    @property
    def p(self) -> int: ...
    @property
    def seed(self) -> int: ...
    def multiply(self, v: NDArray[Any]) -> NDArray[np.float64]: ...
    def diagonal(self) -> NDArray[np.float64]: ...
    def columns(self, indices: Sequence[int]) -> NDArray[np.float64]: ...
    def submatrix(self, indices: Sequence[int]) -> NDArray[np.float64]: ...
    def next(self, objective: float = ...) -> bool: ...

def solve(
    data: Data,
    solver: str,
    options: dict[str, Any],
    cardinality: list[int],
    components: int | None,
    deflation: str,
    seed: int,
    cell_seed: int | None,
    threads: int,
    seconds: float,
    bound: bool,
    /,
) -> dict[str, Any]: ...
def path(
    data: Data,
    solvers: list[str],
    options: dict[str, Any],
    cardinalities: list[int],
    resamples: int,
    folds: int,
    seed: int,
    seconds: float,
    /,
) -> dict[str, Any]: ...
def suggest(
    data: Data,
    most: int,
    permutations: int | None,
    folds: int,
    cardinalities: list[int],
    deflation: str,
    seed: int,
    seconds: float,
    /,
) -> dict[str, Any]: ...
def certify(
    data: Data,
    loadings: _Loadings,
    cardinality: list[int],
    seed: int,
    threads: int,
    seconds: float,
    /,
) -> dict[str, Any]: ...
def without_missing(
    x: NDArray[Any], missing: str, names: Sequence[str], what: str, /
) -> tuple[NDArray[np.float64], list[str], list[str]]: ...
def projected_variances(data: Data, loadings: _Loadings, /) -> list[float]: ...
def list_of(what: str, /) -> list[dict[str, Any]]: ...
def describe(kind: str, name: str, where: str, /) -> dict[str, Any]: ...
def compared_solvers(components: int, /) -> list[str]: ...
def default_cardinality(wanted: int, p: int, components: int, /) -> int: ...
def records(run: str, /) -> list[dict[str, Any]]: ...
def verdicts(run: str, /) -> dict[str, Any]: ...
def register_solver(
    name: str,
    function: Callable[..., Any],
    options: dict[str, Any],
    summary: str,
    problem: str,
    source: str,
    joint: bool,
    disjoint: bool,
    orthogonal: bool,
    seeded: bool,
    /,
) -> None: ...
def remove_solver(name: str, /) -> None: ...
def add_installed_folder(folder: str, /) -> None: ...
