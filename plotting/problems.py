"""Problems of a run: records that ask for one answer. What is known of each, and how far an answer falls short of it."""

import json

import records

NEAR = 1e-6  # a bound within this share of the best value proves it; a shortfall below it is none
FLOOR = 1e-7  # where no shortfall stands on a logarithmic axis
VALUE = "explained_variance"


def problem_of(record):
    """Data, cardinalities, repeat: one draw and one question, whichever grid asks it."""
    options = json.dumps(record.get("dataset_options", {}), sort_keys=True)
    return record["dataset"], options, tuple(record["cardinality"]), record["repeat"]


def variance(record):
    """The variance that a bound limits. For several components this is the variance of their span, if it is measured,
    because tr(V'SV) counts shared variance twice."""
    projected = records.scalar(record, "projected_variance") if record["components"] > 1 else None
    return records.scalar(record, VALUE) if projected is None else projected


def best_values(cells, value=variance, best=max):
    """{problem: the best positive value of any record}."""
    found = {}
    for record in cells:
        own = value(record)
        if own is not None and own > 0:
            problem = problem_of(record)
            found[problem] = best(found.get(problem, own), own)
    return found


def least_bounds(cells):
    """{problem: the least upper bound of any record}."""
    found = {}
    for record in cells:
        bound = records.scalar(record, "upper_bound")
        if bound is not None:
            problem = problem_of(record)
            found[problem] = min(found.get(problem, bound), bound)
    return found


def proven(cells):
    """{problem: its optimum}, where a bound lies on the best value. If the best lies above the bound, the two are not of
    one set of feasible answers, and prove nothing."""
    best, bounds = best_values(cells), least_bounds(cells)
    return {
        problem: value
        for problem, value in best.items()
        if problem in bounds and abs(bounds[problem] - value) <= NEAR * value
    }


def shortfall(value, best):
    """The share of the best that is missing, from either side; 0 if less than NEAR is."""
    share = abs(best - value) / best
    return 0.0 if share < NEAR else min(share, 1.0)


def drawn(share):
    """The position of a shortfall on a logarithmic axis (style.shortfall_axis)."""
    return max(share, FLOOR)


def several(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"
