# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Is it optimal?
#
# A sparse component explains some variance. How much more could another one with as many variables
# explain? The data are the 178 wines with 13 measurements that the program has built in.

# %%
import numpy as np

import spca_bench

wine = spca_bench.load_dataset("wine")
print(f"{wine.n} wines: {', '.join(wine.names)}")

# %% [markdown]
# Several solvers each look for a component of four measurements. The best value comes first. The
# gap is measured from the least bound of all: if it is zero, no four measurements explain more.

# %%
comparison = spca_bench.compare_solvers(wine, 4)
comparison

# %% [markdown]
# How many measurements should a component have? The distance between the curves is what remains to be
# proved. The legend shows the suggested k.

# %%
path = spca_bench.path(wine, range(1, 14), solver="fullpath")
path.plot()

# %% [markdown]
# Loadings from anywhere can be certified. A common recipe keeps the largest loadings of PCA: the bound
# says how far from optimal that is.

# %%
leading = spca_bench.solve(wine, components=1, solver="pca").loadings[:, 0]
cut = np.where(np.argsort(np.argsort(-np.abs(leading))) < 4, leading, 0)
recipe = spca_bench.certify(wine, cut)
recipe

# %%
best = spca_bench.certify(wine, spca_bench.solve(wine, 4))
print(f"largest of PCA {recipe.value:.4f}, optimum {best.value:.4f}: {recipe.gap:.2%} below the bound")
assert best.is_optimal

# %% [markdown]
# Two components of five measurements each, and the wines on them. The colours are the three kinds
# of grape, which no solver has seen.

# %%
pair = spca_bench.solve(wine, [5, 5])
spca_bench.plot_components(wine, pair, groups=[f"grape {label + 1}" for label in wine.labels])

# %%
spca_bench.plot_scree(wine, pair)
