"""What nominal features say about the class and about each other, in bits, counted once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels.counting.counts import pair_entropies, subset_entropies
from ..kernels.counting.weighted_counts import weighted_pair_entropies, weighted_subset_entropies
from .discretise import as_nominal
from .table import Table
from .weights import weighted_rows

Floats = NDArray[np.float64]


def nominal_codes(table: Table) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Codes by column, shape (features, rows), and how many values each column shows.

    Only values that occur get a code; an unknown value is a value of its own.
    """
    if not table.nominal.all():
        first = table.names[int(np.flatnonzero(~table.nominal)[0])]
        raise InputError(
            f"every feature must be nominal here, but `{first}` is continuous; "
            "discretise the table first."
        )
    raw = np.ascontiguousarray(table.codes(missing=-1).T) + 1
    sizes = np.zeros(len(raw), dtype=np.int64)
    for i, column in enumerate(raw):
        seen = np.bincount(column) > 0
        raw[i] = (np.cumsum(seen) - 1)[column]
        sizes[i] = seen.sum()
    return raw.astype(np.int32, copy=False), sizes


@dataclass(frozen=True, eq=False)
class Information:
    """Entropies of all features, pairs of features, and both with the class.

    Parameters
    ----------
    n_rows : float
        How many rows were counted: the sum of the weights where there are any.
    n_classes : int
        How many classes the table has, also one that a part of its rows lacks.
    cardinalities : int64 array of shape (d,)
        How many values each feature shows, an unknown value being one of its own.
    class_entropy : float
        H(C).
    pairs, triples : float64 arrays of shape (d, d)
        H(A_i, A_j) and H(A_i, A_j, C); on the diagonal H(A_i) and H(A_i, C).

    Notes
    -----
    Logarithms are to the base 2, probabilities are observed frequencies. Rows with unknown
    values are counted, so that all entropies speak of the same rows.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data.table import Table
    >>> values = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    >>> levels = (("no", "yes"),) * 2
    >>> table = Table(("a", "b"), values, levels, np.array([0, 1, 1, 0]), np.array([0, 1]))
    >>> bits = Information.of(table)
    >>> bits.relevance.tolist()         # alone, neither says anything about a XOR b
    [0.0, 0.0]
    >>> float(bits.conditional[0, 1])   # given the class, each tells the other
    1.0
    """

    n_rows: float
    n_classes: int
    cardinalities: NDArray[np.int64]
    class_entropy: float
    pairs: Floats
    triples: Floats

    @classmethod
    def of(cls, table: Table, weight: Floats | None = None) -> Information:
        """Count a table of nominal features with a class; ``weight``: how often a row counts."""
        codes, cardinalities = nominal_codes(table)
        if table.classes is None:
            raise InputError("the target must be a class, but is a number; give class labels.")
        k = len(table.classes)
        seen = np.bincount(table.target, weight, minlength=k)
        if weight is None:
            pairs, triples = pair_entropies(codes, cardinalities, table.target, k)
        else:
            pairs, triples = weighted_pair_entropies(codes, cardinalities, table.target, k, weight)
        share = seen[seen > 0] / max(seen.sum(), 1.0 if weight is None else 0.0)
        entropy = max(0.0, float(-(share * np.log2(share)).sum()))
        n_rows = table.n_rows if weight is None else float(weight.sum())
        return cls(n_rows, k, cardinalities, entropy, pairs, triples)

    @cached_property
    def entropy(self) -> Floats:
        """H(A_i), shape (d,)."""
        return np.diag(self.pairs).copy()

    @cached_property
    def with_class(self) -> Floats:
        """H(A_i, C), shape (d,)."""
        return np.diag(self.triples).copy()

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


def weighed_entropies(
    codes: NDArray[np.int32],
    cardinalities: NDArray[np.int64],
    target: NDArray[np.int64],
    n_classes: int,
    weight: Floats | None,
    subsets: NDArray[np.bool_],
) -> Floats:
    """H(S) and H(S, C) of each subset S of coded columns, shape (m, 2)."""
    of = (codes, cardinalities, target, n_classes)
    if weight is None:
        return np.asarray(subset_entropies(*of, subsets))
    return np.asarray(weighted_subset_entropies(*of, weight, subsets))


def count_nominal(
    table: Table, method: str = "mdl", bins: int = 10
) -> tuple[Table, Information, Floats | None]:
    """The table with discretised features, its entropies, and the weights of its rows.

    ``sample_weight`` in the metadata says how many rows each row stands for; rows of weight 0
    are left out.
    """
    table, weight = weighted_rows(table)
    nominal = as_nominal(table, method, bins, weight)
    return nominal, Information.of(nominal, weight), weight


def _bits(values: Floats) -> Floats:
    # What cannot be negative is not, and what is only rounding error of entropies is zero:
    # otherwise independent features would win by 1e-16 bits.
    clean: Floats = np.where(values < 1e-12, 0.0, values)
    return clean


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
