#!/usr/bin/env python3
"""Prints the time of one fit, without the start of Python, and the variance that it explains, of packages of PyPI and of
ours, one after the other in one process on the same array:

    scripts/bootstrap --pypi-peers
    SPCA_DATA_DIR=DATA PYTHONPATH=build/release/python build/pypi/peers/bin/python bench/fit_times.py

One component of ten variables of centred data. A package without a cardinality has its k largest loadings, as the peers of
docs/PEERS.md do. All loadings are refitted on their supports. A time is the least of three; a fit that takes more than ten
seconds is done once. The columns: the variance as a share of the best, the time, and the time over that of `tpower`.
"""

import contextlib
import io
import time
import warnings

import numpy as np
from abess import SparsePCA as AbessSparsePCA
from nnpcapy import nsprcomp
from sklearn.decomposition import DictionaryLearning, MiniBatchSparsePCA, SparsePCA

import spca_bench

K = 10
LONG = 10


def of_abess(x):
    padded = np.vstack([x, np.zeros((max(0, x.shape[1] - x.shape[0]), x.shape[1]))])
    padded *= np.sqrt(1e6 / x.var(axis=0).max())  # abess stops at an absolute gain
    sizes = np.zeros((K, 1), dtype=int)
    sizes[K - 1] = 1
    model = AbessSparsePCA(support_size=sizes)
    return lambda: np.asarray(model.fit(padded, number=1).coef_).reshape(-1, 1)


def of_nnpcapy(x):
    return lambda: nsprcomp(x, ncomp=1, center=False, nneg=False, nrestart=5)["rotation"]


def of_sklearn(make):
    def prepared(x):
        model = make()
        return lambda: model.fit(x).components_.T

    return prepared


def of_dictionary(x):
    model = DictionaryLearning(n_components=1, random_state=1)
    return lambda: model.fit_transform(x.T)


def of_ours(solver):
    return lambda x: lambda: spca_bench.solve(x, K, solver=solver, bound=False).loadings


PROGRAMS = {
    "tpower": of_ours("tpower"),
    "search": of_ours("search"),
    "branch-bound": of_ours("branch-bound"),
    "abess": of_abess,
    "nnPCApy, k largest": of_nnpcapy,
    "SparsePCA, k largest": of_sklearn(lambda: SparsePCA(n_components=1, random_state=1)),
    "MiniBatchSparsePCA, k largest": of_sklearn(lambda: MiniBatchSparsePCA(n_components=1, random_state=1)),
    "DictionaryLearning, k largest": of_dictionary,
}


def data_sets():
    yield "colon, 62 x 2000", spca_bench.load_dataset("colon").samples()
    yield "secom, 392 x 590, standardised", spca_bench.load_dataset("secom").samples()
    rng = np.random.default_rng(1)
    x = rng.standard_normal((1000, 500))
    x[:, :K] += 0.6 * rng.standard_normal((1000, 1))
    yield "one factor of ten variables, 1000 x 500", x


def variance(found, x):
    """The largest variance of a unit vector on the ten largest entries of the first column."""
    support = np.argsort(-np.abs(np.asarray(found)[:, 0]))[:K]
    return np.linalg.norm(x[:, support], 2) ** 2 / len(x)


def timed(fit):
    seconds = []
    while len(seconds) < 3 and (not seconds or seconds[0] < LONG):
        begin = time.perf_counter()
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            found = fit()
        seconds.append(time.perf_counter() - begin)
    return min(seconds), found


def main():
    for title, data in data_sets():
        x = np.array(data, order="F")
        x -= x.mean(axis=0)
        if "standardised" in title:
            x = x[:, x.std(axis=0) > 0]
            x /= x.std(axis=0)
        rows = {}
        for name, prepare in PROGRAMS.items():
            seconds, found = timed(prepare(x))
            rows[name] = (variance(found, x), seconds)
        best = max(value for value, _ in rows.values())
        print(f"\n{title}\n")
        for name, (value, seconds) in rows.items():
            print(f"| {name} | {value / best:.3f} | {seconds:.2g} s | {seconds / rows['tpower'][1]:.2g} |")


main()
