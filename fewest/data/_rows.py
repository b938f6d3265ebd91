"""Rows and columns of arrays, frames and lists, in their own type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ._columns import is_frame, is_structured

#: So many rows are worked on at a time: small beside a large table, large beside the overhead.
BLOCK_ROWS = 8192


def row_blocks(n_rows: int, size: int = BLOCK_ROWS) -> Iterator[slice]:
    """Return the rows from the first to the last, in blocks."""
    for low in range(0, n_rows, size):
        yield slice(low, min(low + size, n_rows))


def take_rows(values: Any, rows: NDArray[Any]) -> Any:
    """Return these rows of an array, a frame, a series or a list, in its own type."""
    rows = _indices(rows)
    if isinstance(values, (list, tuple)):
        return [values[i] for i in rows]
    if sparse.issparse(values):
        return values.tocsr()[rows]
    if nw.dependencies.is_pandas_dataframe(values) or nw.dependencies.is_pandas_series(values):
        return values.iloc[rows]
    if is_frame(values):
        return nw.from_native(values, eager_only=True)[rows, :].to_native()
    if nw.dependencies.is_into_series(values):
        return nw.from_native(values, series_only=True)[rows].to_native()
    return np.asarray(values)[rows]


def take_columns(X: Any, support: NDArray[Any]) -> Any:
    """Return these columns of an array or a frame, in its own type, with names and dtypes.

    ``support`` is a mask or positions. A structured array becomes an ordinary one, which is
    what estimators take: of numbers if all its columns are, of objects otherwise.
    """
    columns = _indices(support)
    if is_structured(X):
        return _plain(X, [X.dtype.names[j] for j in columns])
    if sparse.issparse(X):
        return X.tocsc()[:, columns].asformat(X.format)
    if nw.dependencies.is_pandas_dataframe(X):
        return X.iloc[:, columns]
    if is_frame(X):
        frame = nw.from_native(X, eager_only=True)
        return frame.select([frame.columns[j] for j in columns]).to_native()
    return np.asarray(X)[:, columns]


def _indices(rows: NDArray[Any]) -> NDArray[np.intp]:
    rows = np.asarray(rows)
    if rows.dtype == bool:
        return np.flatnonzero(rows)
    return rows.astype(np.intp)


def _plain(X: NDArray[Any], names: list[str]) -> NDArray[Any]:
    numeric = all(X.dtype[name].kind in "biuf" for name in names)
    out = np.empty((len(X), len(names)), dtype=np.float64 if numeric else object)
    for j, name in enumerate(names):
        out[:, j] = X[name]
    return out
