"""The interval method of Servet et al.: halve the interval of each weight when one half wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.gaussian.base import Floats
from ...parameters import number, whole
from .moving import Moving


@dataclass(frozen=True, eq=False)
class Intervals:
    """Lower and upper ends, and the probability of the upper half."""

    low: Floats
    high: Floats
    upper: Floats


@dataclass
class Servet(Moving[Intervals]):
    """Keeps an interval for each weight and halves it once the best lie in one half.

    Parameters
    ----------
    population : see :class:`fewest.search.continuous.moving.Moving`
    alpha : float
        How far the probability of the upper half moves to its share among the best.
    best : int
        How many candidates are the best.
    certain : float
        An interval is halved when the probability of one of its halves exceeds this.

    Notes
    -----
    Servet et al. (1997); Inza (2002, section 4.4.1.4). A weight is drawn in the upper half with
    its probability, and uniformly inside of the half. After halving, the probability is ½ again.

    Examples
    --------
    >>> from fewest.search import Servet
    >>> from fewest.search.spaces.box import Box
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda w: -abs(w - 0.3).sum()).bind(toy_table(n_features=3))
    >>> drive(Servet(population=100), Box(3), scorer, max_batches=90).best_value > -0.1
    True
    """

    name: ClassVar[str] = "servet"
    source: ClassVar[str] = "Servet et al. (1997); Inza (2002, thesis), section 4.4.1.4"

    alpha: float = number(0.3, low=0.0, high=1.0)
    best: int = whole(20, low=1)
    certain: float = number(0.9, low=0.5, high=1.0)

    def begin(self, d: int) -> Intervals:
        """The whole box."""
        return Intervals(np.zeros(d), np.ones(d), np.full(d, 0.5))

    def draw(self, state: Intervals, n: int, rng: np.random.Generator) -> Floats:
        """Half by half."""
        half = (state.high - state.low) / 2
        upper = rng.random((n, len(half))) < state.upper
        drawn: Floats = state.low + half * (upper + rng.random((n, len(half))))
        return drawn

    def move(self, state: Intervals, ranked: Floats) -> Intervals:
        """Learn the probabilities, then halve what is certain."""
        middle = (state.low + state.high) / 2
        share = (ranked[: self.best] > middle).mean(axis=0)
        upper = (1 - self.alpha) * state.upper + self.alpha * share
        rises, falls = upper > self.certain, upper < 1 - self.certain
        return Intervals(
            np.where(rises, middle, state.low),
            np.where(falls, middle, state.high),
            np.where(rises | falls, 0.5, upper),
        )

    def width(self, state: Intervals) -> float:
        """The widest interval."""
        return float((state.high - state.low).max(initial=0.0))
