"""Graphs of Bayesian networks, and networks with their tables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.networks.draws import count_families, log_families, sample_families, smooth_families
from .discrete import Model, Rows, as_rows, as_weights


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
    """Return the arcs as a matrix [parent, child]."""
    out = np.zeros((len(graph.parents),) * 2, dtype=bool)
    for p, i in graph.arcs:
        out[p, i] = True
    return out


def graph_of(arcs: NDArray[Any]) -> Graph:
    """Return the graph of a matrix of arcs."""
    found: list[list[int]] = [[] for _ in arcs]
    for child, parent in np.argwhere(np.asarray(arcs).T).tolist():
        found[child].append(parent)
    return Graph(tuple(tuple(own) for own in found))


def is_acyclic(arcs: NDArray[Any]) -> bool:
    """Decide if the arcs make no cycle."""
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


@dataclass(frozen=True, eq=False)
class Network(Model):
    """Bayesian network: a graph, and for each variable a table given its parents.

    Parameters
    ----------
    cardinalities : int64 array of shape (d,)
    graph : Graph
    probabilities : float64 array
        All tables one after the other, see ``tables``.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0, 0], [0, 0], [1, 1]])
    >>> net = Network.learn(Graph(((), (0,))), rows, np.array([2, 2]))
    >>> net.tables[0], net.tables[1]
    (array([[0.6, 0.4]]), array([[0.75      , 0.25      ],
           [0.33333333, 0.66666667]]))

    Notes
    -----
    Parameters are (N_ijk + 1) / (N_ij + r_i) unless another prior count is given; rows are
    drawn by probabilistic logic sampling in an ancestral order (Inza et al., 2000, section 3.2).
    """

    cardinalities: NDArray[np.int64]
    graph: Graph
    probabilities: NDArray[np.float64]

    @staticmethod
    def learn(
        graph: Graph,
        rows: NDArray[Any],
        cardinalities: NDArray[Any],
        weights: NDArray[Any] | None = None,
        prior: float = 1.0,
    ) -> Network:
        """Return the network with this graph whose tables are smoothed frequencies of the rows."""
        data, cards = as_rows(rows, cardinalities)
        places = _layout(graph, cards)
        tables = np.zeros(places[2][-1])
        count_families(data, as_weights(weights, len(data)), cards, *places, tables)
        smooth_families(tables, cards, places[2], prior)
        network = Network(cards, graph, tables)
        network.__dict__["places"] = places
        return network

    @property
    def tables(self) -> tuple[NDArray[np.float64], ...]:
        """Probabilities of the levels (columns) in each case of the parents, for each variable.

        The last parent varies fastest.
        """
        starts = self.places[2]
        return tuple(
            self.probabilities[starts[i] : starts[i + 1]].reshape(-1, r)
            for i, r in enumerate(self.cardinalities.tolist())
        )

    def sample(self, n: int, rng: np.random.Generator) -> Rows:
        uniform = rng.random((n, len(self.cardinalities)))
        order = np.array(self.graph.order, dtype=np.int64)
        first, parents, starts = self.places
        rows: Rows = sample_families(
            uniform, order, self.cardinalities, first, parents, starts, self.probabilities
        )
        return rows

    def log_probability(self, rows: Rows) -> NDArray[np.float64]:
        """Return the natural logarithm of the probability of each row."""
        data, cards = as_rows(rows, self.cardinalities)
        with np.errstate(divide="ignore"):
            logs = np.log(self.probabilities)
        return np.asarray(log_families(data, cards, *self.places, logs))

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], ...]:
        """Positions of the parents and the table of each variable, as the kernels read them."""
        return _layout(self.graph, self.cardinalities)


def _layout(graph: Graph, cards: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Arrange the parents and tables of each variable as the kernels read them."""
    listed = cards.tolist()
    first, starts = [0], [0]
    flat: list[int] = []
    for levels, parents in zip(listed, graph.parents, strict=True):
        flat += parents
        first.append(len(flat))
        starts.append(starts[-1] + levels * math.prod(listed[p] for p in parents))
    return np.array(first), np.array(flat, dtype=np.int64), np.array(starts)
