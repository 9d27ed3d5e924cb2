"""spca_bench.SparsePCA under the parameters of scikit-learn's, as a plugin of pytest for scikit-learn's own tests.

No penalty leaves all variables, with PCA's components; any other leaves as many as our default. Outcomes go to the file that
SPCA_OUTCOMES names.
"""

import json
import os

import sklearn.decomposition

import spca_bench

LEAST_PENALTY = 1e-9
OUTCOMES = {}


class SparsePCA(spca_bench.SparsePCA):
    def __init__(
        self,
        n_components=None,
        *,
        alpha=1,
        ridge_alpha=0.01,
        max_iter=1000,
        tol=1e-8,
        method="lars",
        n_jobs=None,
        U_init=None,
        V_init=None,
        verbose=False,
        random_state=None,
    ):
        super().__init__(n_components=n_components, deflation="projection", random_state=random_state, n_jobs=n_jobs, bound=False)
        self.alpha, self.ridge_alpha, self.max_iter, self.tol, self.method = alpha, ridge_alpha, max_iter, tol, method
        self.U_init, self.V_init, self.verbose = U_init, V_init, verbose

    def fit(self, X, y=None):
        if self.n_components is None:
            self.n_components = X.shape[1]
        if self.alpha < LEAST_PENALTY:
            self.solver, self.cardinality, self.deflation = "pca", X.shape[1], None
        return super().fit(X, y)


sklearn.decomposition.SparsePCA = SparsePCA  # before the tests import it


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        OUTCOMES[report.nodeid.split("::")[-1]] = report.outcome


def pytest_sessionfinish():
    with open(os.environ["SPCA_OUTCOMES"], "w", encoding="utf-8") as file:
        json.dump(OUTCOMES, file)
