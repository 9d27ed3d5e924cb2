# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Topics of 3430 blog entries
#
# The data set kos counts words in entries of a political blog (`spca fetch kos`). A sparse component
# is a topic: a few words that appear together. The counts are sparse, and stay so.

# %%
import spca_bench

kos = spca_bench.load_dataset("kos")
print(f"{kos.n} entries, {kos.p} words")

# %% [markdown]
# Four topics of eight words, one after the other. No word is in two topics.

# %%
topics = spca_bench.solve(kos, [8] * 4, solver="tpower")
topics

# %%
topics.plot()

# %% [markdown]
# The same four topics all at once, by a solver that moves words between topics.

# %%
together = spca_bench.solve(kos, [8] * 4, solver="bipart-ascent")
print(f"one by one {topics.value:.4f}, all at once {together.value:.4f}")
for topic in together.components:
    print(", ".join(topic.names))

# %% [markdown]
# The scores of the entries on two topics. Most entries are about neither, and lie near the origin.

# %%
spca_bench.plot_components(kos, topics, components=(0, 1), most=16)

# %% [markdown]
# The variance that four topics of eight words keep, beside that of six dense components of all
# words.

# %%
spca_bench.plot_scree(kos, topics, components=6)
