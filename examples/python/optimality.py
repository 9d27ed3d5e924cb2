"""Is it optimal? A certificate for a component from anywhere, here from scikit-learn.

    PYTHONPATH=build/release/python python3 examples/python/optimality.py --figure optimality.png
"""

import argparse

import numpy as np
from sklearn.decomposition import PCA
from sklearn.decomposition import SparsePCA as LassoPCA

import spca_bench


def correlated(n=200, p=60, seed=0):
    """Three groups of variables, which vary together more or less."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p))
    weights = np.linspace(1, 0.4, 15)
    for first, strength in ((0, 1.2), (15, 1.1), (30, 1.0)):
        x[:, first : first + 15] += rng.standard_normal((n, 1)) * strength * weights
    return x - x.mean(axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figure", help="a file that ends in .png, .svg or .pdf")
    arguments = parser.parse_args()

    data = spca_bench.data(correlated())
    k_of, certificates = [], {"largest of PCA": [], "scikit-learn's SparsePCA": [], "tpower": []}
    leading = PCA(1, random_state=0).fit(correlated()).components_[0]
    for alpha in (9, 8.5, 8, 7, 6, 5, 4, 3, 2, 1):
        # Its penalty gives what cardinality it will; the others get the same.
        lasso = LassoPCA(1, alpha=alpha, random_state=0).fit(correlated()).components_[0]
        k = np.count_nonzero(lasso)
        if k in k_of:
            continue
        cut = np.where(np.argsort(np.argsort(-np.abs(leading))) < k, leading, 0)
        ours = spca_bench.solve(data, k, solver="tpower")
        found = {"largest of PCA": cut, "scikit-learn's SparsePCA": lasso, "tpower": ours}
        k_of.append(k)
        for name, loadings in found.items():
            certificates[name].append(spca_bench.certify(data, loadings, time_limit=20))

    for name, row in certificates.items():
        print(name)
        for k, one in zip(k_of, row):
            verdict = "optimal" if one.is_optimal else f"{one.gap:.2%} below the bound"
            bound = f"at most {one.upper_bound:.4f} ({one.source})"
            print(f"  k = {k:>2}: {one.value:.4f} of {bound}: {verdict}")
    if arguments.figure:
        draw(k_of, certificates, arguments.figure)


def draw(k_of, certificates, file):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for (name, row), marker in zip(certificates.items(), "os^"):
        axes.plot(k_of, [100 * (1 - one.gap) for one in row], marker=marker, label=name)
    axes.axhline(100, color="0.6", zorder=0)
    axes.set(xlabel="cardinality k", ylabel="% of the certified bound")
    axes.set_title("How near the optimum, for certain")
    axes.legend()
    figure.savefig(file)


if __name__ == "__main__":
    main()
