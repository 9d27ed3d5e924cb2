#!/usr/bin/env python3
"""Prints the table of scikit-learn's components in docs/PEERS.md beside ours, from a baseline with times:

    spca run peers/python --no-cache -o RUN
    spca baseline RUN -o results/peers/python.json
    bench/peers_table.py

A test holds the page against it.
"""

import json
import pathlib
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[1]
COMMITTED = SOURCES / "results/peers/python.json"
TITLES = {"colon": "colon, 62 x 2000", "kos": "kos, 3430 x 6906", "5000 x 5000": "noise, 5000 x 5000"}
OURS = {"tpower": "`tpower`", "branch-bound": "`branch-bound`"}


def entry(cell, best):
    """Returns value over the best, processor time and memory. A cell that was cut has its message, and its answer, if any."""
    metrics = {name: values[0] for name, values in cell["metrics"].items()}
    if "explained_variance" not in metrics:
        return cell["messages"][0].replace("time limit of", "none in")
    row = f"{metrics['explained_variance'] / best:.3f}, {metrics['cpu_seconds']:.2g} s, {metrics['peak_bytes'] / 1e6:.0f} MB"
    return row if cell["status"][0] == "converged" else f"{row} *"


def rows(baseline):
    datasets = list(dict.fromkeys(cell["dataset"] for cell in baseline["cells"]))
    cells = {(cell["solver"], cell["dataset"]): cell for cell in baseline["cells"]}
    best = {
        name: max(cell["metrics"]["explained_variance"][0] for cell in cells.values() if cell["dataset"] == name and cell["metrics"])
        for name in datasets
    }
    yield "| k = 10 | " + " | ".join(TITLES[name] for name in datasets) + " |"
    yield "|---" * (1 + len(datasets)) + "|"
    for solver in dict.fromkeys(cell["solver"] for cell in baseline["cells"]):
        entries = [entry(cells[solver, name], best[name]) for name in datasets]
        yield f"| {OURS.get(solver, solver)} | " + " | ".join(entries) + " |"


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else COMMITTED
    print("\n".join(rows(json.loads(path.read_text(encoding="utf-8")))))


if __name__ == "__main__":
    main()
