"""CMIM: what a feature tells whichever other one is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...data.information import Floats, Information
from ...data.table import Table
from ...parameters import number, one_of, whole
from ..base import Scorer
from .base import InformationMeasure, SumScore
from .pair_values import FEW


def cmim_scores(bits: Information) -> Floats:
    """What each feature was worth when its turn came in the classical greedy order.

    Pairs are counted for one feature at a time, in the order in which they are reached, and no
    more once all that are left tell nothing: what a feature tells never rises.
    """
    left = bits.relevance.copy()
    scores = np.full(len(left), -1.0)
    while (scores < 0).any():
        open_scores = np.where(scores < 0, left, -1.0)
        chosen = int(np.argmax(open_scores))
        if left[chosen] <= 0.0:
            scores[scores < 0] = 0.0
            break
        scores[chosen] = left[chosen]
        few = len(left) <= FEW
        np.minimum(left, bits.added[:, chosen] if few else bits.added_with(chosen), out=left)
    return scores


@dataclass
class CMIM(InformationMeasure):
    """Conditional mutual information maximisation: the sum of what each feature still told.

    Parameters
    ----------
    threshold : float
        What a feature must still tell, in bits, to be worth its place.
    discretise, bins
        How continuous features are cut.

    Notes
    -----
    Fleuret (2004): the next feature is the one with the largest min(I(f; C), min_{s∈S}
    I(f; C | s)). No value of subsets as such has this greedy order, so the order is worked out
    once, when the measure is bound, and a feature is worth what that minimum was when its turn
    came. These never rise along the order: forward selection repeats it.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("corral")
    >>> selector = fewest.SubsetSelector(measure="cmim", search="exhaustive")
    >>> selector.fit(data.X, data.y).result_.features
    ['A0', 'A1', 'B0', 'B1', 'correlated']
    """

    name: ClassVar[str] = "cmim"
    source: ClassVar[str] = "Fleuret (2004)"

    threshold: float = number(0.0, low=0.0)
    discretise: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Work out the order."""
        return SumScore(cmim_scores(self._information(table)) - self.threshold)
