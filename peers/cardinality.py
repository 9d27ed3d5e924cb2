"""How programs in Python reach a cardinality: by bisecting a penalty, or by keeping the k largest loadings.

Shared by the peers beside this file. Loadings are p x r.
"""

import json
import sys

import numpy as np

BISECTION_STEPS = 40  # the penalty to 1e-12 of its range


def read_problem():
    """Reads problem.json, whose path is the first argument (docs/PEERS.md)."""
    with open(sys.argv[1], encoding="utf-8") as file:
        return json.load(file)


def read_data(problem):
    return np.load(problem["matrix"]["file"])


def centred(data):
    """Rows whose X'X equals that of `data` and whose column means are zero, because the program subtracts means."""
    means = np.abs(data.mean(axis=0))
    if np.all(means <= 1e-12 * np.abs(data).max()):
        return data
    return np.vstack([data, -data]) / np.sqrt(2)


def bisected(loadings, wanted, high):
    """The answer with the most nonzeros in which no component is empty or has too many.

    `loadings(penalty)` has no nonzeros at the penalty `high`.
    """
    wanted = np.array(wanted)
    low = 0.0
    best, most = None, 0
    for _ in range(BISECTION_STEPS):
        penalty = 0.5 * (low + high)
        found = loadings(penalty)
        counts = np.count_nonzero(found, axis=0)
        if np.all(counts <= wanted) and np.all(counts > 0) and counts.sum() > most:
            best, most = found, counts.sum()
        if np.array_equal(counts, wanted):
            break
        low, high = (penalty, high) if np.any(counts > wanted) else (low, penalty)
    return best


def k_largest(found, wanted):
    """Returns `found` with the k largest loadings of each component alone."""
    for j, k in enumerate(wanted):
        found[np.argsort(-np.abs(found[:, j]), kind="stable")[k:], j] = 0
    return found


def refitted(found, data):
    """Returns each component replaced by the leading eigenvector of S on its support."""
    for j in range(found.shape[1]):
        support = np.flatnonzero(found[:, j])
        _, _, directions = np.linalg.svd(data[:, support], full_matrices=False)
        found[support, j] = directions[0]
    return found


def answer(problem, found, data):
    """Writes loadings of unit length, refitted if the option says so."""
    if found is None:
        sys.exit("no penalty was found that gives the cardinalities")
    if problem["options"]["refit"]:
        found = refitted(found, data)
    np.save(problem["answer"], found / np.linalg.norm(found, axis=0))
