#!/usr/bin/env python3
"""Prints how near each solver comes to the certified optima of correlation matrices.

usage: bench/correlations.py RUN [RUN_BEFORE]

RUN is the folder of a run of experiments/strength/correlations.json, RUN_BEFORE one of an older
version. A problem is a data set and a cardinality. Its optimum is the upper bound of branch-bound
if that closed its gap. Otherwise the best value of all solvers replaces it, and the problem is
named below the table.
"""

import json
import os
import sys

SAME = 1e-9  # of two values of one support: rounding


def cells(folder):
    with open(os.path.join(folder, "cells.jsonl"), encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if "solver" in record:
                yield record


def problem_of(record):
    return record["dataset"], sum(record["cardinality"])


def value_of(record):
    """Returns None if there is no feasible answer."""
    if record["status"] not in ("converged", "iteration_limit", "time_limit"):
        return None
    value = record["metrics"].get("explained_variance")
    return value[0] if isinstance(value, list) else value


def bests(runs):
    """Returns the best value and least bound of every problem over all runs."""
    best, bound = {}, {}
    for folder in runs:
        for record in cells(folder):
            problem, value = problem_of(record), value_of(record)
            if value is not None:
                best[problem] = max(best.get(problem, 0.0), value)
            upper = record["metrics"].get("upper_bound")
            if record["solver"] == "branch-bound" and upper is not None:
                bound[problem] = min(bound.get(problem, float("inf")), upper)
    return best, bound


def ratios(folder, best):
    """Returns the value over optimum of each solver's problems; None for no answer."""
    found = {}
    for record in cells(folder):
        value, problem = value_of(record), problem_of(record)
        ratio = None if value is None else value / best[problem]
        found.setdefault(record["solver"], []).append(ratio)
    return found


def summary(values):
    answers = [value for value in values if value is not None]
    if not answers:
        return f"| - | - | - | {len(values)} of {len(values)} "
    optima = sum(value >= 1 - SAME for value in answers)
    return (
        f"| {100 * optima / len(values):.0f} % | {sum(answers) / len(answers):.4f} "
        f"| {min(answers):.4f} | {len(values) - len(answers)} of {len(values)} "
    )


def main(runs):
    if not 1 <= len(runs) <= 2:
        sys.exit(__doc__.strip())
    best, bound = bests(runs)
    head = "| optima | mean | least | no answer "
    print("| solver " + head * len(runs) + "|")
    print("|---" * (1 + 4 * len(runs)) + "|")
    tables = [ratios(folder, best) for folder in reversed(runs)]
    for solver in sorted(set().union(*tables)):
        rows = (summary(t[solver]) if solver in t else "| | | | " for t in tables)
        print(f"| {solver} " + "".join(rows) + "|")
    print(f"\n{len(best)} problems.", end=" ")
    open_ones = [
        f"{name} k = {k} (bound {bound.get((name, k), float('nan')) / value:.4f} of the best)"
        for (name, k), value in sorted(best.items())
        if not bound.get((name, k), float("inf")) <= value * (1 + 1e-6)
    ]
    print("Not certified: " + (", ".join(open_ones) or "none") + ".")


if __name__ == "__main__":
    main(sys.argv[1:])
