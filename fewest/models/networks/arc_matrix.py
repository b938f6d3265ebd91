"""Graphs as matrices of arcs [parent, child]: to and fro, at random, and repaired."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .graph import Graph


def matrix_of(graph: Graph) -> NDArray[np.bool_]:
    """The arcs as a matrix [parent, child].

    >>> matrix_of(Graph(((), (0,)))).tolist()
    [[False, True], [False, False]]
    """
    out = np.zeros((len(graph.parents),) * 2, dtype=bool)
    for p, i in graph.arcs:
        out[p, i] = True
    return out


def graph_of(arcs: NDArray[Any]) -> Graph:
    """The graph of a matrix of arcs.

    >>> graph_of(np.array([[0, 1], [0, 0]])).parents
    ((), (0,))
    """
    found: list[list[int]] = [[] for _ in arcs]
    for child, parent in np.argwhere(np.asarray(arcs).T).tolist():
        found[child].append(parent)
    return Graph(tuple(tuple(own) for own in found))


def is_acyclic(arcs: NDArray[Any]) -> bool:
    """Whether the arcs make no cycle.

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
    """A graph in which each arc is proposed with probability ``share``."""
    return repaired(rng.random((d, d)) < share, most, rng)


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
