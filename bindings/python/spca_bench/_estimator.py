"""The estimator for scikit-learn."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _arguments, _core
from ._data import _names, _refuse_other_types, _settled, data
from ._functions import solve
from ._warning import warn

_DEFAULT_CARDINALITY = 10
_LARGEST_SEED = 2**32 - 1
_MISSING = ("error", "mean")
_HAS_VALIDATE_DATA = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 6)


class SparsePCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Sparse principal components with a chosen number of nonzeros, and a bound on the optimum.

    Parameters
    ----------
    n_components : int, optional
        By default the number of cardinalities: one if `cardinality` is one number.
    cardinality : int or sequence of int, optional
        Number of nonzeros: one number for all components, or one for each. By default 10, but at
        most n_features divided by `n_components`. A penalty solver has no default number: it uses
        the penalty in `options`.
    solver : str, default="search"
        One of `spca_bench.list_solvers`.
    options : dict, optional
        Options of the solver; see `spca_bench.describe`.
    deflation : str, optional
        Deflation between the components of a one-component solver; by default ``"remove-support"``, which
        makes them disjoint.
    center : bool, default=True
        Whether column means are subtracted. Sparse X stays sparse.
    scale : {"n-1", "n", "none"}, default="n-1"
        The divisor of variances: n - 1 as in scikit-learn's PCA, n, or none. Variables are not
        standardised; use StandardScaler for that.
    missing : {"error", "mean"}, default="error"
        Treatment of NaN in dense X: an error, or the mean of the column in `fit`.
    random_state : int, RandomState instance or None, default=None
        An int is the seed of ``spca solve``; None is its default, 1, so that two fits agree.
    time_limit : float, optional
        Time limit of the solve in seconds.
    n_jobs : int, optional
        Number of threads; -1: all processors. The answer does not depend on it.
    bound : bool, default=True
        Whether the optimum is bounded, which may take longer than the solve. Without it
        `upper_bound_` and `gap_` are nan; a grid search needs neither.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features_in_)
        Unit vectors, each with at most its cardinality of nonzeros.
    mean_ : ndarray of shape (n_features_in_,)
        Zero if not centred.
    explained_variance_ : ndarray of shape (n_components_,)
        The increase of the projected variance by each component: the variance of the data on the
        span of the components so far, Tr((V'V)^+ V'SV). The sum never exceeds that of PCA with
        the same number of components, even if components overlap.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        `explained_variance_` divided by the total variance.
    upper_bound_ : float
        An upper bound on the variance that any components with these cardinalities explain, if they
        satisfy the constraints of the solver.
    gap_ : float
        (upper_bound_ - sum of explained_variance_) / upper_bound_.
    status_ : str
        ``"converged"``, ``"iteration_limit"``, ``"incomplete"`` or ``"time_limit"``. There may be
        fewer components than requested with the last two. A UserWarning says so, for
        ``"time_limit"`` only if `n_components` was given.
    supports_ : list of ndarray of int
        The variables of each component.
    answer_ : spca_bench.Answer
        The output of ``spca solve --json``.
    n_components_, n_features_in_ : int
    n_samples_ : int
    feature_names_in_ : ndarray of str
        Only if X has names.

    See Also
    --------
    spca_bench.solve : The function that `fit` calls; it needs no scikit-learn.

    Notes
    -----
    `transform` returns the scores T = (X - mean_) V. `inverse_transform` returns the data nearest
    to `mean_` with the scores T: mean_ + T (V'V)^+ V'. `score` is the share of the variance around
    `mean_` that the span of the components keeps, for GridSearchCV.

    Examples
    --------
    >>> import numpy as np
    >>> from spca_bench import SparsePCA
    >>> rng = np.random.RandomState(0)
    >>> X = rng.randn(60, 8)
    >>> X[:, :3] += 3 * rng.randn(60, 1)
    >>> model = SparsePCA(cardinality=3, solver="branch-bound").fit(X)
    >>> model.supports_[0].tolist(), model.gap_
    ([0, 1, 2], 0.0)
    >>> model.transform(X).shape
    (60, 1)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        cardinality: Any = None,
        solver: str = "search",
        options: dict[str, Any] | None = None,
        deflation: str | None = None,
        center: bool = True,
        scale: str = "n-1",
        missing: str = "error",
        random_state: Any = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        bound: bool = True,
    ) -> None:
        self.n_components = n_components
        self.cardinality = cardinality
        self.solver = solver
        self.options = options
        self.deflation = deflation
        self.center = center
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.bound = bound

    def fit(self, X: Any, y: Any = None) -> SparsePCA:
        """Find the components of X.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        SparsePCA
            The estimator itself.

        Raises
        ------
        ValueError
            If a parameter is wrong, or the solver does not take the problem.
        RuntimeError
            If the solver failed, or found no component within the time limit.
        """
        if self.missing not in _MISSING:
            raise _arguments.refuse("missing", self.missing, " or ".join(map(repr, _MISSING)))
        names = _names(X, None)  # scikit-learn keeps no labels that are numbers
        X = self._checked(X, reset=True)
        if self.missing != "error" and not _is_sparse(X):
            X, _ = _settled(X, self.missing, [], "X")
        read = data(
            X, center=self.center, scale=self.scale, names=names or None, copy=False, what="X"
        )
        components = _arguments.optional_whole("n_components", self.n_components)
        if components is not None and components > read.p:
            raise _arguments.refuse("n_components", components, f"1 to p = {read.p}")
        answer = solve(
            read,
            self._cardinality(read.p, components),
            solver=self.solver,
            components=components,
            options=self.options,
            deflation=self.deflation,
            seed=self._seed(),
            threads=self._threads(),
            time_limit=self.time_limit,
            bound=self.bound,
        )
        if not answer.has_answer:
            line = f"solver {self.solver!r}: {answer.status}: {answer.message}"
            raise (ValueError if answer.status == "skipped" else RuntimeError)(line)
        # solve() warns of an incomplete answer itself.
        is_told = answer.status == "incomplete"
        if components is not None and len(answer.components) < components and not is_told:
            line = f"solver {self.solver!r}: {answer.status}: {answer.message}"
            warn(line)
        self._keep(X, read, answer)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return the scores (X - mean_) V.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components_)
        """
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        # Only a few columns of X are needed, and centring the scores keeps X sparse.
        used = np.flatnonzero(np.any(self.components_ != 0, axis=0))
        loadings = self.components_[:, used].T
        if not _is_sparse(X):
            return (X[:, used] - self.mean_[used]) @ loadings
        # Columns that are mostly filled are centred first: with a large mean, the difference of two
        # products would keep few digits.
        is_full = 2 * np.diff(X[:, used].tocsc().indptr) > X.shape[0]
        full, few = used[is_full], used[~is_full]
        centred = (X[:, full].toarray() - self.mean_[full]) @ loadings[is_full]
        return centred + (X[:, few] @ loadings[~is_full] - self.mean_[few] @ loadings[~is_full])

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Return the data nearest to `mean_` with these scores.

        Parameters
        ----------
        X : array of shape (n_samples, n_components_)

        Returns
        -------
        ndarray of shape (n_samples, n_features_in_)
        """
        check_is_fitted(self)
        scores = np.asarray(X, dtype=np.float64)
        if scores.ndim != 2 or scores.shape[1] != self.n_components_:
            raise ValueError(
                f"X: found shape {scores.shape}; accepted: (n_samples, {self.n_components_})"
            )
        return self.mean_ + scores @ self._inverse()

    def score(self, X: Any, y: Any = None) -> float:
        """Return the share of the variance of X around `mean_` that the components keep.

        Parameters
        ----------
        X : array, data frame or sparse matrix of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        float
            1 - ||Y - Y V (V'V)^+ V'||^2 / ||Y||^2 with Y = X - mean_.
        """
        scores = self.transform(X)
        X = self._checked(X, reset=False)
        gram = self.components_ @ self.components_.T
        kept = np.sum((scores @ np.linalg.pinv(gram, hermitian=True)) * scores)
        total = _squares_about(X, self.mean_)
        return float(kept / total) if total > 0 else 0.0

    def _keep(self, X: Any, read: Any, answer: Any) -> None:
        self.answer_ = answer
        self.components_ = np.ascontiguousarray(answer.loadings.T)
        self.n_components_ = len(self.components_)
        self.n_samples_ = X.shape[0]
        self._known_means = None
        if self.missing != "error" and not _is_sparse(X):
            self._known_means = X.mean(axis=0, dtype=np.float64)
        if self.center:
            self.mean_ = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()
        else:
            self.mean_ = np.zeros(read.p)
        loadings = [(one.indices.tolist(), one.values.tolist()) for one in answer.components]
        sums = np.asarray(_core.projected_variances(read, loadings))
        # Only rounding could make an increment negative.
        self.explained_variance_ = np.maximum(np.diff(sums, prepend=0.0), 0.0)
        self.explained_variance_ratio_ = self.explained_variance_ / read.total_variance
        self.upper_bound_ = answer.upper_bound
        self.gap_ = answer.gap
        self.status_ = answer.status
        self.supports_ = answer.supports

    def _inverse(self) -> np.ndarray:
        """Return (V'V)^+ V', r x p."""
        gram = self.components_ @ self.components_.T
        return np.linalg.pinv(gram, hermitian=True) @ self.components_

    def _cardinality(self, p: int, components: int | None) -> Any:
        if self.cardinality is not None:
            return self.cardinality
        name = _arguments.word("solver", self.solver, "the name of a solver; see list_solvers()")
        is_chosen = _core.describe("solver", name, "solver")["rule"] == "cardinality"
        if not is_chosen:
            return None
        return _core.default_cardinality(_DEFAULT_CARDINALITY, p, components or 1)

    def _seed(self) -> int:
        if self.random_state is None:
            return 1
        if isinstance(self.random_state, (int, np.integer)):
            return _arguments.seed(self.random_state, "random_state")
        return int(check_random_state(self.random_state).randint(_LARGEST_SEED, dtype=np.uint32))

    def _threads(self) -> int:
        if self.n_jobs is None:
            return 1
        if self.n_jobs == -1:
            return os.cpu_count() or 1
        return _arguments.whole("n_jobs", self.n_jobs, 1, "None, -1 or a whole number >= 1")

    def _checked(self, X: Any, reset: bool) -> Any:
        X = _refuse_other_types(X, "X")
        wanted = {
            "accept_sparse": ("csr", "csc"),
            "dtype": (np.float64, np.float32),
            "ensure_min_samples": 2 if reset else 1,
            "reset": reset,
        }
        is_finite = "ensure_all_finite" if _HAS_VALIDATE_DATA else "force_all_finite"
        wanted[is_finite] = True if self.missing == "error" else "allow-nan"
        if _HAS_VALIDATE_DATA:
            from sklearn.utils.validation import validate_data

            X = validate_data(self, X, **wanted)
        else:
            X = self._validate_data(X, **wanted)
        if not reset and self.missing != "error" and not _is_sparse(X):
            X = np.where(np.isnan(X), self._known_means, X)
        return X

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def __sklearn_tags__(self) -> Any:
        # scikit-learn >= 1.6.
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _squares_about(X: Any, mean: np.ndarray) -> float:
    """Return ||X - 1m'||^2, without filling a sparse X."""
    if not _is_sparse(X):
        return float(np.square(X - mean).sum())
    columns = X.tocsc()
    if not columns.has_canonical_format:
        columns = columns.copy()
        columns.sum_duplicates()
    entries = np.diff(columns.indptr)
    stored = np.square(columns.data - np.repeat(mean, entries)).sum()
    return float(stored + (X.shape[0] - entries) @ np.square(mean))


def _is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr")
