"""nsprcomp() of nnPCApy for one problem of spca: loadings are not negative, and the k largest of each component stay.

Called with the path of problem.json (docs/PEERS.md). Answers with p x r loadings of unit length as .npy.
"""

import cardinality
import numpy as np
from nnpcapy import nsprcomp


def main():
    problem = cardinality.read_problem()
    options = problem["options"]
    data = cardinality.read_data(problem)
    np.random.seed(problem["seed"])  # nsprcomp() has no seed of its own
    found = nsprcomp(
        data,
        ncomp=problem["components"],
        center=options["subtract_means"],
        nneg=options["nonnegative"],
        nrestart=options["restarts"],
        em_tol=options["tolerance"],
        em_maxiter=options["max_iterations"],
    )["rotation"]
    cardinality.answer(problem, cardinality.k_largest(found, problem["cardinality"]), data)


main()
