"""Random subsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..parameters import number, whole
from .base import Proposals, Search
from .better import Better
from .space import Space


@dataclass
class RandomSearch(Search):
    """Draw subsets at random until a stop rule ends it: what every other search must beat.

    Parameters
    ----------
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
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    generational: ClassVar[bool] = True

    batch: int = whole(1000, low=1)
    p0: float = number(0.5, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Batches of feasible candidates without end."""
        while True:
            yield space.sample(self.batch, rng, self.p0)
