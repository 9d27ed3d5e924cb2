"""Colon cancer: which tissue is a tumour, from a few genes? Held out, in a Pipeline.

    spca fetch colon
    PYTHONPATH=build/release/python python3 examples/python/genes.py --figure genes.png
"""

import argparse

import numpy as np
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import spca_bench
from spca_bench import SparsePCA

COMPONENTS = 5
# After each component, everything correlated with its scores is removed, so the next one differs.
DEFLATION = "schur"
CARDINALITIES = [2, 5, 10, 20, 50, 100, 200]


def held_out_error(steps, x, y):
    """Return the mean error over four times five folds. No fit sees a left-out sample."""
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    model = make_pipeline(StandardScaler(), *steps, LogisticRegression(max_iter=1000))
    return 1 - cross_val_score(model, x, y, cv=folds).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--figure", help="a file that ends in .png, .svg or .pdf")
    arguments = parser.parse_args()

    data = spca_bench.load_dataset("colon")
    # Centred and scaled by one common factor, which StandardScaler undoes.
    x, y = data.samples(), np.array(data.labels)
    every_gene = held_out_error([], x, y)
    dense = held_out_error([PCA(COMPONENTS, random_state=0)], x, y)
    guess = min(y.mean(), 1 - y.mean())
    print(f"{len(x)} tissues, {x.shape[1]} genes; always the larger class: {guess:.3f}")
    print(f"all genes: {every_gene:.3f}; {COMPONENTS} components of PCA: {dense:.3f}")
    errors = []
    for k in CARDINALITIES:
        # No bound is needed here.
        sparse = SparsePCA(COMPONENTS, cardinality=k, solver="tpower", deflation=DEFLATION, bound=False)
        errors.append(held_out_error([sparse], x, y))
        print(f"{COMPONENTS} components of {k:>3} genes: {errors[-1]:.3f}")
    if arguments.figure:
        draw(errors, every_gene, dense, arguments.figure)


def draw(errors, every_gene, dense, file):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    label = f"SparsePCA, {COMPONENTS} components of k genes"
    axes.semilogx(CARDINALITIES, errors, "o-", label=label)
    label = f"PCA, {COMPONENTS} components of all genes"
    axes.axhline(dense, color="tab:orange", linestyle="--", label=label)
    axes.axhline(every_gene, color="0.5", linestyle=":", label="all genes, no components")
    axes.set(xlabel="genes in each component, k", ylabel="held-out error")
    axes.set_title("Colon cancer: tumour or not")
    axes.set_xticks(CARDINALITIES, [str(k) for k in CARDINALITIES])
    axes.minorticks_off()
    axes.set_ylim(0, None)
    axes.legend()
    figure.savefig(file)


if __name__ == "__main__":
    main()
