"""spca() of the package sparsepca, A-ManPG, for one problem of spca: its penalty is bisected to the cardinality.

Called with the path of problem.json (docs/PEERS.md). The ridge penalty is infinite, as its authors advise for many
variables. Data are divided by their largest singular value, because the package stops at an
absolute change. The package's own normalisation is off, because it normalises rows. One component
is found: the harness deflates for several, because one penalty for all would leave the later ones
empty first. Answers with p x 1 loadings of unit length as .npy.
"""

import cardinality
import numpy as np
import sparsepca


def main():
    problem = cardinality.read_problem()
    options = problem["options"]
    data = cardinality.read_data(problem)
    _, sizes, directions = np.linalg.svd(data, full_matrices=False)
    rows = data / sizes[0]
    # The package documents that it starts from singular vectors, but takes columns of V' for them.
    start = {"x0": directions[:1].T, "y0": directions[:1].T} if options["start"] == "singular" else {}

    def loadings(penalty):
        return sparsepca.spca(
            rows,
            np.full((1, 1), penalty),
            np.inf,
            k=1,
            maxiter=options["max_iterations"],
            tol=options["tolerance"],
            normalize=False,
            **start,
        )["loadings"]

    found = cardinality.bisected(loadings, problem["cardinality"], 2)
    cardinality.answer(problem, found, data)


main()
