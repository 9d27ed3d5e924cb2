"""The places of an answer's variables among the columns of data: by name if both have names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def check_width(p: int, answer: Any) -> None:
    """Refuse data that have another number of variables than the answer."""
    if p != answer.p:
        raise ValueError(f"x: found {p} variables; accepted: the {answer.p} of the answer")


def placed(components: Sequence[Any], names: list[str]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the places and the values of each component for data whose columns have these names."""
    return [_placed(component, names) for component in components]


def placed_loadings(answer: Any, names: list[str]) -> np.ndarray:
    """Return the p x r loadings of an answer for data whose columns have these names."""
    loadings = np.zeros((answer.p, len(answer.components)))
    for j, (places, values) in enumerate(placed(answer.components, names)):
        loadings[places, j] = values
    return loadings


def _placed(component: Any, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    own = component.names
    if not names or not own:
        return component.indices, component.values
    if own == [names[index] for index in component.indices if index < len(names)]:
        return component.indices, component.values
    for name in own:
        count = names.count(name)
        if count != 1:
            found = "no column is" if count == 0 else f"{count} columns are"
            raise ValueError(f"x: {found} called {name!r}; accepted: the columns of the answer")
    places = np.array([names.index(name) for name in own], dtype=np.intp)
    order = np.argsort(places)
    return places[order], component.values[order]
