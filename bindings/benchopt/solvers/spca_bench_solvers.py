"""Solvers of spca_bench as solvers of benchopt. The parameter `solver` names them."""

from benchopt import BaseSolver, safe_import_context

with safe_import_context() as import_ctx:
    import spca_bench


class Solver(BaseSolver):
    """One solver of spca_bench, run until it stops by itself."""

    name = "spca_bench"
    sampling_strategy = "run_once"
    parameters = {"solver": ["tpower", "fullpath", "local-search", "branch-bound"]}

    def set_objective(self, X, cardinality, n_components):
        # Reading, centring and scaling are not part of the solve.
        self.data = spca_bench.data(X)
        self.cardinality, self.n_components = cardinality, n_components

    def run(self, _):
        self.answer = spca_bench.solve(
            self.data,
            self.cardinality,
            components=self.n_components,
            solver=self.solver,
            bound=False,
        )

    def get_result(self):
        return {"components": self.answer.loadings.T}
