"""Runs of experiments as data frames."""

from __future__ import annotations

import os
import re
from typing import Any

from . import _core

# Members of a record that are dicts of numbers; each number gets a column.
_GROUPS = ("metrics", "timing", "facts")


def read_run(run: str | os.PathLike[str]) -> Any:
    """Read the records of a run.

    Parameters
    ----------
    run : path or str
        The folder of a run, or the name of an experiment: its newest run below results/runs.

    Returns
    -------
    pandas.DataFrame
        One row per cell, in the order of the run. Metrics and times are columns of their own
        (``explained_variance``, ``solve_seconds``); a metric with one number per component holds a
        list. ``cardinality`` is a number if all components have the same, otherwise a tuple.
        results/README.md describes each member.

    Raises
    ------
    ValueError
        If there is no run, or a line is damaged.
    """
    import pandas as pd

    return pd.DataFrame([_flat(record) for record in _read(_core.records, run)])


def read_verdicts(run: str | os.PathLike[str], kind: str = "numbers") -> Any:
    """Judge a run: compare published numbers with ours, or check claims.

    Parameters
    ----------
    run : path or str
        As in `read_run`.
    kind : {"numbers", "claims"}, default="numbers"

    Returns
    -------
    pandas.DataFrame
        One row for each published number, with ``published``, ``ours``, ``tolerance``, ``verdict``
        and ``reason``; or one row per claim, as in ``spca reproduce --json``. The member
        ``attrs["verdicts"]`` has the totals.
    """
    import pandas as pd

    members = {"numbers": "comparisons", "claims": "claims"}
    if kind not in members:
        raise ValueError(f"kind: found {kind!r}; accepted: 'numbers', 'claims'")
    verdicts = _read(_core.verdicts, run)
    frame = pd.DataFrame(verdicts[members[kind]])
    frame.attrs["verdicts"] = verdicts["verdicts"]
    return frame


def _read(read: Any, run: str | os.PathLike[str]) -> Any:
    try:
        return read(os.fspath(run))
    except ValueError as error:
        # The program's message calls the argument RUN.
        raise ValueError(re.sub("^RUN: ", "run: ", str(error))) from None


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    row = {name: value for name, value in record.items() if name not in _GROUPS}
    # Data frames can be grouped by a number or a tuple, but not by a list.
    sizes = row.get("cardinality")
    if sizes is not None:
        row["cardinality"] = sizes[0] if len(set(sizes)) == 1 else tuple(sizes)
    for group in _GROUPS:
        for name, value in (record.get(group) or {}).items():
            row[name if name not in row else f"{group}.{name}"] = value
    return row
