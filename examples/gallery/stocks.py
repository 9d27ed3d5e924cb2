# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # A stock universe
#
# Correlations of 423 stocks of the S&P 500, from which the part that all share, the market, was
# taken out (`spca fetch snp500`). A sparse component is a group of stocks that move together.

# %%
import spca_bench

stocks = spca_bench.load_dataset("snp500")
print(f"{stocks.p} stocks; S is given, so that there are no samples")

# %% [markdown]
# Four disjoint groups of ten stocks. The solver knows nothing of industries.

# %%
groups = spca_bench.solve(stocks, [10] * 4, solver="tpower")
groups

# %% [markdown]
# The first two groups are both of suppliers of power, because a group may have ten stocks at most.
# The value bends at 25 stocks (knee): with them, the two are one group.

# %%
path = spca_bench.path(stocks, range(5, 61, 5), solver=["tpower", "threshold"])
path.plot()

# %%
wider = spca_bench.solve(stocks, [25, 15, 15], solver="tpower")
wider.plot(most=12)

# %% [markdown]
# Is the first group optimal? The search proves what it can in ten seconds.

# %%
spca_bench.certify(stocks, spca_bench.solve(stocks, 10))

# %% [markdown]
# The table of loadings goes to other tools by name.

# %%
table = wider.to_frame()
table.round(3).head(12)
