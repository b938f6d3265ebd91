"""Maximum-weight spanning trees over subsets of vertices."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def heavier(weight, a, b, other_weight, c, d):
    """Whether edge (a, b) comes before edge (c, d): heavier, then smaller vertex numbers."""
    if weight != other_weight:
        return weight > other_weight
    low, high = min(a, b), max(a, b)
    other_low, other_high = min(c, d), max(c, d)
    return low < other_low or (low == other_low and high < other_high)


@njit(cache=True, nogil=True)
def _grow(weights, vertices, root, parents):
    """Prim's algorithm over ``vertices``, starting from position ``root`` of them."""
    k = len(vertices)
    best = np.empty(k)
    link = np.full(k, -1, dtype=np.int64)
    done = np.zeros(k, dtype=np.bool_)
    newest = root
    done[root] = True
    parents[vertices[root]] = -1
    for _ in range(k - 1):
        v = vertices[newest]
        chosen = -1
        for q in range(k):
            if done[q]:
                continue
            u = vertices[q]
            if link[q] < 0 or heavier(weights[v, u], v, u, best[q], link[q], u):
                best[q] = weights[v, u]
                link[q] = v
            if chosen < 0 or heavier(
                best[q], link[q], u, best[chosen], link[chosen], vertices[chosen]
            ):
                chosen = q
        done[chosen] = True
        parents[vertices[chosen]] = link[chosen]
        newest = chosen


@njit(cache=True, nogil=True)
def maximum_spanning_tree(weights, members, root=-1):
    """Parents and total weight of the maximum-weight spanning tree of some vertices.

    Parameters
    ----------
    weights : float64 array of shape (d, d), symmetric, no NaN (negative weights are fine)
    members : bool array of shape (d,)
        The vertices that the tree spans.
    root : int
        The member that has no parent; by default the first one.

    Returns
    -------
    parents : int64 array of shape (d,)
        The parent of each member; -1 for the root and for all that are no members.
    weight : float
        The sum of the weights of the edges.

    Notes
    -----
    Prim (1957), in O(k²) for k members. Equal weights are ordered by the smaller, then the
    larger vertex number of the edge; under this strict order the tree is unique, whatever the
    root.
    """
    vertices = np.flatnonzero(members)
    parents = np.full(len(members), -1, dtype=np.int64)
    start = 0
    for q in range(len(vertices)):
        if vertices[q] == root:
            start = q
    total = 0.0
    if len(vertices) > 0:
        _grow(weights, vertices, start, parents)
    for v in vertices:
        if parents[v] >= 0:
            total += weights[v, parents[v]]
    return parents, total
