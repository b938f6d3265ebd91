"""Directed acyclic graphs, the independences they state, and graphs as matrices of arcs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError


@dataclass(frozen=True)
class Graph:
    """Directed acyclic graph over variables 0 ... d - 1, as the parents of each.

    Examples
    --------
    >>> fork = Graph(((), (0,), (0,)))
    >>> fork.arcs
    [(0, 1), (0, 2)]
    >>> fork.separated({1}, {2}, given={0})
    True
    >>> collider = Graph(((), (), (0, 1)))
    >>> collider.separated({0}, {1}), collider.separated({0}, {1}, given={2})
    (True, False)
    """

    parents: tuple[tuple[int, ...], ...]

    @staticmethod
    def empty(d: int) -> Graph:
        """Return the graph without arcs."""
        return Graph(((),) * d)

    @staticmethod
    def of_matrix(parents: NDArray[np.int64], number: NDArray[np.int64]) -> Graph:
        """Read the first ``number[i]`` entries of each row of ``parents``."""
        listed = zip(parents.tolist(), number.tolist(), strict=True)
        return Graph(tuple(tuple(row[:k]) for row, k in listed))

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """Return all (parent, child), by child."""
        return [(p, i) for i, parents in enumerate(self.parents) for p in parents]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Variables with parents before children; among the ready ones the smallest first."""
        children: list[list[int]] = [[] for _ in self.parents]
        waiting = [len(p) for p in self.parents]
        for p, i in self.arcs:
            children[p].append(i)
        order = [i for i, n in enumerate(waiting) if n == 0]
        for i in order:
            for child in children[i]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        if len(order) < len(self.parents):
            raise InputError("`parents` must describe a graph without directed cycles.")
        return tuple(order)

    def ancestors(self, nodes: Iterable[int]) -> set[int]:
        """Return the nodes and all that lead to them."""
        seen = set(nodes)
        open_nodes = list(seen)
        while open_nodes:
            for p in self.parents[open_nodes.pop()]:
                if p not in seen:
                    seen.add(p)
                    open_nodes.append(p)
        return seen

    def separated(self, one: set[int], two: set[int], given: Iterable[int] = ()) -> bool:
        """Decide if ``one`` and ``two`` are independent given ``given`` by u-separation.

        Notes
        -----
        The smallest ancestral subgraph is moralised (parents of a common child are joined);
        the sets are independent if every path between them meets ``given`` (Inza, 2002,
        section 3.2).
        """
        blocked = set(given)
        near = self._moral(self.ancestors(one | two | blocked))
        reached = one - blocked
        open_nodes = list(reached)
        while open_nodes:
            for other in near[open_nodes.pop()] - blocked - reached:
                reached.add(other)
                open_nodes.append(other)
        return not (reached & two)

    def _moral(self, nodes: set[int]) -> dict[int, set[int]]:
        near: dict[int, set[int]] = {i: set() for i in nodes}
        for i in nodes:
            family = (i, *self.parents[i])
            for a in family:
                near[a].update(b for b in family if b != a)
        return near


def matrix_of(graph: Graph) -> NDArray[np.bool_]:
    """Return the arcs as a matrix [parent, child].

    >>> matrix_of(Graph(((), (0,)))).tolist()
    [[False, True], [False, False]]
    """
    out = np.zeros((len(graph.parents),) * 2, dtype=bool)
    for p, i in graph.arcs:
        out[p, i] = True
    return out


def graph_of(arcs: NDArray[Any]) -> Graph:
    """Return the graph of a matrix of arcs.

    >>> graph_of(np.array([[0, 1], [0, 0]])).parents
    ((), (0,))
    """
    found: list[list[int]] = [[] for _ in arcs]
    for child, parent in np.argwhere(np.asarray(arcs).T).tolist():
        found[child].append(parent)
    return Graph(tuple(tuple(own) for own in found))


def is_acyclic(arcs: NDArray[Any]) -> bool:
    """Decide if the arcs make no cycle.

    >>> is_acyclic(np.array([[0, 1], [0, 0]])), is_acyclic(np.array([[0, 1], [1, 0]]))
    (True, False)
    """
    left = np.asarray(arcs, dtype=bool)
    while len(left):
        sources = ~left.any(axis=0)
        if not sources.any():
            return False
        left = left[~sources][:, ~sources]
    return True


def random_graph(d: int, most: int, rng: np.random.Generator, share: float) -> Graph:
    """Draw a graph in which each arc is proposed with probability ``share``."""
    return repaired(rng.random((d, d)) < share, most, rng)


def repaired(arcs: NDArray[Any], most: int, rng: np.random.Generator) -> Graph:
    """Return a graph of these arcs in random order, without cycles and with few enough parents."""
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
