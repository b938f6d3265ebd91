"""Searches over graphs: the genetic algorithm with a local optimiser, and the exact search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._models.family_scores import FamilyScores
from .._models.graph import Graph, random_graph, repaired
from .._models.structure_search import climb_families
from .._parameters import number, whole
from ..search._better import Better
from ..search._monotone import Bounds
from ..search._population import Population, scored
from ..search._search import Proposals, Verdict
from ..search._spaces.structures import Graphs
from ._graph_searches import GraphSearch
from ._optimum import prove_families


@dataclass(kw_only=True)
class GAGraph(GraphSearch):
    """Breed good graphs: exchange parent sets, change arcs, climb a little; the best survive.

    Parameters
    ----------
    population : int
        Number of graphs that survive, and of those born per generation.
    generations : int
    mutation : float or None
        Probability of each possible arc of a child to change; None is 1 / number of
        variables squared.
    steps : int
        Each child is improved by this many steps of hill climbing.

    Notes
    -----
    Larranaga, Poza, Yurramendi, Murga and Kuijpers (1996): graphs as strings of arcs, parents by
    rank, crossover, mutation, a repair of cycles, a local optimiser, and the elitist reduction:
    the next population is the best of old and new. Here crossover exchanges whole parent sets,
    and the local optimiser is a few steps of hill climbing.
    """

    name: ClassVar[str] = "ga-graph"
    source: ClassVar[str] = "Larranaga et al. (1996); Inza (2002), section 3.3.3.2"
    generational: ClassVar[bool] = True

    population: int = whole(20, low=2)
    generations: int = whole(20, low=1)
    mutation: float | None = number(None, low=0.0, high=1.0, optional=True)
    steps: int = whole(5)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield one batch per generation: the first population, then the children."""
        better = Better(space)

        def improved(graph: Graph) -> Graph:
            return climb_families(
                families, start=graph, max_parents=space.max_parents, steps=self.steps
            )[0]

        first = [random_graph(space.n, space.most, rng, 1 / max(space.n, 2))
                 for _ in range(self.population)]  # fmt: skip
        people = yield from scored(space.rows([improved(graph) for graph in first]))
        people = _different(people, space).best(self.population, better)
        for _ in range(self.generations - 1):
            born = space.rows([improved(child) for child in self._children(people, space, rng)])
            new = yield from scored(born)
            people = _different(people.join(new), space).best(self.population, better)
        return Verdict(f"{self.generations} generations done")

    def _children(self, people: Population, space: Graphs, rng: np.random.Generator) -> list[Graph]:
        d = space.n
        rate = 1 / d**2 if self.mutation is None else self.mutation
        ranks = np.arange(len(people), 0, -1, dtype=np.float64)
        matrices = people.candidates.reshape(-1, d, d)
        born = []
        for _ in range(self.population):
            mother, father = matrices[rng.choice(len(people), 2, p=ranks / ranks.sum())]
            child = np.where(rng.random(d) < 0.5, mother, father)
            child ^= rng.random((d, d)) < rate
            born.append(repaired(child, space.most, rng))
        return born


def _different(people: Population, space: Graphs) -> Population:
    """Keep each graph once."""
    first = {key: i for i, key in reversed(list(enumerate(space.keys(people.candidates))))}
    return people.take(np.sort(np.fromiter(first.values(), dtype=np.intp)))


@dataclass(kw_only=True)
class ExactGraph(GraphSearch):
    """Find the graph with the highest score and prove it, or end with a bound.

    Parameters
    ----------
    seconds : float or None
        A time limit; at its end the answer is the best network so far.

    Notes
    -----
    Silander and Myllymaki (2006), for more than 20 variables Bartlett and Cussens (2017); see
    ``fewest.networks._optimum``. The first graph is that of a short tabu search, so that a
    run that is interrupted has an answer.
    """

    name: ClassVar[str] = "exact-graph"
    source: ClassVar[str] = "Silander and Myllymaki (2006); Bartlett and Cussens (2017)"
    complete: ClassVar[bool] = True

    seconds: float | None = number(None, low=0.0, optional=True)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield two batches: a good graph, then the best."""
        first, _ = climb_families(families, max_parents=space.max_parents, tenure=10, patience=20)
        yield space.rows([first])
        found = prove_families(families, max_parents=space.max_parents, seconds=self.seconds)
        # Added up as the scorer does: a proven answer has no gap.
        if found.optimal or math.isfinite(found.bound):
            bounds.value = families.of(found.graph) if found.optimal else found.bound
        row = space.rows([found.graph])
        yield row
        why = "no network scores more" if found.optimal else "the proof came to its limit"
        return Verdict(why, optimal=found.optimal, answer=row[0])
