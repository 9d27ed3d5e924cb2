"""Converts arguments for the core. Each mistake is a ValueError that names the argument."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Any

_LARGEST_SEED = 2**64 - 1
_WHOLE_NUMBERS = "a whole number >= 1, or one for each component"


def refuse(name: str, found: Any, accepted: str) -> ValueError:
    """The error that says what was found and what is accepted."""
    return ValueError(f"{name}: found {found!r}; accepted: {accepted}")


def whole(name: str, value: Any, least: int, accepted: str | None = None) -> int:
    """A whole number of at least `least`."""
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not is_whole or value < least or value > 2**63 - 1:
        raise refuse(name, value, accepted or f"a whole number >= {least}")
    return int(value)


def cardinality(value: Any, name: str = "cardinality") -> list[int]:
    """None, a number, or one for each component."""
    if value is None:
        return []
    if getattr(value, "ndim", None) == 0:
        value = value.item()  # an array of one number
    if isinstance(value, numbers.Number):
        return [whole(name, value, 1, _WHOLE_NUMBERS)]
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise refuse(name, value, _WHOLE_NUMBERS)
    numbers_given = [whole(name, one, 1, _WHOLE_NUMBERS) for one in value]
    if not numbers_given:
        raise refuse(name, value, _WHOLE_NUMBERS)
    return numbers_given


def optional_whole(name: str, value: Any) -> int | None:
    """None or a whole number >= 1."""
    return None if value is None else whole(name, value, 1, "None or a whole number >= 1")


def seed(value: Any, name: str = "seed") -> int:
    """A whole number of 64 bits."""
    accepted = "a whole number from 0 to 2**64 - 1"
    is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not is_whole or not 0 <= value <= _LARGEST_SEED:
        raise refuse(name, value, accepted)
    return int(value)


def seconds(value: Any, name: str = "time_limit") -> float:
    """None (no limit) or a number > 0."""
    if value is None:
        return math.inf
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not value > 0:
        raise refuse(name, value, "None or seconds > 0")
    return float(value)


def threads(value: Any, name: str = "threads") -> int:
    """A whole number >= 1."""
    return min(whole(name, value, 1), 4096)


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise refuse(name, value, "True or False")
    return bool(value)


def word(name: str, value: Any, accepted: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise refuse(name, value, accepted)
    return value


def options(value: Any, name: str = "options") -> dict[str, Any]:
    """None or a mapping of names to values."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise refuse(name, value, "None or a dict of options; see spca_bench.describe(solver)")
    return dict(value)
