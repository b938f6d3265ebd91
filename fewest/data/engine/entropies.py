"""Entropies of a table that stays where it is."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .encode import Coder
from .learn import Floats
from .pair_counts import PairCounts
from .patterns import PatternCounts

#: Up to so many columns all pairs are counted in the same scans.
FEW = 500


class ScannedEntropies:
    """Entropies from counts that are made by scans, the same numbers as for rows in memory.

    Parameters
    ----------
    coder : Coder
    n_classes : int
    total : float
        How many rows there are, or the sum of their weights.
    alone : float64 array of shape (2, d), or None
        H(A_i) and H(A_i, C) where they are known from an earlier scan.
    """

    def __init__(self, coder: Coder, n_classes: int, total: float, alone: Floats | None) -> None:
        self.counts, self.patterns = PairCounts(coder, n_classes), PatternCounts(coder, n_classes)
        self.total = total
        self._alone = alone

    @cached_property
    def _pairs(self) -> tuple[Floats, Floats]:
        return self.counts.pairs()

    def pairs(self) -> tuple[Floats, Floats]:
        """H(A_i, A_j) and H(A_i, A_j, C) of all pairs, each of shape (d, d)."""
        return self._pairs

    def column(self, j: int) -> Floats:
        """H(A_i, A_j) and H(A_i, A_j, C) of all i; for j = -1 H(A_i) and H(A_i, C)."""
        if j < 0:
            if self._alone is None:
                self._alone = self.counts.column(-1)
            return self._alone
        if len(self.counts.sizes) <= FEW:
            return np.array([entropies[:, j] for entropies in self.pairs()])
        return self.counts.column(j)

    def subsets(self, subsets: NDArray[np.bool_]) -> Floats:
        """H(S) and H(S, C) of each subset, shape (m, 2)."""
        sums = self.patterns.sums(subsets)
        total = self.total
        return np.asarray(np.maximum(0.0, np.log2(total) - sums[:, 1:] / total))
