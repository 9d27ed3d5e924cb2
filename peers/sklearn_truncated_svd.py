"""scikit-learn's TruncatedSVD for one problem of spca: of each right singular vector the k largest loadings stay.

Called with the path of problem.json (docs/PEERS.md). Answers with p x r loadings of unit length as .npy.
"""

import json
import sys

import numpy as np
import scipy.io
from sklearn.decomposition import TruncatedSVD


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        problem = json.load(file)
    options = problem["options"]
    data = scipy.io.mmread(problem["matrix"]["file"]).tocsr()
    model = TruncatedSVD(
        problem["components"],
        algorithm=options["algorithm"],
        n_iter=options["iterations"],
        tol=options["tolerance"],
        random_state=problem["seed"],
    )
    found = model.fit(data).components_.T.copy()  # p x r
    for j, k in enumerate(problem["cardinality"]):
        support = np.argsort(-np.abs(found[:, j]), kind="stable")[:k]
        kept = found[support, j]
        if options["refit"]:
            _, _, directions = np.linalg.svd(data[:, support].toarray(), full_matrices=False)
            kept = directions[0]
        found[:, j] = 0
        found[support, j] = kept / np.linalg.norm(kept)
    np.save(problem["answer"], found)


main()
