"""The problems of a run, each with its records, its best known value, and the shortfall of an answer from it."""

import json

import records

NEAR = 1e-6  # a bound within this share of the best value proves it; a shortfall below it is none
FLOOR = 1e-7  # where an answer without shortfall is drawn on a logarithmic axis
VALUE = "explained_variance"


def problem_of(record):
    """Returns data, cardinalities and repeat, which identify a problem in all grids."""
    options = json.dumps(record.get("dataset_options", {}), sort_keys=True)
    return record["dataset"], options, tuple(record["cardinality"]), record["repeat"]


def variance(record):
    """The variance that a bound limits. For several components this is the variance of their span, if it is measured,
    because tr(V'SV) counts shared variance twice."""
    projected = records.scalar(record, "projected_variance") if record["components"] > 1 else None
    return records.scalar(record, VALUE) if projected is None else projected


def best_values(cells, value=variance, best=max):
    """Returns {problem: the best positive value of any record}."""
    found = {}
    for record in cells:
        own = value(record)
        if own is not None and own > 0:
            problem = problem_of(record)
            found[problem] = best(found.get(problem, own), own)
    return found


def least_bounds(cells):
    """Returns {problem: the least upper bound of any record}."""
    found = {}
    for record in cells:
        bound = records.scalar(record, "upper_bound")
        if bound is not None:
            problem = problem_of(record)
            found[problem] = min(found.get(problem, bound), bound)
    return found


def proven(cells):
    """Returns {problem: its optimum} for the problems whose bound equals the best value. If the best lies above the bound, the two are not of
    one set of feasible answers, and prove nothing."""
    best, bounds = best_values(cells), least_bounds(cells)
    return {
        problem: value
        for problem, value in best.items()
        if problem in bounds and abs(bounds[problem] - value) <= NEAR * value
    }


def measured(cells, name, cost, problem=problem_of):
    """The cells whose costs can be compared, and notes on the others. A solver without any known cost is left out; so is a
    problem that a remaining solver answered at an unknown cost, since that solver may have been the fastest."""
    has_cost = {name(record) for record in cells if cost(record) is not None}
    without = [record for record in cells if records.is_usable(record) and name(record) not in has_cost]
    silent = {name(record) for record in without}
    rest = [record for record in cells if name(record) not in silent]
    unknown = {problem(record) for record in rest if records.is_usable(record) and cost(record) is None}
    kept = [record for record in rest if problem(record) not in unknown]
    notes = []
    if unknown:
        every = len({problem(record) for record in rest})
        beside = any(record["contended"] for record in rest if problem(record) in unknown)
        why = "an answer has no time of its own, because its cell ran beside others" if beside else "an answer has no known cost"
        notes.append(f"Left out: {len(unknown)} of {several(every, 'problem')}, in which {why}.")
    return kept, notes + records.left_out(without, "no cost of its own")


def shortfall(value, best):
    """The share of the best that is missing, from either side; 0 if less than NEAR is."""
    share = abs(best - value) / best
    return 0.0 if share < NEAR else min(share, 1.0)


def drawn(share):
    """The position of a shortfall on a logarithmic axis (style.shortfall_axis)."""
    return max(share, FLOOR)


def several(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"
