"""What a candidate costs: a few are scored and timed before a search is picked."""

from __future__ import annotations

import time

import numpy as np

from ..measures.base import Scorer
from ..search.population import first_population
from ..search.spaces.base import Space

#: So many candidates are timed, after as many to warm up; then more, if these took few seconds.
TIMED, MORE, SHORT = 8, 200, 0.5


def seconds_per_candidate(scorer: Scorer, space: Space) -> float:
    """How long a candidate of a first population takes on one worker, in the faster of two batches.

    Compiled code is loaded by the first batch, which does not count. The last batch is a large one
    if the others took little time, because a batch has work of its own.

    >>> from fewest.measures import resolve_measure
    >>> from fewest.search import Subsets
    >>> from fewest.testing import toy_table
    >>> 0 < seconds_per_candidate(resolve_measure("cfs").bind(toy_table()), Subsets(5)) < 60
    True
    """
    rng = np.random.default_rng(0)
    _timed(scorer, space, TIMED, rng)
    one = _timed(scorer, space, TIMED, rng)
    return min(one, _timed(scorer, space, MORE if one * TIMED < SHORT else TIMED, rng))


def _timed(scorer: Scorer, space: Space, size: int, rng: np.random.Generator) -> float:
    batch = space.expand(first_population(space, size, rng, None))
    start = time.perf_counter()
    scorer.score(batch)
    return (time.perf_counter() - start) / size
