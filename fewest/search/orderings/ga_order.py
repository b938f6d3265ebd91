"""The genetic algorithm over orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.base import Candidates
from ...parameters import number, one_of, whole
from ..base import Proposals, Search
from ..better import Better
from ..population import Population, proportional, scored
from ..spaces.base import Space
from .variation import cross_orderings, swap


@dataclass(kw_only=True)
class GAOrder(Search):
    """Breed good orderings: order crossover, swap mutation, the best always survive.

    Parameters
    ----------
    population : int
        How many orderings a generation has; the paper has 10.
    crossover : "ox", "pmx" or "cx"
        Order, partially matched or cycle crossover.
    rate : float
        The probability that a pair is crossed; otherwise the children are copies.
    mutation : float
        The probability that two places of a child are exchanged.
    elite : int
        How many of the best of a generation go on unchanged.
    patience : int or None
        After so many generations without a better ordering all but the elite are shuffled;
        None never shuffles.

    Notes
    -----
    Hsu (2004), section 4.2: an elitist permutation GA with order crossover and swap mutation.
    *Shuffle* as cataclysmic mutation was not found necessary there, and is off by default.
    Parents are drawn in proportion to their values.

    Examples
    --------
    >>> from fewest.search import GAOrder
    >>> from fewest.search.spaces.orderings import Orderings
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda o: -float(abs(o - np.arange(6.0)).sum())).bind(toy_table())
    >>> drive(GAOrder(population=30), Orderings(6), scorer, max_batches=40).answer
    array([0, 1, 2, 3, 4, 5], dtype=uint8)
    """

    name: ClassVar[str] = "ga-order"
    source: ClassVar[str] = "Hsu (2004), section 4.2"
    spaces: ClassVar[tuple[str, ...]] = ("orderings",)
    generational: ClassVar[bool] = True

    population: int = whole(100, low=2)
    crossover: str = one_of("ox", "pmx", "cx")
    rate: float = number(0.9, low=0.0, high=1.0)
    mutation: float = number(0.3, low=0.0, high=1.0)
    elite: int = whole(1, low=1)
    patience: int | None = whole(None, low=1, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch per generation: the first population, then the children."""
        people = yield from scored(space.sample(self.population, rng))
        best, since = float("nan"), 0
        while True:
            elite = people.best(self.elite, better)
            since = 0 if better.improves(float(elite.value[0]), best) else since + 1
            best = float(elite.value[0])
            if self.patience is not None and since >= self.patience:
                born, since = space.sample(self.population, rng), 0
            else:
                born = self._children(people, rng)
            new = yield from scored(born)
            people = new.join(elite)

    def _children(self, people: Population, rng: np.random.Generator) -> Candidates:
        pairs = (self.population + 1) // 2
        parents = people.candidates[proportional(people.value, 2 * pairs, rng)]
        mothers, fathers = parents[:pairs], parents[pairs:]
        one, other = cross_orderings(mothers, fathers, self.crossover, rng)
        mates = rng.random((pairs, 1)) < self.rate
        born = np.concatenate([np.where(mates, one, mothers), np.where(mates, other, fathers)])
        return swap(born[: self.population], self.mutation, rng)
