"""The best network there is, with a proof; or the best known, with a bound."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.networks.parent_sets import best_sinks
from .graph import Graph
from .order_search import search_orders
from .parent_sets import ParentSets, find_parent_sets
from .scores import Score

#: Up to so many variables all sets of variables fit into memory.
MOST_BY_SUBSETS = 27


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
        A time limit, for more than 27 variables; at its end the gap says what is open.

    Notes
    -----
    Up to 27 variables by dynamic programming over subsets (Silander and Myllymaki, 2006), for
    more by A* over the same sets with pattern databases (Yuan and Malone, 2013).

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> found = learn_exact(np.stack([a, b, a ^ b], axis=1), np.full(3, 2))
    >>> found.optimal, len(found.graph.arcs)
    (True, 2)
    """
    start = time.monotonic()
    sets = find_parent_sets(rows, cardinalities, score=score, max_parents=max_parents)
    if sets.d <= MOST_BY_SUBSETS:
        return by_subsets(sets)
    from .structure_search import climb

    most = sets.d - 1 if max_parents is None else max_parents
    first, value = climb(rows, cardinalities, score=score, max_parents=most)
    left = None if seconds is None else seconds - (time.monotonic() - start)
    found = search_orders(sets, value, left)
    if found.ordering is None:
        best, order = first, first.order
    else:
        best, order = graph_of_order(sets, found.ordering), found.ordering
        value = score_of(sets, best)
    bound = value if found.optimal else max(found.bound, value)
    return ProvenNetwork(best, tuple(order), value, bound, found.optimal)


def by_subsets(sets: ParentSets) -> ProvenNetwork:
    """The best network by dynamic programming over all sets of variables."""
    d = sets.d
    value = np.zeros(1 << d)
    sink = np.zeros(1 << d, dtype=np.int8)
    best_sinks(d, sets.sets, sets.scores, sets.starts, value, sink)
    order: list[int] = []
    left = (1 << d) - 1
    while left:
        order.append(int(sink[left]))
        left ^= 1 << order[-1]
    ordering = tuple(reversed(order))
    graph = graph_of_order(sets, ordering)
    top = float(value[-1])
    return ProvenNetwork(graph, ordering, top, top, True)


def graph_of_order(sets: ParentSets, ordering: tuple[int, ...]) -> Graph:
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
