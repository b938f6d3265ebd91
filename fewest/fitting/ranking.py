"""Rank the units of a space by the votes for their features."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Scorer, score_batch
from ..measures.steps import Steps
from ..search.spaces.base import Space

#: No more prefixes of the ranking than this are scored.
MOST_PREFIXES = 1000


def ranking(frequency: NDArray[np.float64], space: Space, scorer: Scorer) -> tuple[int, ...]:
    """The units with votes, most votes first; of equals, the one that scores more alone."""
    single: Any = Steps.single(space.n_units)
    nothing = np.asarray(space.expand(single.base[None]))[0]
    votes = np.concatenate(
        [
            np.where(np.asarray(space.expand(part)) & ~nothing, frequency, 0.0).max(axis=1)
            for part in single.parts()
        ]
    )
    units = np.flatnonzero(votes > 0)
    votes = np.round(votes[units], 9)
    _, group, sizes = np.unique(votes, return_inverse=True, return_counts=True)
    tied = sizes[group] > 1
    alone = np.zeros(len(units))
    if tied.any():
        alone[tied] = score_batch(scorer, space.expand(single[units[tied]])).value
    order = np.lexsort((units, -alone, -votes))[:MOST_PREFIXES]
    return tuple(int(u) for u in units[order])
