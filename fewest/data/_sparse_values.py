"""The values of a sparse table: columns and blocks are made dense when they are asked for."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError

#: A sparse table that would be larger than this is not made dense as a whole.
MOST_BYTES = 2**31


class SparseValues:
    """Looks like the float64 array of a :class:`Table`, but holds a sparse matrix.

    Code that knows of it reads ``csc`` (columns) or ``csr`` (rows). Other code gets dense parts by
    indexing, or the whole array where that is small enough.
    """

    ndim: int = 2
    dtype: np.dtype[np.float64] = np.dtype(np.float64)

    def __init__(self, matrix: Any) -> None:
        self.csc: Any = matrix.tocsc().astype(np.float64)
        self.csc.sum_duplicates()
        self.csc.eliminate_zeros()

    @cached_property
    def csr(self) -> Any:
        """Return the same matrix by rows."""
        return self.csc.tocsr()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        n, d = self.csc.shape
        return int(n), int(d)

    @cached_property
    def has_unknown(self) -> bool:
        """Return whether a stored value is NaN."""
        return bool(np.isnan(self.csc.data).any())

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return dense_part(self.csr).astype(dtype or np.float64, copy=False)

    def __getitem__(self, index: Any) -> NDArray[np.float64]:
        """Return one dense column for ``[:, j]``, dense rows for rows; else of the whole."""
        if isinstance(index, tuple) and len(index) == 2 and index[0] == slice(None):
            return self._columns(index[1])
        if isinstance(index, tuple):
            return np.asarray(np.asarray(self)[index])
        return dense_part(self.csr[index])

    def _columns(self, columns: Any) -> NDArray[np.float64]:
        if isinstance(columns, int | np.integer):
            return np.asarray(self.csc[:, [columns]].toarray()[:, 0])
        return dense_part(self.csc[:, columns])

    def copy(self) -> NDArray[np.float64]:
        """Return a dense copy."""
        return np.asarray(self)

    def astype(self, dtype: Any) -> NDArray[Any]:
        """Return a dense array of another type."""
        return np.asarray(self).astype(dtype)

    def take_rows(self, rows: NDArray[Any]) -> SparseValues:
        """Return the same for some rows, still sparse."""
        return SparseValues(self.csr[rows])

    def digest(self) -> bytes:
        """Return a hash of the values."""
        told = hashlib.sha256(repr(self.shape).encode())
        for part in (self.csc.indptr, self.csc.indices, self.csc.data):
            told.update(np.ascontiguousarray(part).tobytes())
        return told.digest()


def dense_part(part: Any) -> NDArray[np.float64]:
    """Return a sparse matrix as an array, unless that would be very large.

    >>> from scipy import sparse
    >>> dense_part(sparse.eye(2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    size = 8 * part.shape[0] * part.shape[1]
    if size > MOST_BYTES:
        raise InputError(
            f"`X` is sparse, and what you ask for needs it as a dense table of "
            f"{size / 2**30:.0f} GB. Use a scikit-learn estimator that takes sparse data, "
            '"naive-bayes", or a filter that counts ("information-gain", "mrmr", "cfs"); or '
            "leave columns out."
        )
    return np.asarray(part.toarray(order="C"))
