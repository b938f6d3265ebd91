"""What the continuous searches by estimation of distribution share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.gaussian.base import Density, Floats
from ...parameters import number, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import scored, survivors
from ..spaces.base import Space

#: A population whose weights differ by less has converged.
SAME_WEIGHTS = 1e-12


@dataclass
class ContinuousEDA(Search):
    """Base of the searches that learn a density of the good candidates and sample it.

    A subclass says in ``learn`` which density it learns; all else is here.

    Parameters
    ----------
    population : int
        Number of candidates N kept; each generation samples N - 1 new ones.
    selected : float
        Part of the population, the best of it, that the density is learned from.

    Notes
    -----
    As for the discrete searches, the best individual and the best N - 1 of the 2N - 2 others and
    new ones form the next population (Inza, 2002, section 7.4). What is sampled outside of the
    box is moved to its border. The search ends by itself when all individuals are the same.
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    generational: ClassVar[bool] = True

    population: int = whole(1000, low=2)
    selected: float = number(0.5, low=0.0, high=1.0)

    @abstractmethod
    def learn(self, selected: Floats) -> Density:
        """The density of the selected individuals, the best first."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        n = self.population
        chosen = max(2, round(self.selected * n))
        population = yield from scored(space.sample(n, rng, 1.0))
        while True:
            population = population.best(n, better)
            if same_weights(population.candidates):
                return Verdict("all individuals of the population are the same")
            density = self.learn(population.candidates[:chosen])
            new = yield from scored(space.repair(density.sample(n - 1, rng), rng))
            elite, rest = population.take(np.arange(1)), population.take(np.arange(1, n))
            population = elite.join(survivors(rest, new, n - 1, better))


def same_weights(candidates: Floats) -> bool:
    """Whether all candidates are the same up to rounding (also where there is nothing free)."""
    return bool(np.ptp(candidates, axis=0).max(initial=0.0) <= SAME_WEIGHTS)
