"""From the user's data to a :class:`Table`; unusable data gets one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import type_of_target

from .._errors import InputError, brief
from ._columns import column_names, is_frame, is_structured, is_unknown
from ._engine.open import is_stored
from ._feature_names import Features
from ._schema import Schema, learn_store
from ._sparse_values import SparseValues
from ._table import Table, checked_weights

#: Whole numbers are amounts where there are more of them than this, with fewer rows each.
MOST_CLASSES, ROWS_PER_CLASS = 30, 5
#: More whole numbers than this, or as few fractions, may be classes or amounts.
FEW_CLASSES = 10

#: From so many rows on, labels that are different in most rows are no classes.
FEWEST_ROWS = 50
#: What a target can be for.
TASKS = ("classification", "regression")

#: Kinds of numpy arrays that are no target.
NO_LABELS = {"c": "complex numbers (Complex data not supported)", "S": "bytes", "V": "records"}


class UnknownTargetError(InputError):
    """The target is unknown in some rows."""

    def __init__(self, rows: NDArray[np.intp]) -> None:
        super().__init__(
            f"`y` must be known in every row, but is unknown (NaN) in {len(rows)} "
            f"(the first is row {rows[0]}); leave these rows out."
        )
        self.rows = rows


def as_table(
    X: Any,
    y: Any,
    *,
    nominal: Features | None = None,
    metadata: Mapping[str, Any] | None = None,
    task: str | None = None,
) -> Table:
    """Make a table of ``X`` and ``y``: typed columns, coded target, and the originals.

    Parameters
    ----------
    X : frame (pandas, polars, arrow), array, sparse matrix or list of rows
    y : one value per row, or one column per target
        Labels or numbers, as scikit-learn's ``type_of_target`` says; but whole numbers with
        many distinct values and few rows each are numbers too. Several columns are for
        estimators that predict several targets at once.
    nominal : numeric columns to treat as categories: names, positions, patterns, ...
    metadata : mapping of name to row-aligned array
    task : "classification" or "regression", where it is already known

    Examples
    --------
    >>> table = as_table([[1.0, "a"], [2.0, "b"], [3.0, None]], ["no", "yes", "no"])
    >>> table.values
    array([[ 1.,  0.],
           [ 2.,  1.],
           [ 3., nan]])
    >>> table.target, table.classes.tolist()
    (array([0, 1, 0]), ['no', 'yes'])
    """
    if is_stored(X):
        stored: Table = X.table(y.name, nominal=nominal, metadata=metadata, task=task)
        return stored
    stays_sparse = sparse.issparse(X) and nominal is None and X.dtype.kind in "iuf"
    schema, values = _sparse(X) if stays_sparse else learn_store(X, nominal)
    several = several_targets(y, len(values))
    target, classes, y = several or as_target(y, len(values), task)
    metadata = {name: v for name, v in (metadata or {}).items() if v is not None}
    for name, rows in metadata.items():
        _check_length(rows, len(values), name)
        if name in ("groups", "time"):
            _check_known(rows, name)
    if "sample_weight" in metadata:
        checked_weights(metadata["sample_weight"], len(values))
    if not (is_frame(X) or is_structured(X) or sparse.issparse(X)):
        X = np.asarray(X) if not isinstance(X, (list, tuple)) else _array_of(X)
    return Table(schema.names, values, schema.levels, target, classes, X, y, metadata)


def _sparse(X: Any) -> tuple[Schema, Any]:
    values = SparseValues(X)
    if not min(values.shape):
        raise InputError(f"`X` must have at least one row and one column, but has {values.shape}.")
    if np.isinf(values.csc.data).any():
        raise InputError("`X` must hold finite numbers, but a stored value is infinite.")
    names = column_names(X)
    return Schema(names, (None,) * len(names)), values


def several_targets(y: Any, n_rows: int) -> tuple[NDArray[Any], None, NDArray[Any]] | None:
    """Several targets as columns of numbers, and as they were given; None for one target."""
    if y is None or nw.dependencies.is_into_series(y):
        return None
    array = nw.from_native(y, eager_only=True).to_numpy() if is_frame(y) else y
    if sparse.issparse(array):
        array = array.toarray()
    if not isinstance(array, np.ndarray) and not _is_matrix(array):
        return None
    array = np.asarray(array)
    if array.ndim != 2 or array.shape[1] < 2:
        return None
    _check_length(array, n_rows, "y")
    _check_values(array)
    columns = [np.unique(c, return_inverse=True)[1] if c.dtype.kind not in "biuf" else c
               for c in array.T]  # fmt: skip
    numbers = np.column_stack(columns).astype(np.float64)
    if not np.isfinite(numbers).all():
        raise InputError("`y` must be known and finite in every row and column; leave rows out.")
    return numbers, None, array


def _is_matrix(y: Any) -> bool:
    """Return whether it is a list of lists of the same length."""
    rows = isinstance(y, list | tuple) and len(y) > 0
    return rows and all(isinstance(row, list | tuple) and len(row) == len(y[0]) for row in y)


def as_target(
    y: Any, n_rows: int, task: str | None = None
) -> tuple[NDArray[Any], NDArray[Any] | None, NDArray[Any]]:
    """Return the coded target, its classes (None if it is numeric), and the target as an array."""
    if y is None:
        raise InputError(
            "`y` must be given, one value per row: selection requires y to be passed, "
            "but the target y is None."
        )
    y = _vector(y)
    _check_length(y, n_rows, "y")
    unknown = np.flatnonzero(_unknown(y))
    if len(unknown):
        raise UnknownTargetError(unknown)
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise InputError("`y` must hold finite numbers, but has infinite values; leave them out.")
    if _is_numeric(y, task):
        return y.astype(np.float64), None, y
    classes, codes = _classes(y)
    if len(y) >= FEWEST_ROWS and 2 * len(classes) > len(y):
        raise InputError(
            f"`y` must hold a few classes with several rows each, but has {len(classes)} different "
            f"labels in {len(y)} rows, as an identifier has; choose another target, or for amounts "
            'task="regression".'
        )
    if len(classes) < 2:
        raise InputError(
            f"`y` must have at least two classes, but has only one class "
            f"({classes.tolist()[0]!r}); there is nothing to predict."
        )
    if y.dtype.kind == "O":
        # Labels of one plain type: scikit-learn's metrics refuse arrays of objects.
        classes = _plain_classes(classes)
        y = classes[codes]
    return codes.astype(np.int64), classes, y


def _plain_classes(classes: NDArray[Any]) -> NDArray[Any]:
    plain = np.array(classes.tolist())
    odd = plain.dtype.kind == "O" or (plain.dtype.kind == "f" and not np.isfinite(plain).all())
    if odd or plain.ndim != 1:
        raise InputError(
            "`y` must hold texts, finite numbers or truth values, but holds "
            f"{brief(classes[0])}; make its labels strings."
        )
    return plain


def _vector(y: Any) -> NDArray[Any]:
    if nw.dependencies.is_into_series(y):
        y = nw.from_native(y, series_only=True)
        y = y.to_numpy() if y.dtype.is_numeric() else _natural(y.to_list())
    elif is_frame(y):
        y = nw.from_native(y, eager_only=True).to_numpy()
    if isinstance(y, (list, tuple)):
        y = _natural(list(y))
    y = _array(y)
    _check_values(y)
    if y.ndim > 2 or (y.ndim == 2 and y.shape[1] != 1):
        raise InputError(
            f"`y` must be one column (y should be a 1d array), but has shape {y.shape}; "
            "select for one target at a time."
        )
    return np.asarray(column_or_1d(y, warn=True))


def _array(y: Any) -> NDArray[Any]:
    try:
        array = np.asarray(y)
    except Exception:  # rows of different lengths, or objects that raise what they like
        raise InputError(
            "`y` must hold one value per row, but its rows have several; give one column."
        ) from None
    return array


def _check_values(y: NDArray[Any]) -> None:
    if y.ndim == 0:
        raise InputError(f"`y` must hold one value per row, but is {brief(y.tolist())}.")
    kind = y.dtype.kind
    if kind == "O" and any(isinstance(v, bytes) for v in y.ravel()):
        kind = "S"
    if kind in NO_LABELS:
        raise InputError(
            f"`y` must hold labels or real numbers, but holds {NO_LABELS[kind]}; make them "
            "strings or numbers."
        )


def _natural(values: list[Any]) -> NDArray[Any]:
    """Return an array of the list; objects where numpy would turn unknown values into strings."""
    array = _array(values)
    if array.dtype.kind in "US" and any(is_unknown(v) for v in values):
        return np.array(values, dtype=object)
    return array


def _unknown(y: NDArray[Any]) -> NDArray[np.bool_]:
    if y.dtype.kind == "O":
        return np.array([is_unknown(v) for v in y], dtype=bool)
    if y.dtype.kind in "mM":
        return np.asarray(np.isnat(y))
    return np.isnan(y) if y.dtype.kind == "f" else np.zeros(len(y), dtype=bool)


def _counts_rather_than_labels(y: NDArray[Any]) -> bool:
    """Return whether whole numbers are amounts: so many that a class would have hardly a row."""
    if y.dtype.kind not in "iuf":
        return False
    distinct = len(np.unique(y))
    return distinct > MOST_CLASSES and len(y) < ROWS_PER_CLASS * distinct


def checked_task(task: object) -> str | None:
    """Return the task, None for "auto".

    >>> checked_task("auto"), checked_task("regression")
    (None, 'regression')
    """
    if task is None or (isinstance(task, str) and task in ("auto", *TASKS)):
        return None if task == "auto" else task  # type: ignore[return-value]
    raise InputError(
        f'`task` must be "classification", "regression" or "auto", but is {brief(task)}.'
    )


def refuse_unclear(y: Any) -> None:
    """Ask, in a sentence, whether numbers are classes or amounts where both are likely.

    Whole numbers with more than ten different values but many rows of each may be either; so
    may fractions with few different values.
    """
    values = np.asarray(y) if isinstance(y, np.ndarray | list | tuple) else _series(y)
    if values is None or values.ndim != 1 or values.dtype.kind not in "iuf" or len(values) == 0:
        return
    known = values[np.isfinite(values)]
    distinct = np.unique(known)
    many = len(known) >= ROWS_PER_CLASS * len(distinct)
    whole = bool((distinct % 1 == 0).all())
    if many and (len(distinct) > FEW_CLASSES if whole else 2 < len(distinct) <= FEW_CLASSES):
        raise InputError(
            f"`y` has {len(distinct)} different numbers (from {distinct[0]:g} to "
            f"{distinct[-1]:g}), which may be classes or amounts: say which by "
            'task="classification" or task="regression" (--task), or by the measure, such as '
            '"naive-bayes" for classes or "linear-regression" for amounts.'
        )


def _series(y: Any) -> NDArray[Any] | None:
    """Return the values of a numeric series of any library."""
    if not nw.dependencies.is_into_series(y):
        return None
    series = nw.from_native(y, series_only=True)
    return np.asarray(series.to_numpy()) if series.dtype.is_numeric() else None


def _is_numeric(y: NDArray[Any], task: str | None) -> bool:
    if task == "regression":
        if y.dtype.kind not in "biuf":
            raise InputError(f"`y` must hold numbers for a regression, but holds {str(y[0])!r}.")
        return True
    # type_of_target refuses objects that are not strings, such as Python's own booleans.
    kind = type_of_target(y) if y.dtype.kind != "O" else "multiclass"
    if task is None and kind == "multiclass" and _counts_rather_than_labels(y):
        return True
    if kind == "continuous" and task == "classification":
        raise InputError(
            "`y` must hold classes (Unknown label type: continuous), but holds fractional "
            "numbers; discretise it, or use a regressor."
        )
    return bool(kind == "continuous")


def _classes(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except Exception:  # objects of a stranger may raise anything
        raise InputError(
            "`y` must hold labels of one type, but mixes several (strings and numbers?); "
            "make them all strings."
        ) from None
    return classes, codes


def _check_length(rows: Any, n_rows: int, name: str) -> None:
    try:
        shape = rows.shape if hasattr(rows, "shape") else np.shape(rows)[:1]
    except Exception:  # objects of a stranger may raise anything
        shape = ()
    if not shape:
        raise InputError(f"`{name}` must hold one value per row, but is {brief(rows)}.")
    found = shape[0]
    if found != n_rows:
        raise InputError(
            f"`{name}` must have as many rows as `X` ({n_rows}), but has {found}: "
            "inconsistent numbers of samples."
        )


def _check_known(rows: Any, name: str) -> None:
    unknown = int(_unknown(np.asarray(rows)).sum())
    if unknown:
        raise InputError(
            f"`{name}` must be known in every row, but is unknown in {unknown}; fill it in, or "
            "leave these rows out."
        )


def _array_of(rows: Any) -> NDArray[Any]:
    array = np.asarray(rows)
    return np.array(rows, dtype=object) if array.dtype.kind in "USO" else array
