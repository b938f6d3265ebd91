"""What the columns of a sparse table say about the class and about each other, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels.counting.sparse_counts import sparse_entropies
from .discretise import CutPoints, Discretiser, _mdl_from_counts
from .information import Floats, Information
from .sparse_values import SparseValues
from .table import Table

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SparseCodes:
    """Coded columns in CSC format; ``zero`` is the code of what is not stored."""

    indptr: Ints
    indices: Ints
    codes: Ints
    zero: Ints
    cardinalities: Ints

    def column(self, j: int, n_rows: int) -> Ints:
        """The codes of all rows of one column."""
        dense = np.full(n_rows, self.zero[j])
        part = slice(self.indptr[j], self.indptr[j + 1])
        dense[self.indices[part]] = self.codes[part]
        return dense


@dataclass(frozen=True, eq=False)
class SparseInformation(Information):
    """The same as :class:`Information`, from sparse columns.

    ``columns`` are the coded columns; the dense ``codes`` are empty.
    """

    columns: SparseCodes | None = None

    def _column(self, j: int) -> Floats:
        columns, n = self.columns, len(self.target)
        assert columns is not None
        other = np.zeros(n, dtype=np.int64) if j < 0 else columns.column(j, n)
        size = 1 if j < 0 else int(columns.cardinalities[j])
        return np.asarray(
            sparse_entropies(
                columns.indptr, columns.indices, columns.codes, columns.zero,
                columns.cardinalities, other, size, self.target, self.n_classes,
            )
        )  # fmt: skip

    @cached_property
    def _pairs(self) -> tuple[Floats, Floats]:
        both = np.array([self._column(j) for j in range(len(self.cardinalities))])
        return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def sparse_information(table: Table, method: str = "mdl", bins: int = 10) -> SparseInformation:
    """Cut and count the columns of a sparse table, as :func:`count_nominal` does dense ones.

    Examples
    --------
    >>> from scipy import sparse
    >>> from fewest.data import as_table
    >>> X = sparse.csr_matrix([[0, 2.0], [0, 0], [0, 2], [1.0, 0]])
    >>> sparse_information(as_table(X, [1, 0, 1, 0]), "width", 2).relevance.round(2)
    array([0.31, 1.  ])
    """
    values = table.sparse
    assert values is not None
    if table.classes is None:
        raise InputError("the target must be a class, but is a number; give class labels.")
    columns = _coded(table, values, Discretiser(method=method, bins=bins))
    k = len(table.classes)
    seen = np.bincount(table.target, minlength=k)
    share = seen[seen > 0] / seen.sum()
    entropy = max(0.0, float(-(share * np.log2(share)).sum()))
    nothing = np.zeros((0, 0), dtype=np.int32)
    target = table.target.astype(np.int64)
    return SparseInformation(
        table.n_rows, k, columns.cardinalities, entropy, nothing, target, None, columns
    )


def _coded(table: Table, values: SparseValues, discretiser: Discretiser) -> SparseCodes:
    matrix, (n, d) = values.csc, values.shape
    codes = np.zeros(len(matrix.data), dtype=np.int64)
    zero, sizes = np.zeros(d, dtype=np.int64), np.zeros(d, dtype=np.int64)
    classes = np.bincount(table.target, minlength=table.n_classes)
    for j in range(d):
        part = slice(matrix.indptr[j], matrix.indptr[j + 1])
        data = matrix.data[part]
        if discretiser.method == "mdl":
            cuts = _mdl(data, table.target[matrix.indices[part]], classes)
        else:
            cuts = discretiser._cuts(values[:, j], table, None)
        # The last code is that of unknown values.
        own = np.where(np.isnan(data), len(cuts) + 1, np.searchsorted(cuts, data, side="left"))
        here = [int(np.searchsorted(cuts, 0.0, side="left"))] if len(data) < n else []
        shown, place = np.unique([*here, *own], return_inverse=True)
        codes[part] = place[len(here) :]
        zero[j] = place[0] if here else 0
        sizes[j] = len(shown)
    ends = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    return SparseCodes(*ends, codes, zero, sizes)


def _mdl(data: Floats, target: Ints, classes: Ints) -> CutPoints:
    """The cuts of a column of which only the values other than zero are given."""
    known = ~np.isnan(data)
    unknown = np.bincount(target[~known], minlength=len(classes))
    distinct, block = np.unique(np.append(data[known], 0.0), return_inverse=True)
    cells = block.ravel()[:-1] * len(classes) + target[known]
    counts = np.bincount(cells, minlength=len(distinct) * len(classes)).reshape(-1, len(classes))
    rest = classes - unknown - counts.sum(axis=0)
    at = int(block.ravel()[-1])
    counts[at] += rest
    if not counts[at].any():
        distinct, counts = np.delete(distinct, at), np.delete(counts, at, axis=0)
    return _mdl_from_counts(distinct, counts) if len(distinct) else np.empty(0)
