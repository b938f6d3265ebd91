"""CHC: cross-generational selection, half-uniform crossover, cataclysms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._parameters import number, one_of, whole
from ..measures._measure import Candidates
from ._better import SAME_SCORE_TOLERANCE, Better
from ._genetic import change, children, half_uniform, mutate, uniform
from ._population import Population, PopulationSearch, first_population, scored
from ._search import Proposals, Verdict
from ._spaces.space import Space


@dataclass
class CHC(PopulationSearch):
    """Cross only subsets that differ much, keep the best of both generations, restart when stuck.

    Parameters
    ----------
    population : int
        Number of subsets kept.
    generations : int
        Number of batches after which the search ends.
    divergence : float
        Part of the units that a restart changes in copies of the best.
    variant : "eshelman" or "hsu"
        Whose description is followed; see the notes.
    mutation : float
        For "hsu": probability of each unit of a child to change.

    Notes
    -----
    ``"eshelman"``: Eshelman (1991), as used by Guerra-Salcedo and Whitley. Every member is paired
    at random once; a pair mates only if half its Hamming distance is above a threshold (a quarter
    of the units at first); half-uniform crossover; the best of parents and children survive; no
    mutation. The threshold falls by one when no child is better than the worst parent.

    ``"hsu"``: Hsu (2004), section 4.1. Parents are drawn in proportion to their values, crossover
    is uniform, mutation inverts single bits, there is no elitism: the children are the next
    generation. The paper does not say when a restart comes; here the threshold falls by one in
    every generation whose best is no better than the best before.

    In both, a threshold below zero brings a cataclysm: the best is kept, and the others are
    replaced by copies of it with 35 % of the units changed.
    """

    name: ClassVar[str] = "chc"
    source: ClassVar[str] = "Eshelman (1991); Hsu (2004), sections 4.1 and 5"
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    population: int = whole(100, low=2)
    generations: int = whole(100, low=1)
    divergence: float = number(0.35, low=0.0, high=1.0)
    p0: float | None = number(None, low=0.0, high=1.0, optional=True)
    variant: str = one_of("eshelman", "hsu")
    mutation: float = number(0.001, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per generation of children, or a restart."""
        population = yield from scored(first_population(space, self.population, rng, self.p0))
        breed = self._eshelman if self.variant == "eshelman" else self._hsu
        done, threshold = 1, space.n_units / 4
        while done < self.generations:
            best = population.best(1, better)
            born = breed(population, threshold, space, rng)
            if len(born):
                new = yield from scored(space.repair(born, rng))
                population, fallen = self._next(population, new, better)
                threshold -= fallen
                done += 1
            else:
                threshold -= 1
            if threshold < 0 and done < self.generations:
                best = population.join(best).best(1, better)
                start = self._cataclysm(best.candidates[0], space, rng)
                population = yield from scored(start)
                threshold = self.divergence * (1 - self.divergence) * space.n_units
                done += 1
        return Verdict(f"{self.generations} generations done")

    def _eshelman(
        self, population: Population, threshold: float, space: Space, rng: np.random.Generator
    ) -> Candidates:
        return mate(population.candidates, threshold, rng)

    def _hsu(
        self, population: Population, threshold: float, space: Space, rng: np.random.Generator
    ) -> Candidates:
        """Breed children of parents drawn by value, by uniform crossover; invert a unit of some."""
        born = children(population, self.population, uniform, 1.0, rng)
        return mutate(born, self.mutation, space.cardinalities, rng)

    def _next(self, old: Population, new: Population, better: Better) -> tuple[Population, int]:
        """Return the next population, and by how much the threshold falls."""
        if self.variant == "hsu":
            return new, int(not new.value.max() > old.value.max() + SAME_SCORE_TOLERANCE)
        kept, accepted = _keep(old, new, better)
        return kept, int(not accepted)

    def _cataclysm(self, best: Candidates, space: Space, rng: np.random.Generator) -> Candidates:
        """Yield the best, and copies of it of which many units are changed."""
        copies = np.repeat(best[None, :], self.population, axis=0)
        where = rng.random(copies.shape) < self.divergence
        where[0] = False
        return space.repair(change(copies, where, space.cardinalities, rng), rng)


def mate(population: Candidates, threshold: float, rng: np.random.Generator) -> Candidates:
    """Breed the children of random pairs that differ in more than twice ``threshold`` units."""
    order = rng.permutation(len(population))
    pairs = len(population) // 2
    mothers, fathers = population[order[:pairs]], population[order[pairs : 2 * pairs]]
    far = (mothers != fathers).sum(axis=1) / 2 > threshold
    return np.concatenate(half_uniform(mothers[far], fathers[far], rng))


def _keep(old: Population, new: Population, better: Better) -> tuple[Population, bool]:
    """Return the best of both, and whether one of them is a child above the worst parent.

    A child of the same value may replace a parent, but brings the search no further.
    """
    both = old.join(new)
    kept = better.order(both.candidates, both.value)[: len(old)]
    above = ~(both.value[kept] <= np.nanmin(old.value, initial=np.inf) + SAME_SCORE_TOLERANCE)
    return both.take(kept), bool((above & (kept >= len(old)) & ~np.isnan(both.value[kept])).any())
