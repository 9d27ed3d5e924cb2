# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Single cells: AnnData in and out
#
# The counts are generated here, so that nothing needs to be fetched: 300 cells of three types and
# 400 genes, of which each type has twelve markers. With data of your own, keep the imports and set
# `adata` to them.

# %%
import anndata
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scipy.sparse

import spca_bench

rng = np.random.default_rng(0)
kinds = np.repeat(["T", "B", "NK"], 100)
rates = np.full((300, 400), 0.3)
names = [f"gene{i}" for i in range(400)]
for j, kind in enumerate(["T", "B", "NK"]):
    markers = slice(12 * j, 12 * j + 12)
    rates[np.ix_(kinds == kind, np.arange(400)[markers])] = 4
    names[markers] = [f"{kind}-marker{i}" for i in range(12)]
adata = anndata.AnnData(
    scipy.sparse.csr_matrix(rng.poisson(rates).astype(np.float64)),
    obs=pd.DataFrame({"kind": kinds}, index=[f"cell{i}" for i in range(300)]),
    var=pd.DataFrame(index=names),
)
adata

# %% [markdown]
# Counts per cell are brought to one sum, and their logarithms are taken. The matrix stays sparse.

# %%
depth = np.asarray(adata.X.sum(axis=1)).ravel()
adata.X = scipy.sparse.diags(np.median(depth) / depth) @ adata.X
adata.X = scipy.sparse.csr_matrix(adata.X.log1p())
answer = spca_bench.solve(adata.X, [12, 12], names=list(adata.var_names), solver="tpower")
answer

# %% [markdown]
# The answer goes where scanpy's functions look for components: loadings into `varm`, scores into
# `obsm`, and the rest into `uns`.

# %%
adata.varm["sparse_pcs"] = answer.loadings
scores = np.asarray(adata.X @ answer.loadings)
adata.obsm["X_sparse_pca"] = scores - scores.mean(axis=0)
adata.uns["sparse_pca"] = {
    "solver": answer.solver,
    "variance": [one.explained_variance for one in answer.components],
    "upper_bound": answer.upper_bound,
}
adata

# %%
spca_bench.plot_components(adata.X, answer, groups=adata.obs["kind"], most=24)

# %%
answer.plot()
plt.show()
