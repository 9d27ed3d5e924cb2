# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Genotypes: which variants separate populations?
#
# The genotypes are generated here, so there is nothing to download: 240 persons of three
# populations, and 2000 variants. The frequencies of most variants differ little, as by drift. 15
# variants have other frequencies in the second population, and 15 others in the third, as if they
# had been selected there. With a PLINK file of your own, begin at the third code cell.

# %%
import pathlib
import tempfile

import numpy as np

import spca_bench

rng = np.random.default_rng(7)
persons, variants = 80, 2000
ancestral = rng.uniform(0.1, 0.9, variants)
drift = 0.005  # F_ST of Balding and Nichols (1995)
spread = (1 - drift) / drift
frequencies = rng.beta(ancestral * spread, (1 - ancestral) * spread, (3, variants))
selected = {1: slice(0, 15), 2: slice(15, 30)}
for population, places in selected.items():
    frequencies[:, places] = 0.1
    frequencies[population, places] = 0.7
copies = np.vstack([rng.binomial(2, row, (persons, variants)) for row in frequencies])
populations = np.repeat(["north", "east", "west"], persons)

# %% [markdown]
# A PLINK file has two bits for each genotype, variant by variant: 00 two copies of the first allele,
# 10 one, 11 none.

# %%
folder = pathlib.Path(tempfile.mkdtemp())
codes = np.array([3, 2, 0], dtype=np.uint8)[copies.T]  # by the number of copies
quads = codes.reshape(variants, -1, 4)
packed = (quads << np.array([0, 2, 4, 6], dtype=np.uint8)).sum(axis=2, dtype=np.uint8)
(folder / "people.bed").write_bytes(b"\x6c\x1b\x01" + packed.tobytes())
(folder / "people.bim").write_text(
    "".join(f"1 rs{i} 0 {1000 * (i + 1)} A G\n" for i in range(variants))
)
(folder / "people.fam").write_text(
    "".join(f"{name} {name}{i} 0 0 0 -9\n" for i, name in enumerate(populations))
)

# %% [markdown]
# The file is read as it is: genotypes are standardised by their frequencies (Patterson, Price and
# Reich 2006), and stay packed.

# %%
people = spca_bench.load_dataset("file", options={"path": str(folder / "people.bed")})
answer = spca_bench.solve(people, [15, 15], solver="tpower")
answer

# %% [markdown]
# Each component has the variants of one population, and the scores separate the three.

# %%
for component in answer.components:
    for population, places in selected.items():
        found = np.intersect1d(component.indices, np.arange(variants)[places])
        print(f"{len(found)} of {len(component)} variants are those of population {population + 1}")

# %%
spca_bench.plot_components(people, answer, groups=populations, most=10)

# %% [markdown]
# The variants by their loadings, with their names.

# %%
answer.plot()
