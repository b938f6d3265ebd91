"""Columns of arrays, frames of any library, lists and sparse matrices."""

from __future__ import annotations

import datetime
import numbers
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._errors import InputError, brief

#: A moment as text, as ISO 8601 writes it.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z?)?")


@dataclass(frozen=True, eq=False)
class Column:
    """Column as it was found: numbers, or labels.

    ``numbers`` is float64 or float32 with NaN for unknown. Otherwise ``labels`` holds the values,
    or ``codes`` their indices in the declared ``levels`` (negative for unknown).
    """

    numbers: NDArray[np.floating[Any]] | None = None
    labels: Sequence[object] | None = None
    levels: tuple[object, ...] | None = None
    codes: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of a table, their names, and whether these came from the table itself.

    ``matrix`` is the table as one array where it is one of float64 or float32: it needs no copy.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    n_rows: int
    named: bool
    matrix: NDArray[np.floating[Any]] | None = None


def is_frame(X: object) -> bool:
    """Return whether ``X`` is a frame or a table that narwhals can read."""
    return bool(nw.dependencies.is_into_dataframe(X))


def is_structured(X: object) -> bool:
    """Return whether ``X`` is a numpy array with named fields."""
    return isinstance(X, np.ndarray) and X.dtype.names is not None


def column_names(X: Any) -> tuple[str, ...]:
    """Return the names of the columns; ``x0``, ``x1``, ... where there are none."""
    if is_structured(X):
        return tuple(X.dtype.names)
    if is_frame(X):
        names = getattr(X, "column_names", None)
        return tuple(_name_text(name) for name in (X.columns if names is None else names))
    width = X.shape[1] if hasattr(X, "shape") else len(X[0])
    return tuple(f"x{j}" for j in range(width))


def _name_text(name: object) -> str:
    try:
        return str(name)
    except Exception:
        raise InputError(
            f"The names of columns must be texts, but one is {brief(name)}; rename it."
        ) from None


def read_columns(X: Any) -> Columns:
    """Read the columns of ``X``; an InputError says why ``X`` is not a table."""
    if nw.dependencies.is_polars_lazyframe(X):
        raise InputError("`X` must be in memory, but is a LazyFrame; call .collect() first.")
    if is_frame(X):
        names = unique_names(column_names(X))
        if nw.dependencies.is_pandas_dataframe(X):
            block = one_block(X)
            if block is not None:
                columns = tuple(Column(numbers=column) for column in block.T)
            else:
                columns = tuple(_from_pandas(series) for _, series in X.items())
            return checked(Columns(names, columns, len(X), True, block))
        frame = nw.from_native(X, eager_only=True)
        columns = tuple(_from_series(frame.get_column(name)) for name in frame.columns)
        return checked(Columns(names, columns, len(frame), True))
    if is_structured(X):
        columns = tuple(_from_array(X[name]) for name in X.dtype.names)
        return checked(Columns(column_names(X), columns, len(X), True))
    if isinstance(X, (list, tuple)) and _rectangular(X):
        names = tuple(f"x{j}" for j in range(len(X[0])))
        columns = tuple(_from_array(_list_column(values)) for values in zip(*X, strict=True))
        return checked(Columns(names, columns, len(X), False))
    matrix = as_matrix(X)
    columns = tuple(_from_array(matrix[:, j]) for j in range(matrix.shape[1]))
    whole = matrix if stored_as_is(matrix.dtype) else None
    return checked(Columns(column_names(matrix), columns, len(matrix), False, whole))


def stored_as_is(dtype: Any) -> bool:
    """Return whether numbers of this type are kept as they are."""
    return dtype in (np.float64, np.float32)


def one_block(X: Any) -> NDArray[np.floating[Any]] | None:
    """Return the array behind a frame of pandas whose columns are all of one type of float."""
    kinds = set(X.dtypes) if nw.dependencies.is_pandas_dataframe(X) else ()
    return X.to_numpy() if len(kinds) == 1 and stored_as_is(*kinds) else None


def column_of(values: Sequence[Any]) -> Column:
    """Convert a list of values to a column: numbers or labels; None is unknown."""
    return _from_array(_list_column(tuple(values)))


def spread(
    column: Column, at: Sequence[int], n: int, number: float = np.nan, code: int = -1
) -> Column:
    """Return a column of ``n`` rows with these values in the rows ``at``; else ``number``, ..."""
    if len(at) == n:
        return column
    if column.numbers is not None:
        numbers = np.full(n, number)
        numbers[at] = column.numbers
        return Column(numbers=numbers)
    if column.codes is not None:
        codes = np.full(n, code, dtype=np.int32)
        codes[at] = column.codes
        return Column(levels=column.levels, codes=codes)
    labels: list[object] = [None] * n
    for i, label in zip(at, column.labels or (), strict=True):
        labels[i] = label
    return Column(labels=labels, levels=column.levels)


def as_matrix(X: Any) -> NDArray[Any]:
    """Return a dense array with rows and columns."""
    if sparse.issparse(X):
        X = X.toarray()
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    try:
        matrix = np.asarray(X)
    except Exception:  # rows of different lengths, or objects that raise what they like
        raise InputError(
            f"`X` must be a table with rows and columns, but is {brief(X)}, which is no array."
        ) from None
    if matrix.ndim != 2:
        raise InputError(
            f"`X` must be a table with rows and columns (Expected 2D array), but has "
            f"{matrix.ndim} dimension(s). Reshape your data, for one column with X.reshape(-1, 1)."
        )
    return matrix


def refuse_complex(kind: str, column: str = "") -> None:
    """Raise a sentence for complex numbers; ``kind`` is numpy's letter for the type."""
    if kind == "c":
        where = f"Column {column!r} of `X`" if column else "`X`"
        raise InputError(
            f"{where} must hold real numbers or labels (Complex data not supported): give real "
            "and imaginary parts as two columns."
        )


def is_unknown(value: Any) -> bool:
    """Return whether a label stands for no value: None, NaN, NaT, pandas' NA."""
    if value is None or type(value).__name__ == "NAType":
        return True
    try:
        return bool(value != value)
    except Exception:  # an array, a decimal that signals, an object of a stranger
        raise no_label(value) from None


def no_label(value: object) -> InputError:
    """Return the error of an object that cannot be compared with others."""
    return InputError(
        f"`X` and `y` must hold numbers or labels, but hold {brief(value)}, which cannot be "
        "compared; make such objects strings."
    )


def checked(found: Columns) -> Columns:
    """Return the columns, if there is a row and a column and no name occurs twice.

    Here the same rule decides for tables from every source: moments are numbers, also as text.
    """
    unique_names(found.names)
    shape = (found.n_rows, len(found.names))
    if not found.n_rows:
        raise InputError(f"`X` must have at least one row, but has 0 sample(s) (shape={shape}).")
    if not found.names:
        raise InputError(
            f"`X` must have at least one column: Found array with 0 feature(s) (shape={shape}) "
            "while a minimum of 1 is required."
        )
    columns = tuple(_with_moments(column) for column in found.columns)
    return found if columns == found.columns else replace(found, columns=columns)


def _with_moments(column: Column) -> Column:
    """Return a column of dates, or dates as text, as seconds since 1970; others as they are."""
    labels = column.labels
    if labels is None or column.levels is not None:
        return column
    first = next((v for v in labels if not is_unknown(v)), None)
    if not isinstance(first, str | datetime.date) or not _MOMENT.fullmatch(_text(first)):
        return column
    texts = ["NaT" if is_unknown(v) else _text(v).removesuffix("Z") for v in labels]
    if not all(text == "NaT" or _MOMENT.fullmatch(text) for text in texts):
        return column
    try:
        return Column(numbers=_moments(np.array(texts, dtype="datetime64[us]")))
    except ValueError:
        return column  # such as 2023-02-30


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime.date) else str(value).strip()


def unique_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names, if no name occurs twice."""
    if len(set(names)) < len(names):
        double = next(name for name in names if names.count(name) > 1)
        raise InputError(
            f"The column names of `X` must differ, but {double!r} occurs "
            f"{names.count(double)} times; rename or drop the duplicates."
        )
    return names


def _rectangular(X: Sequence[Any]) -> bool:
    rows_are_lists = len(X) > 0 and all(isinstance(row, (list, tuple)) for row in X)
    if rows_are_lists and len({len(row) for row in X}) > 1:
        sizes = sorted({len(row) for row in X})
        raise InputError(
            f"All rows of `X` must have the same length, but they have from {sizes[0]} "
            f"to {sizes[-1]} values."
        )
    return rows_are_lists and len(X[0]) > 0


def _list_column(values: tuple[Any, ...]) -> NDArray[Any]:
    array = np.asarray(values)
    known = [v for v in values if not is_unknown(v)]
    if array.dtype.kind == "O" and known and all(map(_is_number, known)):
        return np.array([np.nan if is_unknown(v) else _float(v) for v in values])
    return array if array.dtype.kind in "biufM" else np.array(values, dtype=object)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        raise InputError(
            "`X` must hold numbers below 1e308, but holds a whole number of "
            f"{len(str(value))} digits; scale it, or make it a label."
        ) from None


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def _from_array(array: NDArray[Any]) -> Column:
    kind = array.dtype.kind
    refuse_complex(kind)
    if kind in "iuf":
        return Column(numbers=array if stored_as_is(array.dtype) else array.astype(np.float64))
    if kind == "b":
        return Column(levels=(False, True), codes=array.astype(np.int64))
    if kind in "mM":
        return Column(numbers=_moments(array))
    if kind == "O" and _holds_fractions(array):
        known = [np.nan if is_unknown(v) else _float(v) for v in array]
        return Column(numbers=np.array(known, dtype=np.float64))
    return Column(labels=array.tolist())


def _holds_fractions(array: NDArray[Any]) -> bool:
    """Return whether objects are measurements, as in an array that mixes 5.1 and "red"."""
    known = [v for v in array if not is_unknown(v)]
    return all(map(_is_number, known)) and any(_float(v) % 1 for v in known)


def _moments(array: NDArray[Any]) -> NDArray[np.float64]:
    unit = "datetime64[us]" if array.dtype.kind == "M" else "timedelta64[us]"
    seconds = array.astype(unit).astype(np.int64) / 1e6
    return np.where(np.isnat(array), np.nan, seconds)


def _from_pandas(series: Any) -> Column:
    """Take from pandas directly what needs no interpretation, which is fast for many columns."""
    dtype = series.dtype
    refuse_complex(getattr(dtype, "kind", ""), str(series.name))
    if isinstance(dtype, np.dtype) and dtype.kind in "biuf":
        return _from_array(series.to_numpy())
    if dtype.name == "category":
        return Column(levels=tuple(dtype.categories.tolist()), codes=series.array.codes)
    if dtype.name in ("str", "string"):
        return Column(labels=series.tolist())
    return _from_series(nw.from_native(series, series_only=True))


def _from_series(series: Any) -> Column:
    dtype = series.dtype
    if dtype.is_integer():
        # Not by a cast: Arrow refuses integers that float64 cannot hold exactly, as in ids.
        return Column(numbers=np.asarray(series.to_numpy(), dtype=np.float64))
    if dtype.is_numeric():
        kind = np.float32 if dtype == nw.Float32 else np.float64
        values = series.cast(nw.Float32 if dtype == nw.Float32 else nw.Float64).to_numpy()
        return Column(numbers=np.asarray(values, dtype=kind))
    if dtype == nw.Boolean:
        return Column(levels=(False, True), labels=series.to_list())
    if dtype == nw.Enum or dtype == nw.Categorical:
        return _from_categories(series)
    if dtype.is_temporal() and dtype != nw.Time:
        return Column(numbers=_moments(np.asarray(series.to_numpy())))
    if dtype.is_nested():
        raise InputError(
            f"Column {series.name!r} of `X` must hold one value per row, but holds {dtype}; "
            "spread it over several columns."
        )
    if dtype == nw.Object:
        return _from_array(_objects(series.to_list()))
    return Column(labels=series.to_list())


def _objects(values: list[Any]) -> NDArray[Any]:
    """Return an array of the objects themselves; numpy would ask each of them to be an array."""
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _from_categories(series: Any) -> Column:
    labels = series.to_list()
    if series.dtype == nw.Categorical and nw.dependencies.is_polars_series(series.to_native()):
        # Polars shares one pool of categories between all columns: it declares nothing here.
        return Column(labels=labels)
    return Column(labels=labels, levels=tuple(series.cat.get_categories().to_list()))
