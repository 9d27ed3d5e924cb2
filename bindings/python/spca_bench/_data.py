"""Data from arrays, data frames, sparse matrices, a covariance matrix or a name."""

from __future__ import annotations

import errno
import numbers
import os
from collections import Counter
from typing import Any

import numpy as np

from . import _arguments, _core
from ._warning import warn

Data = _core.Data

# NumPy's kinds of types that are refused, and their names in messages.
_KINDS = {
    "c": "complex numbers",
    "M": "dates",
    "m": "durations",
    "U": "text",
    "S": "text",
    "V": "records",
}
_SCALES = ("n", "n-1", "none")
_MISSING = "'error', 'mean', 'low-rank', 'drop-rows' or 'drop-columns'"
_SYMMETRIC = "{}: is square and symmetric, and taken as data; covariance=True takes it as S"
_ACCEPTED = "a matrix with samples as rows: NumPy, pandas, polars, Arrow or SciPy (CSR, CSC)"


def data(
    x: Any,
    *,
    covariance: bool = False,
    center: bool = True,
    scale: str = "n",
    standardize: bool = False,
    names: Any = None,
    missing: str = "error",
    copy: bool = True,
    what: str = "x",
) -> Data:
    """Read data once, for many solves.

    Parameters
    ----------
    x : array, data frame, sparse matrix, Data, str or pathlib.Path
        n x p, with samples as rows; or S itself if `covariance`; or the name of a data set; or, as
        a `pathlib.Path`, a file that ``spca solve --data`` takes. Dense
        numbers are copied once, into the matrix that the solvers use; types other than float64
        and float32 are converted to float64 before. Sparse data stay sparse: they are stored by
        rows and by columns.
    covariance : bool, default=False
        Whether `x` is S itself: p x p, symmetric and positive semidefinite.
    center : bool, default=True
        Whether column means are subtracted. Sparse data are centred implicitly.
    scale : {"n", "n-1", "none"}, default="n"
        S = X'X / n, X'X / (n - 1), or X'X.
    standardize : bool, default=False
        Whether S is the correlation matrix, as for ``spca solve --standardize``; needs the default
        `center` and `scale`. A constant column keeps the variance 0. `path` and `suggest` then
        standardise each part of the samples anew.
    names : sequence of str, optional
        Names of the variables. By default those of a data frame's columns, as text; labels that are
        the numbers 0 to p - 1 are no names.
    missing : str, default="error"
        Treatment of missing values (NaN, None, ``pd.NA``, masked entries) in dense data:
        ``"error"``, ``"mean"`` of the column, ``"low-rank"``, ``"drop-rows"`` or
        ``"drop-columns"``, as for ``spca solve --missing``. A UserWarning reports the treatment.
    copy : bool, default=True
        Whether rows of a CSR matrix with indices of 32 bits are copied. If not, its arrays are
        used as they are, and must not change as long as the Data live. `solve` and `SparsePCA`
        copy none, unless X is centred and a mean is more than eight deviations from zero. Those
        of standardised data are copied.
    what : str, default="x"
        The name of `x` in messages.

    Returns
    -------
    Data
        With ``n``, ``p``, ``names``, ``labels``, ``truth``, ``diagonal`` and ``total_variance``.
        ``n`` is 0 if S itself was given. ``samples()`` returns B with S = B'B: the samples, dense,
        centred and scaled.

    Raises
    ------
    ValueError
        If a number is missing or infinite, a shape is wrong, or S is not a covariance matrix.

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
    standardize = _arguments.flag("standardize", standardize)
    copy = _arguments.flag("copy", copy)
    missing = _arguments.word("missing", missing, _MISSING)
    if scale not in _SCALES:
        raise _arguments.refuse("scale", scale, ", ".join(map(repr, _SCALES)))
    if isinstance(x, os.PathLike):
        return _file(x, covariance, center, scale, standardize, names, missing)
    _refuse_annotated(x, what)
    labels = _names(x, names)
    if _is_table(x):
        x = _table(x, what)
    _warn_of_equal(labels, what)
    if covariance:
        if standardize:
            raise _arguments.refuse("standardize", standardize, "False for a covariance matrix")
        _check_order(x, what)
    if _is_sparse_frame(x):
        x = x.sparse.to_coo()
    if _is_sparse(x):
        if covariance:
            raise ValueError(f"{what}: found a sparse matrix; accepted: a dense covariance matrix")
        found = _sparse(x, center, scale, standardize, copy, labels, what)
        p = x.shape[1]
        if p > 1 and x.shape[0] == p and _is_symmetric(x):
            _warn([_SYMMETRIC.format(what)])
        return found
    matrix = _dense(x, what)
    _check_names(labels, matrix.shape[1])
    if covariance:
        if missing != "error":
            raise _arguments.refuse("missing", missing, "'error' for a covariance matrix")
        try:
            return _core.Data.covariance(matrix, labels, what)
        except ValueError as error:
            if "semidefinite" not in str(error):
                raise
            remedy = "or a file read with nearest: load_dataset('file', options={'path': ..., "
            remedy += "'kind': 'covariance', 'nearest': True})"
            raise ValueError(f"{error}; {remedy}") from None
    matrix, labels = _settled(matrix, missing, labels, what)
    _warn_of_symmetry(matrix, what)
    try:
        found = _core.Data.dense(matrix, center, scale, standardize, labels, what)
    except ValueError:
        if np.isnan(matrix).any():
            _core.without_missing(matrix, "error", labels, what)  # counts them, and has the remedy
        raise
    _warn(found.notes)
    return found


def load_dataset(
    name: str, *, options: Any = None, seed: int = 1, data_dir: str | None = None
) -> Data:
    """Load a registered data set, with its usual preparation.

    Parameters
    ----------
    name : str
        One of `list_datasets`.
    options : dict, optional
        As ``spca_bench.describe(name, "dataset")`` lists them.
    seed : int, default=1
        Seed of generated data.
    data_dir : str, optional
        The data folder; by default that of ``$SPCA_DATA_DIR``, or ``~/.cache/spca``.

    Returns
    -------
    Data

    Raises
    ------
    ValueError
        If the name or an option is unknown.
    FileNotFoundError
        If the data set reads a missing file. The message names the command that fetches it.

    Examples
    --------
    >>> import spca_bench
    >>> spca_bench.load_dataset("pitprops").p
    13
    """
    found = _loaded(name, options, seed, data_dir)
    _warn(found.notes)
    return found


def _loaded(name: str, options: Any, seed: int, data_dir: str | None) -> Data:
    try:
        return _core.Data.named(
            _arguments.word("name", name, "the name of a data set; see list_datasets()"),
            _arguments.options(options),
            _arguments.seed(seed),
            "" if data_dir is None else str(data_dir),
        )
    except ValueError as error:
        if name == "file" and f"({os.strerror(errno.ENOENT)})" in str(error):
            raise FileNotFoundError(str(error)) from None
        raise


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


def _file(
    path: os.PathLike[str],
    covariance: bool,
    center: bool,
    scale: str,
    standardize: bool,
    names: Any,
    missing: str,
) -> Data:
    if names is not None:
        raise _arguments.refuse("names", names, "None for a file")
    options: dict[str, Any] = {"path": os.fspath(path)}
    if missing != "error":
        options["missing"] = missing
    if standardize:
        options["standardize"] = True
    if covariance:
        options["kind"] = "covariance"
    else:
        options |= {"scale": scale} if center else {"scale": scale, "center": "no"}
    # Messages may name options of the data set "file" that the caller's function does not have.
    remedy = f'; options: load_dataset("file", options={{"path": {os.fspath(path)!r}, ...}})'
    try:
        found = _loaded("file", options, 1, None)
    except FileNotFoundError:
        raise
    except ValueError as error:
        raise ValueError(f"{error}{remedy if '`' in str(error) else ''}") from None
    _warn([note + (remedy if "`" in note else "") for note in found.notes])
    return found


def _warn(notes: list[str]) -> None:
    for note in notes:
        warn(note)


def _warn_of_equal(names: list[str], what: str) -> None:
    equal = [name for name, count in Counter(names).items() if count > 1]
    if equal:
        others = len(equal) - 1
        more = "" if others == 0 else f" and {others} other{'s' if others > 1 else ''}"
        _warn([f"{what}: shared names: {equal[0]!r} ({names.count(equal[0])} times){more}"])


def _is_symmetric(x: Any) -> bool:
    """Return whether a square sparse matrix equals its transpose.

    For most matrices the first block of rows decides.
    """
    if x.format not in ("csr", "csc"):
        x = x.tocsr()
    step = -(-x.shape[0] // 64)  # x - x' as a whole would take the memory of two more copies
    for begin in range(0, x.shape[0], step):
        rows = slice(begin, begin + step)
        if (x[rows] != x[:, rows].T).nnz > 0:
            return False
    return True


def _warn_of_symmetry(matrix: np.ndarray, what: str) -> None:
    p = matrix.shape[1]
    if p > 1 and matrix.shape[0] == p and np.array_equal(matrix, matrix.T):
        _warn([_SYMMETRIC.format(what)])


def _check_order(x: Any, what: str) -> None:
    """Check that the rows of a data frame that is S are named like its columns, in the same order."""
    rows, columns = getattr(x, "index", None), getattr(x, "columns", None)
    if rows is None or columns is None:
        return
    are_words = all(isinstance(name, str) for name in rows)
    rows, columns = [_text_of(name) for name in rows], [_text_of(name) for name in columns]
    if not are_words and set(rows) != set(columns):
        return
    for place, (row, column) in enumerate(zip(rows, columns)):
        if row != column:
            raise ValueError(
                f"{what}: row {place + 1} is called {row!r}, and column {place + 1} {column!r}; "
                "accepted: a covariance matrix with rows and columns in one order"
            )


def _settled(
    matrix: np.ndarray, missing: str, names: list[str], what: str
) -> tuple[np.ndarray, list[str]]:
    """Return the matrix and its names without missing values; unchanged if nothing is missing."""
    if missing == "error" or not np.isnan(matrix).any():
        if missing != "error":
            _core.without_missing(matrix[:0], missing, names, what)  # refuses an unknown word
        return matrix, names
    settled, kept, notes = _core.without_missing(matrix, missing, names, what)
    _warn([f"{what}: {note}" for note in notes])
    return settled, kept


def _refuse_annotated(x: Any, what: str, takes_data: bool = True) -> None:
    """Refuse an AnnData, which has several matrices, and say how a caller passes one of them."""
    if not _is_frame(x) and all(hasattr(x, one) for one in ("X", "layers", "var_names")):
        accepted = f"one of its matrices: {what}.X or {what}.layers[NAME]"
        if takes_data:
            accepted += f"; with names: data({what}.X, names=list({what}.var_names))"
        raise ValueError(f"{what}: found {type(x).__name__}; accepted: {accepted}")


def _is_sparse(x: Any) -> bool:
    # SciPy is not imported: it need not be installed.
    return hasattr(x, "tocsr") and hasattr(x, "nnz")


def _is_frame(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "dtypes") and hasattr(x, "to_numpy")


def _is_sparse_frame(x: Any) -> bool:
    return _is_frame(x) and len(x.columns) > 0 and all("Sparse" in str(one) for one in x.dtypes)


def _is_table(x: Any) -> bool:
    """Return whether x is a table of polars or Arrow. A pandas data frame also has ``iloc``."""
    return hasattr(x, "__arrow_c_stream__") and hasattr(x, "columns") and not hasattr(x, "iloc")


def _names(x: Any, given: Any) -> list[str]:
    if given is not None:
        return [str(name) for name in given]
    # `columns` of an Arrow table are arrays; `column_names` are their names.
    columns = getattr(x, "column_names", getattr(x, "columns", None))
    labels = [] if columns is None else list(columns)
    is_default = all(
        isinstance(label, numbers.Integral) and label == place for place, label in enumerate(labels)
    )
    return [] if is_default else [_text_of(label) for label in labels]


def _text_of(label: Any) -> str:
    """Return the label of a column as text; the levels of a MultiIndex are joined."""
    if isinstance(label, tuple):
        return ", ".join(str(level) for level in label if level != "")
    return str(label)


def _check_names(names: list[str], p: int) -> None:
    if names and len(names) != p:
        raise ValueError(f"names: found {len(names)}; accepted: one for each of {p} variables")


def _dense(x: Any, what: str) -> np.ndarray:
    """Return x as a matrix of float64 or float32, with NaN for missing values of any kind."""
    if _is_frame(x):
        matrix = _frame(x, what)
    else:
        if isinstance(x, (list, tuple)) and any(isinstance(row, np.ma.MaskedArray) for row in x):
            x = np.ma.stack([np.ma.asarray(row) for row in x])  # NumPy would drop the masks
        mask = np.ma.getmaskarray(x) if isinstance(x, np.ma.MaskedArray) else None
        try:
            matrix = np.asarray(x)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{what}: {error}; accepted: {_ACCEPTED}") from error
        if matrix.dtype.kind in _KINDS:
            raise ValueError(f"{what}: found {_KINDS[matrix.dtype.kind]}; accepted: {_ACCEPTED}")
        if mask is not None and mask.any():
            matrix = np.where(mask, np.nan, matrix.astype(np.float64))
    if matrix.ndim != 2:
        is_scalar = matrix.ndim == 0 and not isinstance(x, np.ndarray)
        found = type(x).__name__ if is_scalar else f"{matrix.ndim} dimensions"
        raise ValueError(f"{what}: found {found}; accepted: {_ACCEPTED}")
    native = matrix.dtype.isnative and matrix.flags.aligned
    if matrix.dtype not in (np.float64, np.float32) or not native:
        matrix = _as_floats(matrix, what)
    return matrix


def _refuse_other_types(x: Any, what: str) -> Any:
    """Refuse dates and durations, and return masked entries as NaN.

    scikit-learn would turn dates and durations into numbers, and drop the mask.
    """
    _refuse_annotated(x, what, takes_data=False)
    kinds = [getattr(one, "kind", "O") for one in getattr(x, "dtypes", [])] if _is_frame(x) else []
    kinds.append(getattr(getattr(x, "dtype", None), "kind", "O"))
    for kind in kinds:
        if kind in "Mm":
            raise ValueError(f"{what}: found {_KINDS[kind]}; accepted: numbers")
    if isinstance(x, (list, tuple)) and any(isinstance(row, np.ma.MaskedArray) for row in x):
        return _dense(x, what)
    return _dense(x, what) if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x) else x


def _as_floats(matrix: np.ndarray, what: str) -> np.ndarray:
    if matrix.dtype.kind in "iu":
        _warn_of_rounding([matrix], what)
    if matrix.dtype.kind != "O":
        return np.asarray(matrix, dtype=np.float64)
    values = np.empty(matrix.shape)
    for place, entry in np.ndenumerate(matrix):
        values[place] = _number(entry, f"{what}: row {place[0] + 1}, column {place[1] + 1}")
    return values


def _warn_of_rounding(integers: list[np.ndarray], what: str) -> None:
    """Warn once if integers are too large for float64."""
    if any((np.abs(column.astype(np.float64)) >= 2**53).any() for column in integers):
        _warn([f"{what}: integers beyond 2^53 are rounded to 53 bits"])


def _number(entry: Any, where: str) -> float:
    # None, pd.NA and pd.NaT are missing values. A text that looks like a number is refused.
    if entry is None or type(entry).__name__ in ("NAType", "NaTType"):
        return np.nan
    if isinstance(entry, (str, bytes, complex, np.datetime64, np.timedelta64)):
        raise ValueError(f"{where}: found {entry!r}; accepted: a number")
    try:
        return float(entry)
    except (TypeError, ValueError):
        raise ValueError(f"{where}: found {entry!r}; accepted: a number") from None


def _frame(x: Any, what: str) -> np.ndarray:
    """Convert the columns of a data frame, each according to its type."""
    types = list(x.dtypes)
    if types and all(one == types[0] and one in (np.float64, np.float32) for one in types):
        return np.asarray(x)
    columns = []
    for place, one in enumerate(types):
        where = f"{what}: column {place + 1} ({x.columns[place]})"
        column = x.iloc[:, place]
        if getattr(one, "kind", "O") in _KINDS:
            raise ValueError(f"{where}: found {_KINDS[one.kind]}; accepted: numbers")
        if str(one) == "category":
            raise ValueError(f"{where}: found categories; accepted: numbers")
        if getattr(one, "kind", "O") == "O":
            columns.append([_number(entry, f"{where}, row {i + 1}") for i, entry in enumerate(column)])
        else:
            columns.append(column.to_numpy(dtype=np.float64, na_value=np.nan))
    _warn_of_rounding([columns[j] for j, one in enumerate(types) if getattr(one, "kind", "O") in "iu"], what)
    if not columns:
        return np.asarray(x, dtype=np.float64)
    return np.column_stack(columns)


def _table(x: Any, what: str) -> np.ndarray:
    """Convert the columns of a table of polars or Arrow, each according to its type."""
    names = _names(x, None)
    columns = []
    for place, column in enumerate(x.columns if hasattr(x, "column_names") else x.get_columns()):
        where = f"{what}: column {place + 1} ({names[place]})"
        values = np.asarray(column.to_numpy())  # a missing number is NaN, other missing values None
        if values.dtype.kind in _KINDS:
            raise ValueError(f"{where}: found {_KINDS[values.dtype.kind]}; accepted: numbers")
        if values.dtype.kind == "O":
            values = np.array([_number(entry, f"{where}, row {i + 1}") for i, entry in enumerate(values)])
        columns.append(values)
    if any(values.dtype.kind == "f" for values in columns):  # else _as_floats() looks at integers
        _warn_of_rounding([values for values in columns if values.dtype.kind in "iu"], what)
    return np.column_stack(columns) if columns else np.empty(tuple(x.shape))


def _check_starts(x: Any, what: str) -> None:
    # SciPy accepts a malformed indptr, and would read outside the arrays when it sorts the entries.
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
    x: Any,
    center: bool,
    scale: str,
    standardize: bool,
    copy: bool,
    names: list[str],
    what: str,
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
    found = _core.Data.sparse(
        np.ascontiguousarray(x.data, dtype=np.float64),
        np.ascontiguousarray(indices),
        np.ascontiguousarray(starts),
        *x.shape,
        x.format == "csc",
        center,
        scale,
        standardize,
        copy,
        names,
        what,
    )
    _warn(found.notes)
    return found
