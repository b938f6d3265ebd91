"""What a candidate costs: a few are scored and timed before a search is picked."""

from __future__ import annotations

import time

import numpy as np

from ..measures.base import Scorer
from ..search.spaces.base import Space

#: So many candidates are timed, after as many to warm up.
TIMED = 8


def seconds_per_candidate(scorer: Scorer, space: Space) -> float:
    """How long a candidate takes on one worker: the faster of two batches of a few.

    Compiled code is loaded by the first batch, which does not count.

    >>> from fewest.measures import resolve_measure
    >>> from fewest.search import Subsets
    >>> from fewest.testing import toy_table
    >>> 0 < seconds_per_candidate(resolve_measure("cfs").bind(toy_table()), Subsets(5)) < 60
    True
    """
    rng = np.random.default_rng(0)
    taken = []
    for _ in range(3):
        batch = space.expand(space.sample(TIMED, rng))
        start = time.perf_counter()
        scorer.score(batch)
        taken.append(time.perf_counter() - start)
    return min(taken[1:]) / TIMED
