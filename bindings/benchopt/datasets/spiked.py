"""Data with one spike on ten variables, in noise."""

from benchopt import BaseDataset, safe_import_context

with safe_import_context() as import_ctx:
    import numpy as np


class Dataset(BaseDataset):
    """n x p normal numbers; the first ten variables share a random factor."""

    name = "Spiked"
    parameters = {"n_samples, n_features": [(100, 200), (100, 2000)], "seed": [0]}

    def get_data(self):
        rng = np.random.default_rng(self.seed)
        X = rng.standard_normal((self.n_samples, self.n_features))
        X[:, :10] += 1.5 * rng.standard_normal((self.n_samples, 1))
        return {"X": X}
