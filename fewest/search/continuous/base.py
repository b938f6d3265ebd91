"""What the continuous searches by estimation of distribution share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.gaussian.base import Density, Floats
from ...parameters import number, one_of, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import first_population, scored, survivors
from ..spaces.base import Space

#: A population whose weights differ by less has converged.
SAME_WEIGHTS = 1e-12
#: The factor of the variances changes by this in a generation.
SHRINK = 0.9


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
    scaling : "adaptive" or "none"
        Whether the variances grow while the best candidates are far from the mean.

    Notes
    -----
    As for the discrete searches, the best individual and the best N - 1 of the 2N - 2 others and
    new ones form the next population (Inza, 2002, section 7.4). What is sampled outside of the
    box is moved to its border. The search ends by itself when all individuals are the same.

    Maximum likelihood densities of the best shrink before they reach the end of a slope.
    Adaptive variance scaling (Bosman, Grahl and Thierens, 2008) multiplies the variances by a
    factor that grows by 1 / 0.9 when the mean of the candidates that beat the best lies more
    than one standard deviation from the mean along a principal axis, and falls by 0.9, to no
    less than 1, when none beats the best.
    """

    spaces: ClassVar[tuple[str, ...]] = ("box",)
    generational: ClassVar[bool] = True

    population: int = whole(1000, low=2)
    selected: float = number(0.5, low=0.0, high=1.0)
    scaling: str = one_of("adaptive", "none")

    @abstractmethod
    def learn(self, selected: Floats) -> Density:
        """The density of the selected individuals, the best first."""

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        n = self.population
        chosen = max(2, round(self.selected * n))
        population = yield from scored(first_population(space, n, rng, 1.0))
        factor, before = 1.0, None
        while True:
            population = population.best(n, better)
            if same_weights(population.candidates):
                return Verdict("all individuals of the population are the same")
            selected = population.candidates[:chosen]
            drawn = self.learn(selected).sample(n - 1, rng)
            if self.scaling == "adaptive":
                centre = selected.mean(axis=0)
                drawn = centre + np.sqrt(factor) * (drawn - centre)
                if before is not None:
                    drawn[: round(self.selected * n / 2)] += 2 * factor * (centre - before)
                before = centre
            new = yield from scored(space.repair(drawn, rng))
            improved = new.candidates[new.value > population.value[0]]
            factor = next_factor(factor, selected, improved)
            elite, rest = population.take(np.arange(1)), population.take(np.arange(1, n))
            population = elite.join(survivors(rest, new, n - 1, better))


def next_factor(factor: float, selected: Floats, improved: Floats) -> float:
    """Return the next factor of the variances.

    ``selected`` are the candidates that the density was learned from, ``improved`` the samples of
    it that beat the best of them.

    >>> line = np.array([[0.0], [1.0]])
    >>> next_factor(1.0, line, np.array([[1.2]])) > 1.0, next_factor(2.0, line, line[:0])
    (True, 1.8)
    """
    if len(improved) == 0:
        return max(1.0, factor * SHRINK)
    centre = selected.mean(axis=0)
    value, vector = np.linalg.eigh(np.atleast_2d(np.cov(selected, rowvar=False, bias=True)))
    away = np.abs((improved.mean(axis=0) - centre) @ vector)
    far = bool((away > np.sqrt(np.maximum(value, SAME_WEIGHTS**2))).any())
    return factor / SHRINK if far else factor


def same_weights(candidates: Floats) -> bool:
    """Whether all candidates are the same up to rounding (also where there is nothing free)."""
    return bool(np.ptp(candidates, axis=0).max(initial=0.0) <= SAME_WEIGHTS)
