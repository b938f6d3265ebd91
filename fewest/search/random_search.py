"""Random subsets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..parameters import number, whole
from .base import Proposals, Search, Verdict
from .better import Better
from .spaces.base import Space


@dataclass
class RandomSearch(Search):
    """Draw subsets at random, as many as you say: what every other search must beat.

    Parameters
    ----------
    draws : int or None
        How many subsets are drawn in all; None goes on until a stop rule ends it.
    batch : int
        How many subsets are drawn at once.
    p0 : float
        The probability of each feature to be in.

    Examples
    --------
    >>> from fewest.search import RandomSearch, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(sum).bind(toy_table(n_features=4))
    >>> done = drive(RandomSearch(batch=50), Subsets(4, max_features=2), scorer, max_batches=2)
    >>> done.best_value, done.evaluations
    (2.0, 11)
    """

    name: ClassVar[str] = "random"
    source: ClassVar[str] = "random sampling"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels", "orderings", "box")
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    draws: int | None = whole(10_000, low=1, optional=True)
    batch: int = whole(1000, low=1)
    p0: float = number(0.5, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Batches of feasible candidates."""
        left = math.inf if self.draws is None else self.draws
        while left > 0:
            n = int(min(self.batch, left))
            yield space.sample(n, rng, self.p0)
            left -= n
        return Verdict(f"{self.draws} subsets drawn")
