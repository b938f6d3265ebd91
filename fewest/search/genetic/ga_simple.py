"""The simple generational genetic algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...parameters import number, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import scored
from ..spaces.base import Space
from .base import children
from .variation import mutate, one_point


@dataclass
class GASimple(Search):
    """Replace every generation by its children: nobody survives, the best is remembered.

    Parameters
    ----------
    population : int
        How many subsets a generation has.
    generations : int
        After so many the search ends.
    crossover : float
        The probability that a pair exchanges units at one point.
    mutation : float
        The probability of each unit of a child to change.
    p0 : float
        The probability of each unit to be in, in the first generation.

    Notes
    -----
    Hsu (2004), section 4.1: fitness-proportionate selection, single-point crossover, bit
    inversion, no elitism, 100 generations of 100; the rates are those of Genesis (Grefenstette,
    1986), which it reimplements.

    Examples
    --------
    >>> from fewest.search import GASimple, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: float(mask[0])).bind(toy_table(n_features=6))
    >>> drive(GASimple(generations=5), Subsets(6), scorer).verdict.reason
    '5 generations done'
    """

    name: ClassVar[str] = "ga-simple"
    source: ClassVar[str] = "Hsu (2004), section 4.1; Grefenstette (1986)"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    population: int = whole(100, low=2)
    generations: int = whole(100, low=1)
    crossover: float = number(0.6, low=0.0, high=1.0)
    mutation: float = number(0.001, low=0.0, high=1.0)
    p0: float = number(0.5, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a generation."""
        population = yield from scored(space.sample(self.population, rng, self.p0))
        for _ in range(self.generations - 1):
            born = children(population, self.population, one_point, self.crossover, rng)
            born = mutate(born, self.mutation, space.cardinalities, rng)
            population = yield from scored(space.repair(born, rng))
        return Verdict(f"{self.generations} generations done")
