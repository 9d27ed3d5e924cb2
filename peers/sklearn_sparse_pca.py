"""scikit-learn's SparsePCA, MiniBatchSparsePCA or DictionaryLearning for one problem of spca.

Called with the path of problem.json (docs/PEERS.md) and the name of the class. Its penalty alpha does not
determine the cardinality. There are two ways to reach the requested one:

    bisect    alpha is bisected until the cardinalities are reached; otherwise the nearest answer from below counts
    truncate  alpha begins where the scores of PCA leave 2k variables and is halved until each component has k or
              more; then only the k largest loadings of each are kept

DictionaryLearning has sparse codes and no sparse dictionary: its samples are the columns of the data, and the codes
are the loadings. Answers with p x r loadings of unit length as .npy.
"""

import sys
import warnings

import cardinality
import numpy as np
import sklearn.decomposition
import sklearn.utils.extmath
from sklearn.exceptions import ConvergenceWarning

HALVINGS = 20  # alpha to a millionth of where it begins, which leaves no loading at zero


def loadings(data, alpha, problem, estimator):
    options = problem["options"]
    shared = {
        "n_components": problem["components"],
        "alpha": alpha,
        "tol": options["tolerance"],
        "max_iter": options["max_iterations"],
        "random_state": problem["seed"],
        "n_jobs": problem["threads"],
    }
    if estimator == "DictionaryLearning":
        method = options["method"]
        model = sklearn.decomposition.DictionaryLearning(fit_algorithm=method, transform_algorithm=f"lasso_{method}", **shared)
        return model.fit_transform(data.T)
    model = getattr(sklearn.decomposition, estimator)(ridge_alpha=options["ridge_alpha"], method=options["method"], **shared)
    return model.fit(data).components_.T  # p x r


def truncated(data, problem, estimator):
    """The k largest loadings of each component, from the first answer in which every component has at least k."""
    wanted = problem["cardinality"]
    _, scores, directions = sklearn.utils.extmath.randomized_svd(data, len(wanted), random_state=problem["seed"])
    sizes = -np.sort(-np.abs(directions) * scores[:, None], axis=1)
    alpha = min(row[min(2 * k, row.size) - 1] for row, k in zip(sizes, wanted))
    for _ in range(HALVINGS):
        found = loadings(data, alpha, problem, estimator)
        if np.all(np.count_nonzero(found, axis=0) >= wanted):
            return cardinality.k_largest(found, wanted)
        alpha /= 2
    return None


def main():
    problem, estimator = cardinality.read_problem(), sys.argv[2]
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = cardinality.read_data(problem)
    rows = data if problem["options"]["subtract_means"] else cardinality.centred(data)
    if problem["options"]["cardinality"] == "truncate":
        found = truncated(rows, problem, estimator)
    else:
        largest = np.linalg.norm(rows, axis=0).max()  # at this alpha every loading is zero
        found = cardinality.bisected(lambda alpha: loadings(rows, alpha, problem, estimator), problem["cardinality"], largest)
    cardinality.answer(problem, found, data)


main()
