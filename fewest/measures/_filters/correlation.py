"""CFS and the filter of Koller and Sahami."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._parameters import number, one_of, whole
from ...data._information import Information
from ...data._table import Table
from .._measure import Candidates, Scorer
from .._steps import Steps
from .rankings import (
    BatchScorer,
    InformationMeasure,
    PairValues,
    SumScore,
    pair_sums_of,
    sizes_of,
    sums_of,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CFSScore(BatchScorer):
    """Merit, from correlations with the class and between features."""

    with_class: Floats
    between: PairValues

    def formula(self, batch: Candidates | Steps) -> Floats:
        """Return the merits; that of the empty subset is 0."""
        above = sums_of(self.with_class, batch)
        below = np.sqrt(sizes_of(batch) + 2.0 * pair_sums_of(self.between, batch))
        return np.divide(above, below, out=np.zeros(len(batch)), where=below > 0)


@dataclass
class CFS(InformationMeasure):
    """Merit of a subset: high correlation with the class, low correlation inside.

    Parameters
    ----------
    independent : float
        The correlation counted between two features that share nothing at all (less than a
        millionth): 0 by the definition; Weka's CfsSubsetEval counts 1.
    discretise : "mdl", "width" or "frequency"
        How continuous features are cut.
    bins : int
        Number of intervals, for "width" and "frequency".

    Notes
    -----
    merit = k·r_cf / √(k + k(k - 1)·r_ff), where r_cf and r_ff are the mean symmetric
    uncertainties 2·I(X; Y) / (H(X) + H(Y)) of the k features with the class and with each
    other (Hall, 1999, 2000). On nominal tables without unknown values it is the merit of Weka's
    CfsSubsetEval, which differs only for pairs that share nothing (see ``independent``): in a
    full factorial design Weka would keep a single feature. Features that matter only together,
    as in an exclusive or, have no merit.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data._table import Table
    >>> values = np.tile([[0.0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]], (8, 1))
    >>> target = values[:, 0].astype(int)
    >>> table = Table(("a", "copy", "noise"), values, ((0, 1),) * 3, target, np.array([0, 1]))
    >>> subsets = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=bool)
    >>> CFS().bind(table).score(subsets).value.round(3).tolist()
    [1.0, 1.0, 0.707]
    """

    name: ClassVar[str] = "cfs"
    source: ClassVar[str] = "Hall (2000); Drugan and Wiering (2010), section 6.4"

    independent: float = number(0.0, low=0.0, high=1.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count the features alone; pairs are counted when a search reaches them."""
        bits = self._information(table)
        between = _Between(bits, self.independent)
        return CFSScore(
            bits.class_uncertainty, PairValues(bits.n_features, between.column, between.all)
        )


@dataclass(frozen=True, eq=False)
class _Between:
    """Correlations between features."""

    bits: Information
    independent: float

    def column(self, j: int) -> Floats:
        return self._counted(self.bits.uncertainty_with(j))

    def all(self) -> Floats:
        return self._counted(self.bits.uncertainty)

    def _counted(self, uncertainty: Floats) -> Floats:
        return np.where(uncertainty < 1e-6, self.independent, uncertainty)


@dataclass
class KollerSahami(InformationMeasure):
    """Sum over the subset of the bits by which a feature is needed, beyond γ.

    Parameters
    ----------
    gamma : float
        A feature that adds less than this, in bits, to its closest others is dropped.
    neighbours : int
        Number of closest others that approximate the Markov blanket of a feature.

    Notes
    -----
    Koller and Sahami (1996), as used by Drugan and Wiering (2010, sections 6.4 and 7). The
    closest others of A_i are the A_j with the smallest cross-entropy I(C; A_i | A_j). From the
    full set, the feature with the smallest I(C; A_i | its closest others that are left) is
    dropped while that is below γ. This is done once, when the measure is bound; a feature
    dropped is then worth its information at that moment less γ, which is negative, a feature
    kept its information at the end less γ. So every search ends with the features kept.
    """

    name: ClassVar[str] = "koller-sahami"
    source: ClassVar[str] = "Koller and Sahami (1996); Drugan and Wiering (2010), section 6.4"

    gamma: float = number(0.05, low=0.0)
    neighbours: int = whole(1, low=1)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Drop features until all that are left are needed."""
        elimination = Elimination(self._information(table), self.neighbours)
        return SumScore(elimination.run(self.gamma) - self.gamma)


class Elimination:
    """Backward elimination over one table."""

    def __init__(self, bits: Information, neighbours: int) -> None:
        self.bits, self.neighbours = bits, neighbours

    def run(self, gamma: float) -> Floats:
        """Return the information of each feature when it was dropped, or at the end."""
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
