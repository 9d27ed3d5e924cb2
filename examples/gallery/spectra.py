# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---

# %% [markdown]
# # Spectroscopy: which wavelengths are enough?
#
# The spectra are generated here, so nothing has to be fetched: 90 samples at 150 wavelengths,
# mixtures of water, fat and protein, on a baseline that differs from sample to sample. For spectra
# of your own, set `wavelengths` and `spectra` in the first cell, and leave out the last one.

# %%
import matplotlib.pyplot as plt
import numpy as np

import spca_bench

rng = np.random.default_rng(3)
wavelengths = np.linspace(1100, 2500, 150)
bands = {"water": [(1450, 40), (1940, 45)], "fat": [(1210, 25), (1725, 30), (2310, 30)],
         "protein": [(1510, 35), (2055, 35), (2180, 30)]}
pure = np.array([sum(np.exp(-0.5 * ((wavelengths - at) / width) ** 2) for at, width in all)
                 for all in bands.values()])
shares = rng.dirichlet([4, 3, 2], 90)
baseline = rng.normal(0, 0.1, (90, 1)) + rng.normal(0, 0.1, (90, 1)) * np.linspace(0, 1, 150)
spectra = shares @ pure + baseline + rng.normal(0, 0.005, (90, 150))

# %% [markdown]
# First the baseline is removed: a straight line is subtracted from each spectrum, which is then
# scaled to deviation 1 (the standard normal variate).

# %%
line = np.vander(wavelengths - wavelengths.mean(), 2)
flat = spectra - (line @ np.linalg.lstsq(line, spectra.T, rcond=None)[0]).T
flat /= flat.std(axis=1, keepdims=True)
names = [f"{w:.0f} nm" for w in wavelengths]

# %% [markdown]
# How many components, and how many wavelengths in each?

# %%
found = spca_bench.suggest(flat, names=names, deflation="schur")
print(found.components, "components:", found.why)
for path in found.paths:
    print(path["chosen"], "wavelengths:", path["why"])

# %%
found.plot()

# %% [markdown]
# Neighbouring wavelengths carry the same information, so one wavelength more or less makes little
# difference. Eight are enough to name the bands.

# %%
answer = spca_bench.solve(flat, [8, 8], names=names, deflation="schur")
answer

# %%
figure, axes = plt.subplots(2, sharex=True, figsize=(7, 4), layout="constrained")
axes[0].plot(wavelengths, flat.T, color="gray", lw=0.3)
axes[0].set_ylabel("spectra")
for j, component in enumerate(answer.components):
    axes[1].stem(wavelengths[component.indices], component.values, f"C{j}-",
                 markerfmt=f"C{j}o", basefmt="k-", label=f"component {j + 1}")
axes[1].set(xlabel="wavelength in nm", ylabel="loading")
axes[1].legend()

# %% [markdown]
# Does each component measure a share? The correlations of its scores with the three shares.

# %%
scores = flat @ answer.loadings
for j in range(2):
    correlations = [np.corrcoef(scores[:, j], share)[0, 1] for share in shares.T]
    print(f"component {j + 1}:", ", ".join(f"{name} {c:+.2f}" for name, c in zip(bands, correlations)))
