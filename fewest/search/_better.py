"""Definition of "better": value, then cost (or size), then earlier features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..measures._measure import Candidates
from ..measures._steps import Steps
from ._spaces.space import Space

#: Values closer than this are the same value: sums in another order differ by less.
SAME_SCORE_TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class Better:
    """Orders the candidates of one space.

    Examples
    --------
    >>> from fewest.search import Better, Subsets
    >>> both = np.array([[True, True], [True, False]])
    >>> Better(Subsets(2)).order(both, np.array([0.9, 0.9])).tolist()  # equal: the smaller first
    [1, 0]
    """

    space: Space

    def order(self, candidates: Candidates, value: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the indices from best to worst; NaN is worse than every number."""
        rounded = np.where(np.isnan(value), -np.inf, np.round(value, 12))
        # Of equal candidates the one with the earlier features: its bits make the larger key.
        by_key = self._earlier_first(candidates)
        cost = self.space.cost(candidates)
        # lexsort is stable, so presenting the rows in key order breaks the last ties by key.
        return by_key[np.lexsort((cost[by_key], -rounded[by_key]))]

    def _earlier_first(self, candidates: Candidates) -> NDArray[np.intp]:
        """Order from the largest key to the smallest."""
        if not isinstance(candidates, Steps):
            return ascending(self.space.packed(candidates))[::-1]
        # The first place in which two neighbours of one base differ is the change of one of them:
        # who adds there comes before, who removes there comes after the other.
        up = candidates.levels > candidates.base[candidates.units]
        return np.lexsort((np.where(up, candidates.units, -candidates.units), ~up))

    def best(self, candidates: Candidates, value: NDArray[np.float64]) -> int:
        """Return the index of the best candidate."""
        if not len(value):
            return 0
        if np.isnan(value).all():
            return int(self.order(candidates, value)[0])
        top = np.flatnonzero(value >= np.nanmax(value) - SAME_SCORE_TOLERANCE)
        return int(top[self.order(candidates[top], value[top])[0]])

    def improves(self, new: float, old: float) -> bool:
        """Decide if a value is really larger than another."""
        return bool(new > old + SAME_SCORE_TOLERANCE) or (np.isnan(old) and not np.isnan(new))


def ascending(rows: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the stable order of rows of bytes, compared from the left."""
    m, width = rows.shape
    if width == 0:
        return np.arange(m)
    if width > 8:
        return np.argsort(np.ascontiguousarray(rows).view(f"S{width}").ravel(), kind="stable")
    # Numbers are compared much faster than strings.
    padded = np.zeros((m, 8), dtype=np.uint8)
    padded[:, :width] = rows
    return np.argsort(padded.view(">u8").ravel().astype(np.uint64), kind="stable")
