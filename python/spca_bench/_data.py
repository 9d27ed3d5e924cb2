"""What is given as data: arrays, data frames, sparse matrices, a covariance, a name."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _arguments, _core

Data = _core.Data

_SCALES = ("n", "n-1", "none")
_ACCEPTED = "a matrix with samples as rows: NumPy, pandas or SciPy (CSR, CSC)"


def data(
    x: Any,
    *,
    covariance: bool = False,
    center: bool = True,
    scale: str = "n",
    names: Any = None,
    copy: bool = True,
    what: str = "x",
) -> Data:
    """Read data once, to solve them many times.

    Parameters
    ----------
    x : array, data frame, sparse matrix, Data or str
        n x p, with samples as rows; or S itself if `covariance`; or the name of a data set. Dense
        numbers are copied once, into the matrix that the solvers use; other types than float64
        and float32 are brought to float64 before. Sparse data stay sparse: they are held by rows
        and by columns.
    covariance : bool, default=False
        Whether `x` is S itself: p x p, symmetric and positive semidefinite.
    center : bool, default=True
        Whether column means are subtracted. Sparse data are centred without being filled.
    scale : {"n", "n-1", "none"}, default="n"
        S = X'X / n, X'X / (n - 1), or X'X.
    names : sequence of str, optional
        Of the variables. By default those of a data frame's columns.
    copy : bool, default=True
        Whether rows of a CSR matrix with indices of 32 bits are copied. If not, its arrays are
        used as they are, and must not change as long as the Data live. `solve` and `SparsePCA`
        copy none, unless X is centred and a mean is more than eight deviations from zero.
    what : str, default="x"
        How messages call `x`.

    Returns
    -------
    Data
        With ``n``, ``p``, ``names``, ``labels``, ``truth``, ``diagonal`` and ``total_variance``.
        ``n`` is 0 if S itself was given. ``samples()`` gives B with S = B'B: the samples, dense,
        centred and scaled.

    Raises
    ------
    ValueError
        If a number is missing or infinite, a shape is wrong, or S is no covariance matrix.

    Examples
    --------
    >>> import numpy as np, spca_bench
    >>> d = spca_bench.data(np.eye(3), covariance=True, names=["a", "b", "c"])
    >>> d.p, d.names, d.total_variance
    (3, ['a', 'b', 'c'], 3.0)
    """
    if isinstance(x, Data):
        return x
    if isinstance(x, str):
        return _named(x, what)
    covariance = _arguments.flag("covariance", covariance)
    center = _arguments.flag("center", center)
    copy = _arguments.flag("copy", copy)
    if scale not in _SCALES:
        raise _arguments.refuse("scale", scale, ", ".join(map(repr, _SCALES)))
    labels = _names(x, names)
    if _is_sparse(x):
        if covariance:
            raise ValueError(f"{what}: found a sparse matrix; accepted: a dense covariance matrix")
        return _sparse(x, center, scale, copy, labels, what)
    matrix = _dense(x, what)
    _check_names(labels, matrix.shape[1])
    if covariance:
        return _core.Data.covariance(matrix, labels, what)
    return _core.Data.dense(matrix, center, scale, labels, what)


def load_dataset(
    name: str, *, options: Any = None, seed: int = 1, data_dir: str | None = None
) -> Data:
    """Load a registered data set, with the preparation that belongs to it.

    Parameters
    ----------
    name : str
        One of `list_datasets`.
    options : dict, optional
        As ``spca_bench.describe(name, "dataset")`` lists them.
    seed : int, default=1
        Of data that are generated.
    data_dir : str, optional
        The data folder; by default that of ``$SPCA_DATA_DIR``, or ``~/.cache/spca``.

    Returns
    -------
    Data

    Raises
    ------
    ValueError
        For another name or option.
    FileNotFoundError
        If the data set reads a file that is not here. The message says which command fetches it.

    Examples
    --------
    >>> import spca_bench
    >>> spca_bench.load_dataset("pitprops").p
    13
    """
    return _core.Data.named(
        _arguments.word("name", name, "the name of a data set; see list_datasets()"),
        _arguments.options(options),
        _arguments.seed(seed),
        "" if data_dir is None else str(data_dir),
    )


def _named(name: str, what: str) -> Data:
    try:
        return load_dataset(name)
    except ValueError:
        if not os.path.isfile(name):
            raise
        options = {"path": name}
        raise ValueError(
            f"{what}: found {name!r}, which is a file and no data set; "
            f'accepted: load_dataset("file", options={options!r})'
        ) from None


def _is_sparse(x: Any) -> bool:
    # Whoever has no SciPy has no sparse matrix.
    return hasattr(x, "tocsr") and hasattr(x, "nnz")


def _names(x: Any, given: Any) -> list[str]:
    if given is not None:
        return [str(name) for name in given]
    columns = getattr(x, "columns", None)
    if columns is None:
        return []
    names = list(columns)
    return names if all(isinstance(name, str) for name in names) else []


def _check_names(names: list[str], p: int) -> None:
    if names and len(names) != p:
        raise ValueError(f"names: found {len(names)}; accepted: one for each of {p} variables")


def _dense(x: Any, what: str) -> np.ndarray:
    try:
        matrix = np.asarray(x)
        if np.iscomplexobj(matrix):
            raise ValueError(f"{what}: found complex numbers; accepted: {_ACCEPTED}")
        native = matrix.dtype.isnative and matrix.flags.aligned
        if matrix.dtype not in (np.float64, np.float32) or not native:
            matrix = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: {error}; accepted: {_ACCEPTED}") from error
    if matrix.ndim != 2:
        raise ValueError(f"{what}: found {matrix.ndim} dimensions; accepted: {_ACCEPTED}")
    return matrix


def _check_starts(x: Any, what: str) -> None:
    # SciPy makes such a matrix, and trusts it when it sorts: it would read outside the arrays.
    starts = x.indptr
    lines = x.shape[1 if x.format == "csc" else 0]
    size = min(len(x.indices), len(x.data))
    is_whole = len(starts) == lines + 1 and starts[0] == 0 and starts[-1] <= size
    if not is_whole or np.any(starts[1:] < starts[:-1]):
        raise ValueError(
            f"{what}: the sparse data are malformed: indptr; "
            f"accepted: {lines + 1} ascending numbers from 0 to {size}"
        )


def _sparse(
    x: Any, center: bool, scale: str, copy: bool, names: list[str], what: str
) -> Data:
    if x.dtype.kind not in "fiub":
        raise ValueError(f"{what}: found numbers of type {x.dtype}; accepted: {_ACCEPTED}")
    if x.format not in ("csr", "csc"):
        x = x.tocsr()
    _check_starts(x, what)
    if not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()
    indices, starts = x.indices, x.indptr
    if indices.dtype != starts.dtype or indices.dtype not in (np.int32, np.int64):
        indices, starts = indices.astype(np.int64), starts.astype(np.int64)
    _check_names(names, x.shape[1])
    return _core.Data.sparse(
        np.ascontiguousarray(x.data, dtype=np.float64),
        np.ascontiguousarray(indices),
        np.ascontiguousarray(starts),
        *x.shape,
        x.format == "csc",
        center,
        scale,
        copy,
        names,
        what,
    )
