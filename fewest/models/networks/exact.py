"""The best network there is, with a proof; or the best known, with a bound."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.networks.family import EQUIVALENT
from ...kernels.networks.parent_sets import best_sinks
from .cutting_planes import prove_by_planes
from .family_scores import FamilyScores
from .graph import Graph
from .parent_sets import ParentSets, find_parent_sets
from .scores import Score
from .structure_search import Walk, climb_again

#: Up to so many variables dynamic programming is quick, and all sets of variables fit into memory.
MOST_QUICK, MOST_BY_SUBSETS = 20, 27
#: Sets of variables between two looks at the clock.
PART = 1 << 18


@dataclass(frozen=True)
class ProvenNetwork:
    """A graph, and what is known of the best one.

    Parameters
    ----------
    graph : Graph
    ordering : tuple of int
        An ordering of the variables, parents first, from which the graph follows.
    score : float
    bound : float
        No network scores more than this.
    optimal : bool
        Whether the graph is proven to be a best one.
    """

    graph: Graph
    ordering: tuple[int, ...]
    score: float
    bound: float
    optimal: bool

    @property
    def gap(self) -> float:
        """How much better another network could be at most."""
        return 0.0 if self.optimal else max(0.0, self.bound - self.score)


def learn_exact(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bic",
    max_parents: int | None = None,
    seconds: float | None = None,
) -> ProvenNetwork:
    """The network with the highest score, proven, of all with at most ``max_parents``.

    Parameters
    ----------
    rows, cardinalities : arrays
    score : Score or str
    max_parents : int or None
        None sets no limit.
    seconds : float or None
        A time limit; at its end the answer is the best network so far, and the gap says what is
        open. The gap is infinite where the time ended before all families were counted.

    Notes
    -----
    An iterated tabu search finds a good network first. Up to 20 variables the best one is found
    by dynamic programming over subsets (Silander and Myllymaki, 2006), for more by cutting planes
    (Bartlett and Cussens, 2017) and, where these come to an end first, by dynamic programming up
    to 27. Cutting planes are computed with floating-point numbers: networks that are better by
    less than 0.0001 are not told apart. Constant columns are no variables.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> found = learn_exact(np.stack([a, b, a ^ b], axis=1), np.full(3, 2))
    >>> found.optimal, len(found.graph.arcs)
    (True, 2)
    """
    families = FamilyScores(rows, cardinalities, score=score)
    return prove_families(families, max_parents=max_parents, seconds=seconds)


def prove_families(
    families: FamilyScores, *, max_parents: int | None = None, seconds: float | None = None
) -> ProvenNetwork:
    """``learn_exact`` over a cache of families."""
    end = math.inf if seconds is None else time.monotonic() + seconds

    def left() -> float:
        return end - time.monotonic()

    vary = _varying(families)
    if len(vary) < 2:
        empty = Graph.empty(len(families.cardinalities))
        return ProvenNetwork(empty, empty.order, families.of(empty), families.of(empty), True)
    sets = find_parent_sets(
        families.rows[:, vary], families.cardinalities[vary], score=families.rule,
        max_parents=max_parents, late=lambda: left() <= 0,
    )  # fmt: skip
    first = good_graph(families, max_parents)
    if sets is None:
        value = families.of(first)
        return ProvenNetwork(first, first.order, value, math.inf, False)
    start = _renamed(first, {int(v): k for k, v in enumerate(vary)}, sets.d)
    found = _prove(sets, start, left)
    graph = _renamed(found.graph, dict(enumerate(vary.tolist())), len(families.cardinalities))
    # Families of constant columns are added: they have no parents.
    value = families.of(graph)
    bound = value if found.optimal else found.bound + value - found.score
    return ProvenNetwork(graph, graph.order, value, bound, found.optimal)


def good_graph(families: FamilyScores, max_parents: int | None) -> Graph:
    """The graph of an iterated tabu search with fixed random numbers."""
    d = len(families.cardinalities)
    walk = Walk(families, max_parents=max_parents, tenure=10, patience=20)
    walk.climb()
    if d > MOST_QUICK:
        *_, walk = climb_again(walk, d, 4 * d, np.random.default_rng(0))
    return walk.best


def _varying(families: FamilyScores) -> NDArray[np.intp]:
    """The columns that can have an arc: with one value only, none is of use.

    With the equivalent sample size of "bdeu" levels that never occur count, too.
    """
    if families.rule.numbers(2)[0] == EQUIVALENT:
        vary = families.cardinalities > 1
    else:
        vary = (families.rows != families.rows[:1]).any(axis=0)
    return np.flatnonzero(vary)


def _renamed(graph: Graph, names: dict[int, int], d: int) -> Graph:
    """The graph over variables with other numbers; those without a name drop out."""
    parents: list[tuple[int, ...]] = [()] * d
    for i, own in enumerate(graph.parents):
        if i in names:
            parents[names[i]] = tuple(sorted(names[p] for p in own if p in names))
    return Graph(tuple(parents))


def _prove(sets: ParentSets, start: Graph, left: Callable[[], float]) -> ProvenNetwork:
    """The best network over parent sets, from a good one."""
    if sets.d > MOST_QUICK:
        start = graph_of_order(sets, start.order)
        ended = prove_by_planes(sets, start, score_of(sets, start), left)
        found = ProvenNetwork(
            ended.graph, ended.graph.order, ended.score, ended.bound, ended.optimal
        )
        if found.optimal or sets.d > MOST_BY_SUBSETS or left() <= 0:
            return found
        proven = by_subsets(sets, left)
        return found if proven is None else proven
    proven = by_subsets(sets, left)
    if proven is not None:
        return proven
    start = graph_of_order(sets, start.order)
    top = float(sets.scores[sets.starts[:-1]].sum())
    return ProvenNetwork(start, start.order, score_of(sets, start), top, False)


def by_subsets(
    sets: ParentSets, left: Callable[[], float] = lambda: math.inf
) -> ProvenNetwork | None:
    """The best network by dynamic programming over all sets of variables; None if time ends."""
    d = sets.d
    value = np.zeros(1 << d)
    sink = np.zeros(1 << d, dtype=np.int8)
    for first in range(0, 1 << d, PART):
        if left() <= 0:
            return None
        last = min(first + PART, 1 << d)
        best_sinks(d, sets.sets, sets.scores, sets.starts, first, last, value, sink)
    order: list[int] = []
    rest = (1 << d) - 1
    while rest:
        order.append(int(sink[rest]))
        rest ^= 1 << order[-1]
    ordering = tuple(reversed(order))
    graph = graph_of_order(sets, ordering)
    top = float(value[-1])
    return ProvenNetwork(graph, ordering, top, top, True)


def graph_of_order(sets: ParentSets, ordering: Sequence[int]) -> Graph:
    """The best graph whose parents stand earlier in an ordering."""
    parents: list[tuple[int, ...]] = [()] * sets.d
    earlier = 0
    for x in ordering:
        _, mask = sets.best(x, earlier)
        parents[x] = tuple(v for v in range(sets.d) if mask >> v & 1)
        earlier |= 1 << x
    return Graph(tuple(parents))


def score_of(sets: ParentSets, graph: Graph) -> float:
    """The score of a graph whose families are among the sets."""
    total = 0.0
    for x, parents in enumerate(graph.parents):
        total += sets.best(x, sum(1 << p for p in parents))[0]
    return total
