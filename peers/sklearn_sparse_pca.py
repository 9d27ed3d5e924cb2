"""scikit-learn's SparsePCA or MiniBatchSparsePCA for one problem of spca.

Called with the path of problem.json (docs/PEERS.md) and the name of the class. Its penalty alpha does not
determine the cardinality. There are two ways to reach the requested one:

    bisect    alpha is bisected until the cardinalities are reached; otherwise the nearest answer from below counts
    truncate  alpha begins where the scores of PCA leave 2k variables and is halved until each component has k or
              more; then only the k largest loadings of each are kept

Answers with p x r loadings of unit length as .npy.
"""

import json
import sys
import warnings

import numpy as np
import sklearn.decomposition
import sklearn.utils.extmath
from sklearn.exceptions import ConvergenceWarning

BISECTION_STEPS = 40  # alpha to 1e-12 of its range
HALVINGS = 20  # alpha to a millionth of where it begins, which leaves no loading at zero


def centred(data):
    """Rows whose X'X equals that of `data` and whose column means are zero, because SparsePCA subtracts means."""
    means = np.abs(data.mean(axis=0))
    if np.all(means <= 1e-12 * np.abs(data).max()):
        return data
    return np.vstack([data, -data]) / np.sqrt(2)


def loadings(data, alpha, problem, estimator):
    options = problem["options"]
    model = getattr(sklearn.decomposition, estimator)(
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


def search(data, problem, estimator):
    """The answer with the most nonzeros in which no component is empty or has too many."""
    wanted = np.array(problem["cardinality"])
    low, high = 0.0, np.linalg.norm(data, axis=0).max()  # at `high` every loading is zero
    best, most = None, 0
    for _ in range(BISECTION_STEPS):
        alpha = 0.5 * (low + high)
        found = loadings(data, alpha, problem, estimator)
        counts = np.count_nonzero(found, axis=0)
        if np.all(counts <= wanted) and np.all(counts > 0) and counts.sum() > most:
            best, most = found, counts.sum()
        if np.array_equal(counts, wanted):
            break
        low, high = (alpha, high) if np.any(counts > wanted) else (low, alpha)
    return best


def truncated(data, problem, estimator):
    """The k largest loadings of each component, from the first answer in which every component has at least k."""
    wanted = problem["cardinality"]
    _, scores, directions = sklearn.utils.extmath.randomized_svd(data, len(wanted), random_state=problem["seed"])
    sizes = -np.sort(-np.abs(directions) * scores[:, None], axis=1)
    alpha = min(row[min(2 * k, row.size) - 1] for row, k in zip(sizes, wanted))
    for _ in range(HALVINGS):
        found = loadings(data, alpha, problem, estimator)
        if np.all(np.count_nonzero(found, axis=0) >= wanted):
            for j, k in enumerate(wanted):
                found[np.argsort(-np.abs(found[:, j]), kind="stable")[k:], j] = 0
            return found
        alpha /= 2
    return None


def refitted(found, data):
    for j in range(found.shape[1]):
        support = np.flatnonzero(found[:, j])
        _, _, directions = np.linalg.svd(data[:, support], full_matrices=False)
        found[support, j] = directions[0]
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        problem = json.load(file)
    estimator, options = sys.argv[2], problem["options"]
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = np.load(problem["matrix"]["file"])
    rows = data if options["subtract_means"] else centred(data)
    reach = truncated if options["cardinality"] == "truncate" else search
    found = reach(rows, problem, estimator)
    if found is None:
        sys.exit("no alpha was found that gives the cardinalities")
    if options["refit"]:
        found = refitted(found, data)
    np.save(problem["answer"], found / np.linalg.norm(found, axis=0))


main()
