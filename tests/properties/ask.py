"""Asks the Python package one question of the hunt (tests/properties/elsewhere.cpp) and prints the answer as JSON."""

import json
import math
import sys

import numpy

import spca_bench

path, rows, columns, kind, center, scale, solver, k, components, deflation, seed, threads, seconds = sys.argv[1:]
x = numpy.fromfile(path).reshape((int(rows), int(columns)), order="F")
if kind == "sparse":
    import scipy.sparse

    x = scipy.sparse.csr_matrix(x)
form = {"covariance": True} if kind == "covariance" else {"center": center == "yes", "scale": scale}
answer = spca_bench.solve(
    x,
    None if k == "-" else [int(one) for one in k.split(",")],
    solver=solver,
    components=int(components),
    deflation=None if deflation == "-" else deflation,
    seed=int(seed),
    threads=int(threads),
    time_limit=float(seconds),
    **form,
)
found = [
    {
        "indices": [int(i) for i in one.indices],
        "values": [float(value) for value in one.values],
        "explained_variance": one.explained_variance,
    }
    for one in answer.components
]
bound = None if math.isnan(answer.upper_bound) else answer.upper_bound
print(json.dumps({"status": answer.status, "message": answer.message, "upper_bound": bound, "components": found}))
