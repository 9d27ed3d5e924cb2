# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Genes of tumours, with held-out classification
#
# 62 tissues, 40 of them tumours, and 2000 genes (`spca fetch colon`). How well do a few genes tell a
# tumour from normal tissue?

# %%
import numpy as np
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import spca_bench
from spca_bench import SparsePCA

colon = spca_bench.load_dataset("colon")
x, y = colon.samples(), np.array(colon.labels)
print(f"{len(x)} tissues, {x.shape[1]} genes; {y.sum()} are tumours")

# %% [markdown]
# Two components of ten genes. The deflation "schur" takes away what is correlated with the scores of
# the first component, so that the second shows something else. Some genes have several spots on the
# array, which share a name.

# %%
answer = spca_bench.solve(colon, [10, 10], solver="tpower", deflation="schur")
answer.plot()

# %%
groups = ["tumour" if label else "normal" for label in y]
spca_bench.plot_components(colon, answer, groups=groups)

# %% [markdown]
# Held out: each model is fitted on four fifths of the tissues and judged on the others. Scaling and
# components are fitted inside the folds too, so that nothing of a left-out tissue is seen.


# %%
def held_out_error(*steps):
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    model = make_pipeline(StandardScaler(), *steps, LogisticRegression(max_iter=1000))
    return 1 - cross_val_score(model, x, y, cv=folds).mean()


errors = {"always the larger class": min(y.mean(), 1 - y.mean())}
errors["all 2000 genes"] = held_out_error()
errors["5 dense components"] = held_out_error(PCA(5, random_state=0))
for k in (5, 20, 100):
    sparse = SparsePCA(5, cardinality=k, solver="tpower", deflation="schur", bound=False)
    errors[f"5 components of {k} genes"] = held_out_error(sparse)
for name, error in errors.items():
    print(f"{error:.3f}  {name}")

# %%
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(6.4, 2.8), layout="constrained")
ax.barh(list(errors), list(errors.values()))
ax.invert_yaxis()
ax.set_xlabel("held-out error")
