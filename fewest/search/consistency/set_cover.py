"""SetCover: the feature that helps most, until the threshold is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..base import Proposals, Search, Verdict
from ..better import Better
from ..monotone import Monotone, unit_costs, unreachable
from ..spaces.base import Space


@dataclass
class SetCover(Search):
    """A small subset that reaches the threshold, greedily and fast; it may not be the smallest.

    Notes
    -----
    Johnson's algorithm over the measure (Dash and Liu, 2003, section 4.3): add the feature whose
    subset scores best; with costs, the one that gains most for what it costs. Correlated
    features can mislead it. Unlike the listing in the paper, which appends the last feature
    looked at, the best one is appended.

    Examples
    --------
    >>> from fewest.search import SetCover, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].sum()), threshold=2.0)
    >>> drive(SetCover(), Subsets(4), measure.bind(toy_table(n_features=4))).answer
    array([False,  True, False,  True])
    """

    name: ClassVar[str] = "set-cover"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.3"
    needs_monotone: ClassVar[bool] = True

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield all subsets with one unit more, take the best, and go on."""
        costs = np.maximum(unit_costs(space), 1e-9)
        cover = np.zeros(space.n_units, dtype=bool)
        scores = yield cover[None]
        value = float(scores.value[0])
        while not (monotone.reaches(np.array([value]))[0] and space.feasible(cover[None])[0]):
            units = np.flatnonzero(~cover)
            batch = np.repeat(cover[None], len(units), axis=0)
            batch[np.arange(len(units)), units] = True
            batch = batch[space.small_enough(batch)]
            if len(batch) == 0:
                raise unreachable(monotone)
            scores = yield batch
            best = self._choose(scores.value, value, costs[(batch & ~cover).argmax(axis=1)])
            cover, value = batch[best], float(scores.value[best])
        monotone.bounds.offer(cover, float(space.cost(cover[None])[0]))
        return Verdict("the threshold was reached", answer=cover)

    @staticmethod
    def _choose(value: np.ndarray, before: float, costs: np.ndarray) -> int:
        """The first of those with the largest gain for the cost."""
        gain = np.round((value - before) / costs, 12)
        # Where nothing gains, the cheapest.
        return int(np.lexsort((costs, -gain))[0])
