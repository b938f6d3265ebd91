"""The genetic algorithm that the two named by their crossover share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.base import Candidates
from ...parameters import number, whole
from ..base import Proposals, Search
from ..better import Better
from ..population import Population, first_population, proportional, scored, survivors
from ..spaces.base import Space
from .variation import mutate

Crossover = Callable[[Candidates, Candidates, np.random.Generator], tuple[Candidates, Candidates]]


@dataclass
class Genetic(Search):
    """Base of the genetic algorithms: parents by value, crossover, mutation, the best survive.

    Parameters
    ----------
    population : int
        How many subsets are kept, and how many children a generation has.
    crossover : float
        The probability that a pair exchanges units; otherwise the children are copies.
    mutation : float or None
        The probability of each unit of a child to change; None is 1 / number of units.
    p0 : float or None
        Probability of each unit in the first population. None is one half for up to 100 units;
        beyond, the first population has subsets of all sizes, small ones as often as large ones.

    Notes
    -----
    Inza (2002, thesis), section 6.4.3: population 1000, crossover probability 1, mutation 1/d,
    fitness-proportional parents; the next population is the best of old and children.
    """

    source: ClassVar[str] = "Inza (2002, thesis), section 6.4.3"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    generational: ClassVar[bool] = True

    population: int = whole(1000, low=2)
    crossover: float = number(1.0, low=0.0, high=1.0)
    mutation: float | None = number(None, low=0.0, high=1.0, optional=True)
    p0: float | None = number(None, low=0.0, high=1.0, optional=True)

    @abstractmethod
    def cross(
        self, mothers: Candidates, fathers: Candidates, rng: np.random.Generator
    ) -> tuple[Candidates, Candidates]:
        """Two children of each pair."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a generation: the first population, then the children."""
        population = yield from scored(first_population(space, self.population, rng, self.p0))
        while True:
            born = children(population, self.population, self.cross, self.crossover, rng)
            rate = mutation_rate(self.mutation, space)
            born = space.repair(mutate(born, rate, space.cardinalities, rng), rng)
            new = yield from scored(born)
            population = survivors(population, new, self.population, better)


def children(
    population: Population,
    n: int,
    cross: Crossover,
    probability: float,
    rng: np.random.Generator,
) -> Candidates:
    """``n`` children of parents drawn in proportion to their values, before mutation."""
    pairs = (n + 1) // 2
    parents = population.candidates[proportional(population.value, 2 * pairs, rng)]
    mothers, fathers = parents[:pairs], parents[pairs:]
    one, other = cross(mothers, fathers, rng)
    if probability < 1:
        mates = rng.random((pairs, 1)) < probability
        one, other = np.where(mates, one, mothers), np.where(mates, other, fathers)
    return np.concatenate([one, other])[:n]


def mutation_rate(given: float | None, space: Space) -> float:
    """The rate, or one unit a child on average."""
    return 1 / max(1, space.n_units) if given is None else given
