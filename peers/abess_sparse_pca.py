"""SparsePCA of abess, by splicing, for one problem of spca: its support_size is the cardinality of each component.

Called with the path of problem.json (docs/PEERS.md). Answers with p x r loadings of unit length as .npy.

abess 0.4.11 answers with ones where there are fewer rows than columns. Rows of zeros change neither the means nor,
but for a factor, X'X, and so there are as many rows as columns. It stops where an exchange gains less than a number
that does not depend on the length of X, so that short data are left as they begin: the largest variance is made a
million.
"""

import cardinality
import numpy as np
from abess import SparsePCA

LARGEST_VARIANCE = 1e6


def rows_for_abess(rows):
    padding = max(0, rows.shape[1] - rows.shape[0])
    rows = np.vstack([rows, np.zeros((padding, rows.shape[1]))])
    return rows * np.sqrt(LARGEST_VARIANCE / rows.var(axis=0).max())


def main():
    problem = cardinality.read_problem()
    options, wanted = problem["options"], problem["cardinality"]
    data = cardinality.read_data(problem)
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
    centred = data if options["subtract_means"] else cardinality.centred(data)
    model.fit(rows_for_abess(centred), number=len(wanted))
    cardinality.answer(problem, np.asarray(model.coef_).reshape(data.shape[1], -1), data)


main()
