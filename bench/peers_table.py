#!/usr/bin/env python3
"""Prints a table of docs/PEERS.md, other people's programs beside our solvers, from a baseline with times:

    spca run peers/pypi --no-cache -o RUN
    spca baseline RUN -o results/peers/pypi.json
    bench/peers_table.py results/peers/pypi.json

A test holds the page against it.
"""

import json
import pathlib
import sys

TITLES = {
    "communities": "communities, 101",
    "colon": "colon, 62 x 2000",
    "kos": "kos, 3430 x 6906",
    "generated": "noise, 5000 x 5000",
    "three": "communities, r = 3",
}
VALUES = ("explained_variance", "projected_variance")


def value(cell):
    """Returns the variance of the cell's answer; None without an answer."""
    return next((cell["metrics"][name][0] for name in VALUES if name in cell["metrics"]), None)


def entry(cell, best):
    """Returns value over the best, processor time and memory. A cell that was cut has its message, and its answer, if any."""
    if cell is None:
        return ""
    if value(cell) is None:
        return cell["messages"][0].replace("time limit of", "none in")
    seconds, memory = (cell["metrics"][name][0] for name in ("cpu_seconds", "peak_bytes"))
    row = f"{value(cell) / best:.3f}, {seconds:.2g} s, {memory / 1e6:.0f} MB"
    return row if cell["status"][0] == "converged" else f"{row} *"


def rows(baseline):
    grids = [name for name in TITLES if any(cell["grid"] == name for cell in baseline["cells"])]
    cells = {(cell["solver"], cell["grid"]): cell for cell in baseline["cells"]}
    best = {name: max(value(cell) or 0 for cell in cells.values() if cell["grid"] == name) for name in grids}
    yield "| k = 10 | " + " | ".join(TITLES[name] for name in grids) + " |"
    yield "|---" * (1 + len(grids)) + "|"
    for solver, name in dict.fromkeys((cell["solver"], cell["solver_name"]) for cell in baseline["cells"]):
        entries = [entry(cells.get((solver, grid)), best[grid]) for grid in grids]
        yield f"| {solver if name.startswith('peers/') else f'`{solver}`'} | " + " | ".join(entries) + " |"


def main():
    print("\n".join(rows(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))))


if __name__ == "__main__":
    main()
