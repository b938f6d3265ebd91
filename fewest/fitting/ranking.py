"""Rank the units of a space by the votes for their features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Scorer
from ..search.spaces.base import Space

#: No more prefixes of the ranking than this are scored.
MOST_PREFIXES = 1000


def ranking(frequency: NDArray[np.float64], space: Space, scorer: Scorer) -> tuple[int, ...]:
    """The units with votes, most votes first; of equals, the one that scores more alone."""
    eye = np.eye(space.n_units, dtype=bool)
    nothing = np.asarray(space.expand(np.zeros_like(eye[:1])))[0]
    masks = np.asarray(space.expand(eye)).astype(bool)
    votes = np.where(masks & ~nothing, frequency, 0.0).max(axis=1)
    units = np.flatnonzero(votes > 0)
    votes = np.round(votes[units], 9)
    _, group, sizes = np.unique(votes, return_inverse=True, return_counts=True)
    tied = sizes[group] > 1
    alone = np.zeros(len(units))
    if tied.any():
        alone[tied] = scorer.score(masks[units[tied]]).value
    order = np.lexsort((units, -alone, -votes))[:MOST_PREFIXES]
    return tuple(int(u) for u in units[order])
