"""The objective of a benchmark of sparse PCA: the variance explained, measured by spca_bench."""

from benchopt import BaseObjective, safe_import_context

with safe_import_context() as import_ctx:
    import numpy as np

    import spca_bench


class Objective(BaseObjective):
    """Maximise the projected variance of r components with at most k nonzeros each."""

    name = "Sparse PCA"
    min_benchopt_version = "1.5"
    parameters = {"cardinality": [10], "n_components": [1]}

    def set_data(self, X):
        self.X = X
        self.data = spca_bench.data(X)

    def get_objective(self):
        return {"X": self.X, "cardinality": self.cardinality, "n_components": self.n_components}

    def evaluate_result(self, components):
        """`components` are the rows of a matrix, r x p. benchopt minimises `value`."""
        lengths = np.linalg.norm(components, axis=1)
        if not np.all(lengths > 0):
            return {"value": np.inf, "explained_variance_ratio": 0.0, "nonzeros": 0}
        # No number of the solver is trusted: lengths, nonzeros and variances are measured here.
        found = spca_bench.certify(self.data, components, time_limit=1)
        share = found.value / self.data.total_variance
        nonzeros = max(found.cardinality)
        feasible = nonzeros <= self.cardinality and len(components) == self.n_components
        return {
            "value": 1 - share if feasible else np.inf,
            "explained_variance_ratio": share,
            "gap": found.gap,
            "nonzeros": nonzeros,
        }

    def get_one_result(self):
        """Return an answer in the form that solvers return, for benchopt's own tests."""
        components = np.zeros((self.n_components, self.X.shape[1]))
        components[np.arange(self.n_components), np.arange(self.n_components)] = 1
        return {"components": components}
