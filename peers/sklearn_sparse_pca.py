"""scikit-learn's SparsePCA for one problem of spca: bisects alpha until the cardinalities are met.

Called with the path of problem.json (docs/PEERS.md). Answers with p x r loadings of unit length as .npy.
"""

import json
import sys
import warnings

import numpy as np
from sklearn.decomposition import SparsePCA
from sklearn.exceptions import ConvergenceWarning

BISECTION_STEPS = 40  # alpha to 1e-12 of its range


def centred(data):
    """Rows with the same X'X and column means of zero, since SparsePCA subtracts the means."""
    means = np.abs(data.mean(axis=0))
    if np.all(means <= 1e-12 * np.abs(data).max()):
        return data
    return np.vstack([data, -data]) / np.sqrt(2)


def loadings(data, alpha, problem):
    options = problem["options"]
    model = SparsePCA(
        n_components=problem["components"],
        alpha=alpha,
        ridge_alpha=options["ridge_alpha"],
        method=options["method"],
        tol=options["tolerance"],
        max_iter=options["max_iterations"],
        random_state=problem["seed"],
        n_jobs=problem["threads"],
    )
    return model.fit(data).components_.T  # p x r


def search(data, problem):
    """The answer with the most nonzeros in which no component is empty or has too many."""
    wanted = np.array(problem["cardinality"])
    low, high = 0.0, np.linalg.norm(data, axis=0).max()  # at `high` every loading is zero
    best, most = None, 0
    for _ in range(BISECTION_STEPS):
        alpha = 0.5 * (low + high)
        found = loadings(data, alpha, problem)
        counts = np.count_nonzero(found, axis=0)
        if np.all(counts <= wanted) and np.all(counts > 0) and counts.sum() > most:
            best, most = found, counts.sum()
        if np.array_equal(counts, wanted):
            break
        low, high = (alpha, high) if np.any(counts > wanted) else (low, alpha)
    return best


def refitted(found, data):
    for j in range(found.shape[1]):
        support = np.flatnonzero(found[:, j])
        _, _, directions = np.linalg.svd(data[:, support], full_matrices=False)
        found[support, j] = directions[0]
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        problem = json.load(file)
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = centred(np.load(problem["matrix"]["file"]))
    found = search(data, problem)
    if found is None:
        sys.exit("no alpha was found with which every component has between 1 and k nonzeros")
    if problem["options"]["refit"]:
        found = refitted(found, data)
    np.save(problem["answer"], found / np.linalg.norm(found, axis=0))


main()
