"""Entropies of nominal features, alone, with the class and with each other, in bits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.counting.counts import (
    column_entropies,
    pair_entropies,
    sparse_entropies,
    subset_entropies,
    weighted_column_entropies,
    weighted_pair_entropies,
    weighted_subset_entropies,
)
from ._discretise import CutPoints, Discretisation, Discretiser, _mdl_from_counts, uncut
from ._sparse_values import SparseValues
from ._table import Table, weighted_rows

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Codes by column, shape (features, rows), with the class and the weight of every row."""

    codes: NDArray[np.int32]
    cardinalities: NDArray[np.int64]
    target: NDArray[np.int64]
    n_classes: int
    weight: Floats | None = None

    def column(self, j: int) -> Floats:
        """Return H(A_i, A_j) and H(A_i, A_j, C) of all i; for j = -1 H(A_i) and H(A_i, C)."""
        of = (self.codes, self.cardinalities, self.target, self.n_classes)
        if self.weight is None:
            return np.asarray(column_entropies(*of, j))
        return np.asarray(weighted_column_entropies(*of, self.weight, j))

    def pairs(self) -> tuple[Floats, Floats]:
        """Return H(A_i, A_j) and H(A_i, A_j, C) of all pairs, each of shape (d, d)."""
        of = (self.codes, self.cardinalities, self.target, self.n_classes)
        if self.weight is None:
            pairs, triples = pair_entropies(*of)
        else:
            pairs, triples = weighted_pair_entropies(*of, self.weight)
        return pairs, triples

    def subsets(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return H(S) and H(S, C) of each subset, shape (m, 2)."""
        of = (self.codes, self.cardinalities, self.target, self.n_classes)
        if self.weight is None:
            return np.asarray(subset_entropies(*of, subsets))
        return np.asarray(weighted_subset_entropies(*of, self.weight, subsets))


def nominal_codes(
    table: Table, cuts: Discretisation | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return codes by column, shape (features, rows), and how many values each column shows.

    Only values that occur get a code; an unknown value is a value of its own. With ``cuts``
    continuous columns are cut; one column after the other, so that no second table is made.
    """
    if cuts is None and not table.nominal.all():
        first = table.names[int(np.flatnonzero(~table.nominal)[0])]
        raise InputError(
            f"every feature must be nominal here, but `{first}` is continuous; "
            "discretise the table first."
        )
    cuts = uncut(table) if cuts is None else cuts
    codes = np.zeros((table.n_features, table.n_rows), dtype=np.int32)
    sizes = np.ones(len(codes), dtype=np.int64)
    for j in range(len(codes)):
        if cuts.leaves_whole(j) and not table.incomplete[j]:
            continue
        column = cuts.codes(table, j) + 1
        seen = np.bincount(column) > 0
        codes[j] = (np.cumsum(seen) - 1)[column]
        sizes[j] = seen.sum()
    return codes, sizes


class Entropies(Protocol):
    """Source of entropies: coded rows in memory, or scans of a table elsewhere."""

    def column(self, j: int) -> Floats:
        """Return H(A_i, A_j) and H(A_i, A_j, C) of all i, shape (2, d); with itself for j = -1."""

    def pairs(self) -> tuple[Floats, Floats]:
        """Return H(A_i, A_j) and H(A_i, A_j, C) of all pairs, each of shape (d, d)."""

    def subsets(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return H(S) and H(S, C) of each subset, shape (m, 2)."""


@dataclass(frozen=True, eq=False)
class Information:
    """Entropies of all features, pairs of features, and both with the class.

    Parameters
    ----------
    n_rows : float
        Number of rows, or the sum of their weights.
    n_classes : int
        Number of classes of the table, also those without a row.
    cardinalities : int64 array of shape (d,)
        Number of values of each feature, an unknown value being one of its own.
    class_entropy : float
        H(C).
    source : Entropies
        Source of the entropies of pairs. They are counted when they are first needed:
        all of them (``mutual``, ``conditional``, ...), or those of one feature (``*_with``).

    Notes
    -----
    Logarithms are to the base 2, probabilities are observed frequencies. Rows with unknown
    values are counted, so that all entropies are about the same rows.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data._table import Table
    >>> values = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    >>> levels = (("no", "yes"),) * 2
    >>> table = Table(("a", "b"), values, levels, np.array([0, 1, 1, 0]), np.array([0, 1]))
    >>> bits = Information.of(table)
    >>> bits.relevance.tolist()         # alone, neither says anything about a XOR b
    [0.0, 0.0]
    >>> float(bits.conditional[0, 1])   # given the class, each determines the other
    1.0
    """

    n_rows: float
    n_classes: int
    cardinalities: NDArray[np.int64]
    class_entropy: float
    source: Entropies

    @classmethod
    def of(
        cls, table: Table, weight: Floats | None = None, cuts: Discretisation | None = None
    ) -> Information:
        """Count a table of nominal features with a class; ``weight``: how often a row counts.

        With ``cuts`` continuous features are cut.
        """
        codes, cardinalities = nominal_codes(table, cuts)
        if table.classes is None:
            raise InputError("the target must be a class, but is a number; give class labels.")
        k = len(table.classes)
        seen = np.bincount(table.target, weight, minlength=k)
        n_rows = table.n_rows if weight is None else float(weight.sum())
        rows = CodedRows(codes, cardinalities, table.target, k, weight)
        return cls(n_rows, k, cardinalities, entropy_of(seen), rows)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.cardinalities)

    def of_subsets(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return H(S) and H(S, C) of each subset S, shape (m, 2)."""
        return self.source.subsets(subsets)

    @cached_property
    def _alone(self) -> Floats:
        return self.source.column(-1)

    @cached_property
    def _pairs(self) -> tuple[Floats, Floats]:
        return self.source.pairs()

    @property
    def pairs(self) -> Floats:
        """H(A_i, A_j), shape (d, d); on the diagonal H(A_i)."""
        return self._pairs[0]

    @property
    def triples(self) -> Floats:
        """H(A_i, A_j, C), shape (d, d); on the diagonal H(A_i, C)."""
        return self._pairs[1]

    def mutual_with(self, j: int) -> Floats:
        """Return column j of ``mutual``."""
        return _bits(self.entropy + self.entropy[j] - self.source.column(j)[0])

    def conditional_with(self, j: int) -> Floats:
        """Return column j of ``conditional``."""
        both = self.with_class + self.with_class[j]
        return _bits(both - self.source.column(j)[1] - self.class_entropy)

    def excess_with(self, j: int) -> Floats:
        """Return column j of ``mutual - conditional``."""
        pairs, triples = self.source.column(j)
        both = self.with_class + self.with_class[j]
        mutual = _bits(self.entropy + self.entropy[j] - pairs)
        return np.asarray(mutual - _bits(both - triples - self.class_entropy))

    def added_with(self, j: int) -> Floats:
        """Return column j of ``added``."""
        pairs, triples = self.source.column(j)
        return _bits(_bits(pairs + self.class_entropy - triples) - self.relevance[j])

    def uncertainty_with(self, j: int) -> Floats:
        """Return column j of ``uncertainty``."""
        return _ratio(2.0 * self.mutual_with(j), self.entropy + self.entropy[j])

    @cached_property
    def entropy(self) -> Floats:
        """H(A_i), shape (d,)."""
        return np.asarray(self._alone[0])

    @cached_property
    def with_class(self) -> Floats:
        """H(A_i, C), shape (d,)."""
        return np.asarray(self._alone[1])

    @cached_property
    def relevance(self) -> Floats:
        """I(A_i; C), shape (d,)."""
        return _bits(self.entropy + self.class_entropy - self.with_class)

    @cached_property
    def mutual(self) -> Floats:
        """I(A_i; A_j), shape (d, d); on the diagonal H(A_i)."""
        return _bits(self.entropy[:, None] + self.entropy[None, :] - self.pairs)

    @cached_property
    def conditional(self) -> Floats:
        """I(A_i; A_j | C), shape (d, d); on the diagonal H(A_i | C)."""
        both = self.with_class[:, None] + self.with_class[None, :]
        return _bits(both - self.triples - self.class_entropy)

    @cached_property
    def joint_relevance(self) -> Floats:
        """I(A_i, A_j; C), shape (d, d)."""
        return _bits(self.pairs + self.class_entropy - self.triples)

    @cached_property
    def added(self) -> Floats:
        """I(A_i; C | A_j), what feature i adds to feature j, shape (d, d)."""
        return _bits(self.joint_relevance - self.relevance[None, :])

    @cached_property
    def uncertainty(self) -> Floats:
        """Symmetric uncertainty 2·I(A_i; A_j) / (H(A_i) + H(A_j)); 0 where both are constant."""
        return _ratio(2.0 * self.mutual, self.entropy[:, None] + self.entropy[None, :])

    @cached_property
    def class_uncertainty(self) -> Floats:
        """Symmetric uncertainty of each feature and the class, shape (d,)."""
        return _ratio(2.0 * self.relevance, self.entropy + self.class_entropy)


def count_nominal(table: Table, method: str = "mdl", bins: int = 10) -> Information:
    """Return the entropies of the table with discretised features.

    ``sample_weight`` in the metadata is the number of rows that each row represents; rows of
    weight 0 are left out.
    """
    table, weight = weighted_rows(table)
    cuts = None
    if not table.nominal.all():
        cuts = Discretiser(method=method, bins=bins).fit(table, weight)
    return Information.of(table, weight, cuts)


def entropy_of(counts: NDArray[Any]) -> float:
    """Return the entropy of observed counts or weights, in bits.

    >>> entropy_of(np.array([2, 2, 0]))
    1.0
    """
    share = counts[counts > 0] / max(counts.sum(), 0.0)
    return max(0.0, float(-(share * np.log2(share)).sum()))


def _bits(values: Floats) -> Floats:
    # What cannot be negative is not, and what is only rounding error of entropies is zero:
    # otherwise independent features would win by 1e-16 bits.
    clean: Floats = np.where(values < 1e-12, 0.0, values)
    return clean


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


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
