"""Random searches over graphs: simulated annealing, and a genetic algorithm with hill climbing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...kernels.networks.anneal import anneal_graph
from ...kernels.networks.climb import Climb
from .family_scores import FamilyScores, graph_of_bits
from .graph import Graph
from .structure_search import climb_families

#: A graph and its score.
Found = tuple[Graph, float]


def anneal_families(
    families: FamilyScores,
    rng: np.random.Generator,
    *,
    max_parents: int | None = None,
    steps: int = 50_000,
    start: float = 10.0,
    end: float = 0.05,
) -> Found:
    """The best graph of a simulated annealing from the empty graph, climbed to its top.

    Parameters
    ----------
    families : FamilyScores
    rng : Generator
    max_parents : int or None
    steps : int
        Number of changes that are tried.
    start, end : float
        The temperature falls from the one to the other by a constant factor.

    Notes
    -----
    Inza (2002, section 3.3.3.2) names it for networks. A hill climb from the best graph ends it.
    """
    if not start >= end > 0 or steps < 1:
        raise InputError(
            f"`start` must be at least `end`, `end` above 0 and `steps` at least 1, but are "
            f"{start}, {end} and {steps}."
        )
    d = len(families.cardinalities)
    most = d if max_parents is None else max_parents
    uniform = rng.random((steps, 4))
    temperatures = np.geomspace(start, end, steps)
    bits = np.zeros((d, (d + 63) // 64), dtype=np.uint64)
    with families.lock:
        while True:
            climb = Climb(
                bits.copy(), bits.copy(), np.zeros(d, dtype=np.int64),
                np.zeros(d, dtype=np.int64), np.zeros((d, d)), np.zeros((d, d), dtype=np.int64),
            )  # fmt: skip
            best = bits.copy()
            _, fits = anneal_graph(families.cache, climb, most, uniform, temperatures, best)
            if fits:
                break
            families.grow()
    return climb_families(families, start=graph_of_bits(best), max_parents=max_parents)


def breed_families(
    families: FamilyScores,
    rng: np.random.Generator,
    *,
    max_parents: int | None = None,
    population: int = 20,
    generations: int = 20,
    mutation: float | None = None,
    steps: int = 5,
) -> list[list[Found]]:
    """A genetic search over graphs with a local optimiser: the population of each generation.

    Parameters
    ----------
    families : FamilyScores
    rng : Generator
    max_parents : int or None
    population, generations : int
    mutation : float or None
        The probability of each possible arc of a child to change; None is 1 / number of
        variables squared.
    steps : int
        Each child is improved by so many steps of hill climbing.

    Notes
    -----
    Larranaga, Poza, Yurramendi, Murga and Kuijpers (1996): graphs as strings of arcs, parents by
    rank, crossover, mutation, a repair of cycles, a local optimiser, and the elitist reduction:
    the next population is the best of old and new. Here crossover exchanges whole parent sets,
    and the local optimiser is a few steps of hill climbing. Each list is sorted, best first.
    """
    d = len(families.cardinalities)
    rate = 1 / d**2 if mutation is None else mutation
    most = d if max_parents is None else max_parents

    def improved(graph: Graph) -> Found:
        return climb_families(families, start=graph, max_parents=most, steps=steps)

    def drawn() -> Graph:
        arcs = rng.random((d, d)) < 1 / max(d, 2)
        return repaired(arcs, most, rng)

    people = _best([improved(drawn()) for _ in range(population)], population)
    told = [people]
    for _ in range(generations - 1):
        ranks = np.arange(len(people), 0, -1, dtype=np.float64)
        chances = ranks / ranks.sum()
        born = []
        for _ in range(population):
            mother, father = (matrix(people[k][0]) for k in rng.choice(len(people), 2, p=chances))
            child = np.where(rng.random(d) < 0.5, mother, father)
            child ^= rng.random((d, d)) < rate
            born.append(improved(repaired(child, most, rng)))
        people = _best([*people, *born], population)
        told.append(people)
    return told


def _best(found: list[Found], n: int) -> list[Found]:
    """The best ``n`` different graphs."""
    different = {tuple(tuple(sorted(p)) for p in g.parents): (g, s) for g, s in found}
    return sorted(different.values(), key=lambda pair: -pair[1])[:n]


def matrix(graph: Graph) -> NDArray[np.bool_]:
    """The arcs as a matrix [parent, child]."""
    out = np.zeros((len(graph.parents),) * 2, dtype=bool)
    for p, i in graph.arcs:
        out[p, i] = True
    return out


def repaired(arcs: NDArray[Any], most: int, rng: np.random.Generator) -> Graph:
    """A graph of these arcs, taken in random order, without cycles and with few enough parents."""
    d = len(arcs)
    parents: list[list[int]] = [[] for _ in range(d)]
    above = np.zeros((d, d), dtype=bool)
    for p, i in rng.permutation(np.argwhere(arcs)):
        if p == i or len(parents[i]) >= most or above[p, i]:
            continue
        parents[i].append(int(p))
        below = above[:, i].copy()
        below[i] = True
        higher = above[p].copy()
        higher[p] = True
        above[below] |= higher
    return Graph(tuple(tuple(sorted(p)) for p in parents))
