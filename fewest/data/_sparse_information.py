"""What the columns of a sparse table say about the class and about each other, in bits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.counting.counts import sparse_entropies
from ._discretise import CutPoints, Discretiser, _mdl_from_counts
from ._information import CodedRows, Floats, Information, entropy_of
from ._sparse_values import SparseValues
from ._table import Table

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Coded columns in CSC format, as a source of entropies.

    ``zero`` is the code of what is not stored.
    """

    indptr: Ints
    indices: Ints
    codes: Ints
    zero: Ints
    cardinalities: Ints
    target: Ints
    n_classes: int

    def dense(self, j: int) -> Ints:
        """Return the codes of all rows of one column."""
        codes = np.full(len(self.target), self.zero[j])
        part = slice(self.indptr[j], self.indptr[j + 1])
        codes[self.indices[part]] = self.codes[part]
        return codes

    def column(self, j: int) -> Floats:
        """H(A_i, A_j) and H(A_i, A_j, C) of all i, shape (2, d); with itself for j = -1."""
        other = np.zeros(len(self.target), dtype=np.int64) if j < 0 else self.dense(j)
        size = 1 if j < 0 else int(self.cardinalities[j])
        return np.asarray(
            sparse_entropies(
                self.indptr, self.indices, self.codes, self.zero, self.cardinalities, other, size,
                self.target, self.n_classes,
            )
        )  # fmt: skip

    def pairs(self) -> tuple[Floats, Floats]:
        """H(A_i, A_j) and H(A_i, A_j, C) of all pairs, each of shape (d, d)."""
        both = np.array([self.column(j) for j in range(len(self.cardinalities))])
        return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])

    def subsets(self, subsets: NDArray[np.bool_]) -> Floats:
        """H(S) and H(S, C) of each subset, shape (m, 2), from the dense columns in any of them."""
        reached = np.flatnonzero(subsets.any(axis=0))
        codes = np.zeros((len(reached), len(self.target)), dtype=np.int32)
        for row, j in enumerate(reached):
            codes[row] = self.dense(int(j))
        sizes = self.cardinalities[reached]
        rows = CodedRows(codes, sizes, self.target, self.n_classes, None)
        return rows.subsets(np.ascontiguousarray(subsets[:, reached]))


def sparse_information(table: Table, method: str = "mdl", bins: int = 10) -> Information:
    """Cut and count the columns of a sparse table, as :func:`count_nominal` does dense ones."""
    values = table.sparse
    assert values is not None
    if table.classes is None:
        raise InputError("the target must be a class, but is a number; give class labels.")
    rows = _coded(table, values, Discretiser(method=method, bins=bins))
    k = len(table.classes)
    entropy = entropy_of(np.bincount(table.target, minlength=k))
    return Information(table.n_rows, k, rows.cardinalities, entropy, rows)


def _coded(table: Table, values: SparseValues, discretiser: Discretiser) -> SparseRows:
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
    target = table.target.astype(np.int64)
    return SparseRows(*ends, codes, zero, sizes, target, table.n_classes)


def _mdl(data: Floats, target: Ints, classes: Ints) -> CutPoints:
    """Return the cuts of a column of which only the values other than zero are given."""
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
