"""The coded rows of an all-nominal table, and the entropies of its columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels.counting.counts import column_entropies, pair_entropies, subset_entropies
from ..kernels.counting.weighted_counts import (
    weighted_column_entropies,
    weighted_pair_entropies,
    weighted_subset_entropies,
)
from .discretise import Discretisation, uncut
from .table import Table

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
        """H(A_i, A_j) and H(A_i, A_j, C) of all i; for j = -1 H(A_i) and H(A_i, C)."""
        of = (self.codes, self.cardinalities, self.target, self.n_classes)
        if self.weight is None:
            return np.asarray(column_entropies(*of, j))
        return np.asarray(weighted_column_entropies(*of, self.weight, j))

    def pairs(self) -> tuple[Floats, Floats]:
        """H(A_i, A_j) and H(A_i, A_j, C) of all pairs, each of shape (d, d)."""
        of = (self.codes, self.cardinalities, self.target, self.n_classes)
        if self.weight is None:
            pairs, triples = pair_entropies(*of)
        else:
            pairs, triples = weighted_pair_entropies(*of, self.weight)
        return pairs, triples

    def subsets(self, subsets: NDArray[np.bool_]) -> Floats:
        """H(S) and H(S, C) of each subset, shape (m, 2)."""
        of = (self.codes, self.cardinalities, self.target, self.n_classes)
        if self.weight is None:
            return np.asarray(subset_entropies(*of, subsets))
        return np.asarray(weighted_subset_entropies(*of, self.weight, subsets))


def nominal_codes(
    table: Table, cuts: Discretisation | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Codes by column, shape (features, rows), and how many values each column shows.

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
