"""Genetic algorithms, CHC among them, and how new candidates come from old ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._parameters import number, one_of, whole
from ..measures._measure import Candidates
from ._better import SAME_SCORE_TOLERANCE, Better
from ._population import (
    Population,
    PopulationSearch,
    first_population,
    proportional,
    scored,
    survivors,
)
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space


def one_point(
    mothers: Candidates, fathers: Candidates, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Cut each pair at a random place between two units and exchange what lies behind."""
    n, d = mothers.shape
    cut = rng.integers(1, max(d, 2), size=(n, 1))
    return _exchange(mothers, fathers, np.arange(d) >= cut)


def uniform(
    mothers: Candidates, fathers: Candidates, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Exchange each unit of each pair with probability ½."""
    return _exchange(mothers, fathers, rng.random(mothers.shape, dtype=np.float32) < 0.5)


def half_uniform(
    mothers: Candidates, fathers: Candidates, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Exchange exactly half (rounded down) of the units in which the two of a pair differ."""
    differ = mothers != fathers
    # Random ranks put the units that differ first, in random order.
    rank = np.argsort(np.argsort(rng.random(mothers.shape) + ~differ, axis=1), axis=1)
    half = differ.sum(axis=1, keepdims=True) // 2
    return _exchange(mothers, fathers, rank < half)


def _exchange(
    mothers: Candidates, fathers: Candidates, where: NDArray[np.bool_]
) -> tuple[Candidates, Candidates]:
    return np.where(where, fathers, mothers), np.where(where, mothers, fathers)


def mutate(
    candidates: Candidates,
    rate: float,
    cardinalities: NDArray[np.int64],
    rng: np.random.Generator,
) -> Candidates:
    """Give each unit another of its values with probability ``rate``."""
    hit = rng.random(candidates.shape, dtype=np.float32) < rate
    return change(candidates, hit & (cardinalities > 1), cardinalities, rng)


def change(
    candidates: Candidates,
    where: NDArray[np.bool_],
    cardinalities: NDArray[np.int64],
    rng: np.random.Generator,
) -> Candidates:
    """Give the units in ``where`` another of their values, each alike; for bits, flip them."""
    changed = candidates.copy()
    if candidates.dtype == bool:
        changed ^= where
        return changed
    rows, units = np.nonzero(where)
    r = cardinalities[units]
    step = 1 + np.floor(rng.random(len(units)) * (r - 1)).astype(np.int64)
    changed[rows, units] = (candidates[rows, units].astype(np.int64) + step) % r
    return changed


Crossover = Callable[[Candidates, Candidates, np.random.Generator], tuple[Candidates, Candidates]]


@dataclass
class Genetic(PopulationSearch):
    """Base of the genetic algorithms: parents by value, crossover, mutation, the best survive.

    Parameters
    ----------
    population : int
        Number of subsets kept, and of children in each generation.
    crossover : float
        Probability that a pair exchanges units; otherwise the children are copies.
    mutation : float or None
        Probability of each unit of a child to change; None is 1 / number of units.

    Notes
    -----
    Inza (2002, thesis), section 6.4.3: population 1000, crossover probability 1, mutation 1/d,
    fitness-proportional parents; the next population is the best of old and children.
    """

    source: ClassVar[str] = "Inza (2002, thesis), section 6.4.3"
    generational: ClassVar[bool] = True
    #: How two children of each pair are bred.
    cross: ClassVar[Crossover]

    population: int = whole(1000, low=2)
    crossover: float = number(1.0, low=0.0, high=1.0)
    mutation: float | None = number(None, low=0.0, high=1.0, optional=True)
    p0: float | None = number(None, low=0.0, high=1.0, optional=True)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch per generation: the first population, then the children."""
        population = yield from scored(first_population(space, self.population, rng, self.p0))
        while True:
            born = children(population, self.population, type(self).cross, self.crossover, rng)
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
    """Breed ``n`` children of parents drawn in proportion to their values, before mutation."""
    pairs = (n + 1) // 2
    parents = population.candidates[proportional(population.value, 2 * pairs, rng)]
    mothers, fathers = parents[:pairs], parents[pairs:]
    one, other = cross(mothers, fathers, rng)
    if probability < 1:
        mates = rng.random((pairs, 1)) < probability
        one, other = np.where(mates, one, mothers), np.where(mates, other, fathers)
    return np.concatenate([one, other])[:n]


def mutation_rate(given: float | None, space: Space) -> float:
    """Return the rate, or one unit per child on average."""
    return 1 / max(1, space.n_units) if given is None else given


@dataclass
class GAOnePoint(Genetic):
    """Breed good subsets: parents by value, one-point crossover, mutation, the best survive.

    Notes
    -----
    One-point crossover keeps units together that lie side by side: it suffers where features
    that work together do not (Inza, 2002, thesis, sections 6.4.4 and 6.5).
    """

    name: ClassVar[str] = "ga-one-point"
    cross: ClassVar[Crossover] = staticmethod(one_point)


@dataclass
class GAUniform(Genetic):
    """Breed good subsets: parents by value, uniform crossover, mutation, the best survive.

    Notes
    -----
    Uniform crossover does not care in which order the features stand.
    """

    name: ClassVar[str] = "ga-uniform"
    cross: ClassVar[Crossover] = staticmethod(uniform)


@dataclass
class GASimple(Search):
    """Replace every generation by its children: nobody survives, the best is remembered.

    Parameters
    ----------
    population : int
        Number of subsets in a generation.
    generations : int
        Number of generations after which the search ends.
    crossover : float
        Probability that a pair exchanges units at one point.
    mutation : float
        Probability of each unit of a child to change.
    p0 : float
        Probability of each unit to be in, in the first generation.

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
        population = yield from scored(space.sample(self.population, rng, self.p0))
        for _ in range(self.generations - 1):
            born = children(population, self.population, one_point, self.crossover, rng)
            born = mutate(born, self.mutation, space.cardinalities, rng)
            population = yield from scored(space.repair(born, rng))
        return Verdict(f"{self.generations} generations done")


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
