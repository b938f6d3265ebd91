"""Koller and Sahami's filter: drop what the closest other features make superfluous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.information import Floats, Information
from ...data.table import Table
from ...parameters import number, one_of, whole
from ..base import Scorer
from .base import InformationMeasure, SumScore


@dataclass
class KollerSahami(InformationMeasure):
    """Sum over the subset of the bits by which a feature is needed, beyond γ.

    Parameters
    ----------
    gamma : float
        A feature that adds less than this, in bits, to its closest others is dropped.
    neighbours : int
        How many closest others stand for the Markov blanket of a feature.
    discretise, bins
        How continuous features are cut.

    Notes
    -----
    Koller and Sahami (1996), as used by Drugan and Wiering (2010, sections 6.4 and 7). The
    closest others of A_i are the A_j with the smallest cross-entropy I(C; A_i | A_j). From the
    full set, the feature with the smallest I(C; A_i | its closest others that are left) is
    dropped while that is below γ. This is done once, when the measure is bound; a feature
    dropped is then worth its information at that moment less γ, which is negative, a feature
    kept its information at the end less γ. So every search ends with the features kept.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="koller-sahami", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'B1', 'correlated']
    """

    name: ClassVar[str] = "koller-sahami"
    source: ClassVar[str] = "Koller and Sahami (1996); Drugan and Wiering (2010), section 6.4"

    gamma: float = number(0.05, low=0.0)
    neighbours: int = whole(1, low=1)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Drop features until all that are left are needed."""
        self.check_parameters()
        bits = table.information(self.discretise, self.bins)
        elimination = Elimination(bits, self.neighbours)
        return SumScore(elimination.run(self.gamma) - self.gamma)


class Elimination:
    """The backward elimination over one table."""

    def __init__(self, bits: Information, neighbours: int) -> None:
        self.bits, self.neighbours = bits, neighbours

    def run(self, gamma: float) -> Floats:
        """The information of each feature when it was dropped, or at the end."""
        left = np.ones(self.bits.n_features, dtype=bool)
        worth = self._worth(left)
        blankets = [self._blanket(i, left) for i in range(len(left))]
        final = worth.copy()
        while left.any():
            chosen = int(np.argmin(np.where(left, worth, np.inf)))
            if worth[chosen] >= gamma:
                break
            final[chosen] = worth[chosen]
            left[chosen] = False
            for i in map(int, np.flatnonzero(left)):
                if chosen in blankets[i]:
                    blankets[i] = self._blanket(i, left)
                    worth[i] = self._needed(i, blankets[i])
        return np.where(left, worth, final)

    def _worth(self, left: NDArray[np.bool_]) -> Floats:
        return np.array([self._needed(i, self._blanket(i, left)) for i in range(len(left))])

    def _blanket(self, feature: int, left: NDArray[np.bool_]) -> list[int]:
        others = [int(j) for j in np.flatnonzero(left) if j != feature]
        return sorted(others, key=lambda j: (self.bits.added[feature, j], j))[: self.neighbours]

    def _needed(self, feature: int, blanket: list[int]) -> float:
        if not blanket:
            return float(self.bits.relevance[feature])
        if len(blanket) == 1:
            return float(self.bits.added[feature, blanket[0]])
        subsets = np.zeros((2, self.bits.n_features), dtype=bool)
        subsets[:, blanket] = True
        subsets[1, feature] = True
        found = self.bits.of_subsets(subsets)
        return max(0.0, float(found[0, 1] - found[0, 0] - found[1, 1] + found[1, 0]))
