"""SparsePCA of abess, by splicing, for one problem of spca: its support_size is the cardinality of each component.

Called with the path of problem.json (docs/PEERS.md). Answers with p x r loadings of unit length as .npy.
"""

import cardinality
import numpy as np
from abess import SparsePCA


def main():
    problem = cardinality.read_problem()
    options, wanted = problem["options"], problem["cardinality"]
    data = cardinality.read_data(problem)
    rows = data if options["subtract_means"] else cardinality.centred(data)
    sizes = np.zeros((max(wanted), len(wanted)), dtype=int)  # a one marks the size of each component
    sizes[np.array(wanted) - 1, np.arange(len(wanted))] = 1
    model = SparsePCA(
        support_size=sizes,
        max_iter=options["max_iterations"],
        exchange_num=options["exchanges"],
        splicing_type={"halves": 0, "ones": 1}[options["splicing"]],
        screening_size=options["screening"],
        thread=problem["threads"],
    )
    model.fit(rows, number=len(wanted))
    cardinality.answer(problem, np.asarray(model.coef_).reshape(data.shape[1], -1), data)


main()
