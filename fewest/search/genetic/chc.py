"""CHC: cross-generational selection, half-uniform crossover, cataclysms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...measures.base import Candidates
from ...parameters import number, whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..population import Population, scored
from ..spaces.base import Space
from .variation import change, half_uniform


@dataclass
class CHC(Search):
    """Cross only subsets that differ much, keep the best of both generations, restart when stuck.

    Parameters
    ----------
    population : int
        How many subsets are kept.
    generations : int
        After so many batches the search ends.
    divergence : float
        The part of the units that a restart changes in copies of the best.
    p0 : float
        The probability of each unit to be in, in the first generation.

    Notes
    -----
    Eshelman (1991), as used by Guerra-Salcedo and Whitley and by Hsu (2004), section 5: every
    member is paired at random once; a pair mates only if half its Hamming distance is above a
    threshold (a quarter of the units at first); half-uniform crossover; the best of parents and
    children survive; no mutation. When no child survives the threshold falls by one; below zero
    a cataclysm keeps the best and replaces the others by copies of it with 35 % of the units
    changed.

    Examples
    --------
    >>> from fewest.search import CHC, Subsets
    >>> from fewest.testing import TableMeasure, drive, toy_table
    >>> scorer = TableMeasure(lambda mask: float(mask[::2].sum())).bind(toy_table(n_features=12))
    >>> drive(CHC(generations=30), Subsets(12), scorer).best_value
    6.0
    """

    name: ClassVar[str] = "chc"
    source: ClassVar[str] = "Eshelman (1991); Hsu (2004), section 5"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    population: int = whole(100, low=2)
    generations: int = whole(100, low=1)
    divergence: float = number(0.35, low=0.0, high=1.0)
    p0: float = number(0.5, low=0.0, high=1.0)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """One batch a generation of children, or a restart."""
        population = yield from scored(space.sample(self.population, rng, self.p0))
        population = population.best(self.population, better)
        threshold = space.n_units / 4
        done = 1
        while done < self.generations:
            born = mate(population.candidates, threshold, rng)
            if len(born):
                new = yield from scored(space.repair(born, rng))
                population, accepted = _keep(population, new, better)
                threshold -= 0 if accepted else 1
                done += 1
            else:
                threshold -= 1
            if threshold < 0 and done < self.generations:
                start = self._cataclysm(population.candidates[0], space, rng)
                population = (yield from scored(start)).best(self.population, better)
                threshold = self.divergence * (1 - self.divergence) * space.n_units
                done += 1
        return Verdict(f"{self.generations} generations done")

    def _cataclysm(self, best: Candidates, space: Space, rng: np.random.Generator) -> Candidates:
        """The best, and copies of it of which many units are changed."""
        copies = np.repeat(best[None, :], self.population, axis=0)
        where = rng.random(copies.shape) < self.divergence
        where[0] = False
        return space.repair(change(copies, where, space.cardinalities, rng), rng)


def mate(population: Candidates, threshold: float, rng: np.random.Generator) -> Candidates:
    """The children of random pairs that differ in more than twice ``threshold`` units."""
    order = rng.permutation(len(population))
    pairs = len(population) // 2
    mothers, fathers = population[order[:pairs]], population[order[pairs : 2 * pairs]]
    far = (mothers != fathers).sum(axis=1) / 2 > threshold
    return np.concatenate(half_uniform(mothers[far], fathers[far], rng))


def _keep(old: Population, new: Population, better: Better) -> tuple[Population, bool]:
    """The best of both, and whether a child is among them."""
    both = old.join(new)
    kept = better.order(both.candidates, both.value)[: len(old)]
    return both.take(kept), bool((kept >= len(old)).any())
