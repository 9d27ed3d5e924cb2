"""Pit props: each solver against the certified optimum, at every cardinality.

    PYTHONPATH=build/release/python python3 examples/python/pitprops.py --figure pitprops.png
"""

import argparse

import numpy as np

import spca_bench

SOLVERS = ["tpower", "fullpath", "spca-l1", "threshold", "pmd"]
CARDINALITIES = range(2, 14)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figure", help="a file that ends in .png, .svg or .pdf")
    arguments = parser.parse_args()

    data = spca_bench.load_dataset("pitprops")
    optima = [spca_bench.solve(data, k, solver="branch-bound") for k in CARDINALITIES]
    assert all(answer.gap <= 1e-6 for answer in optima), "an optimum is not certified"
    best = np.array([answer.explained_variance for answer in optima])
    shares = {}
    for name in SOLVERS:
        found = [spca_bench.solve(data, k, solver=name).explained_variance for k in CARDINALITIES]
        shares[name] = np.array(found) / best

    print("k         " + " ".join(f"{k:>6}" for k in CARDINALITIES))
    print("optimum   " + " ".join(f"{value:6.3f}" for value in best))
    for name, share in shares.items():
        print(f"{name:<10}" + " ".join(f"{value:6.3f}" for value in share))
    if arguments.figure:
        draw(shares, arguments.figure)


def draw(shares, file):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.axhline(1, color="0.6", linewidth=4, label="certified optimum")
    for (name, share), marker in zip(shares.items(), "os^Dv"):
        axes.plot(CARDINALITIES, share, marker=marker, label=name)
    axes.set(
        xlabel="cardinality k",
        ylabel="explained variance / optimum",
        title="Pit props: how much of the certified optimum each solver reaches",
    )
    axes.set_xticks(list(CARDINALITIES))
    axes.legend(loc="lower right")
    figure.savefig(file)


if __name__ == "__main__":
    main()
