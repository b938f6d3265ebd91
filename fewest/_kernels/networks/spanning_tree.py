"""Maximum spanning trees, and their weights for many subsets."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def heavier(weight, a, b, other_weight, c, d):
    """Decide if edge (a, b) comes before edge (c, d): heavier, then smaller vertex numbers."""
    if weight != other_weight:
        return weight > other_weight
    low, high = min(a, b), max(a, b)
    other_low, other_high = min(c, d), max(c, d)
    return low < other_low or (low == other_low and high < other_high)


@njit(cache=True, nogil=True)
def _grow(weights, vertices, root, parents):
    """Run Prim's algorithm over ``vertices``, starting from position ``root`` of them."""
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
    """Return parents and total weight of the maximum-weight spanning tree of some vertices.

    weights (d, d), symmetric, no NaN (negative weights are fine)
    members (d,): the vertices that the tree spans.
    root: the member that has no parent; by default the first one.

    Returns parents, int64 array of shape (d,): the parent of each member; -1 for the root and for
        all that are no members. weight, float: the sum of the weights of the edges.

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


#: Least vertices for which changing a tree is faster than growing one anew.
LEAST_VERTICES_TO_CHANGE = 12


@njit(cache=True, nogil=True)
def hang(us, vs, count, root, parents, order):
    """Hang the tree with the edges (us, vs) on its root: parents, and an order with them first."""
    head = np.full(len(parents), -1, dtype=np.int64)
    following = np.empty(2 * count, dtype=np.int64)
    for e in range(count):
        following[2 * e], head[us[e]] = head[us[e]], 2 * e
        following[2 * e + 1], head[vs[e]] = head[vs[e]], 2 * e + 1
    parents[root] = -1
    order[0] = root
    found = 1
    for i in range(count + 1):
        v = order[i]
        half = head[v]
        while half >= 0:
            u = us[half // 2] if half % 2 else vs[half // 2]
            if u != parents[v]:
                parents[u] = v
                order[found] = u
                found += 1
            half = following[half]


@njit(cache=True, nogil=True)
def insert_vertex(weights, parents, order, count, z, us, vs):
    """Update the maximum spanning tree's edges after vertex ``z`` has joined ``count`` others.

    Chin and Houck (1978): all of them are edges of the old tree or edges of ``z``. From the
    leaves to the root, the best link of each branch to ``z`` and the edge to its parent make a
    cycle; the heavier one stays, the lighter one is a link of the parent.
    """
    ends = np.empty((len(parents), 2), dtype=np.int64)
    for i in range(count):
        ends[order[i], 0] = z
        ends[order[i], 1] = order[i]
    for i in range(count - 1, 0, -1):
        w = order[i]
        r = parents[w]
        a, b = ends[w]
        if heavier(weights[a, b], a, b, weights[r, w], r, w):
            us[i], vs[i] = a, b
            a, b = r, w
        else:
            us[i], vs[i] = r, w
        c, d = ends[r]
        if heavier(weights[a, b], a, b, weights[c, d], c, d):
            ends[r, 0], ends[r, 1] = a, b
    us[0], vs[0] = ends[order[0]]


@njit(cache=True, nogil=True)
def _heaviest_way_out(weights, members, count, labels, own):
    """Return the heaviest edge from the vertices of one label to the others."""
    a, b = -1, -1
    for i in range(count):
        u = members[i]
        if labels[u] != own:
            continue
        for j in range(count):
            v = members[j]
            if labels[v] != own and labels[v] >= 0:
                if a < 0 or heavier(weights[u, v], u, v, weights[a, b], a, b):
                    a, b = u, v
    return a, b


@njit(cache=True, nogil=True)
def remove_vertex(weights, parents, order, count, z, us, vs):
    """Update the maximum spanning tree's edges after vertex ``z`` has left ``count`` vertices.

    The edges that do not touch ``z`` stay; the branches that hung on it are joined, each time
    the smallest one, by its heaviest edge.
    """
    labels = np.full(len(parents), -1, dtype=np.int64)
    sizes = np.zeros(count, dtype=np.int64)
    branches = 0
    found = 0
    for i in range(count):
        v = order[i]
        if v == z:
            continue
        p = parents[v]
        if p < 0 or p == z:
            labels[v] = branches
            branches += 1
        else:
            labels[v] = labels[p]
            us[found], vs[found] = p, v
            found += 1
        sizes[labels[v]] += 1
    while found < count - 2:
        own = -1
        for b in range(branches):
            if sizes[b] > 0 and (own < 0 or sizes[b] < sizes[own]):
                own = b
        us[found], vs[found] = _heaviest_way_out(weights, order, count, labels, own)
        target = labels[vs[found]]
        found += 1
        sizes[target] += sizes[own]
        sizes[own] = 0
        for i in range(count):
            if labels[order[i]] == own:
                labels[order[i]] = target


@njit(cache=True, nogil=True)
def _hung(weights, members):
    """Return the parents of a tree, an order with parents first, and the number of vertices."""
    parents, _ = maximum_spanning_tree(weights, members)
    vertices = np.flatnonzero(members)
    order = np.empty(len(members), dtype=np.int64)
    us = np.empty(len(members), dtype=np.int64)
    vs = np.empty(len(members), dtype=np.int64)
    found = 0
    for v in vertices:
        if parents[v] >= 0:
            us[found], vs[found] = parents[v], v
            found += 1
    if len(vertices) > 0:
        hang(us, vs, found, vertices[0], parents, order)
    return parents, order, len(vertices)


@njit(cache=True, nogil=True)
def neighbour_tree(weights, parents, order, count, z, joins):
    """Return the tree's parents after ``z`` is added or removed, as if grown anew."""
    d = len(parents)
    us = np.empty(count + 1, dtype=np.int64)
    vs = np.empty(count + 1, dtype=np.int64)
    if joins:
        insert_vertex(weights, parents, order, count, z, us, vs)
        edges = count
    else:
        remove_vertex(weights, parents, order, count, z, us, vs)
        edges = count - 2
    found = np.full(d, -1, dtype=np.int64)
    root = min(us[:edges].min(), vs[:edges].min())
    hang(us, vs, edges, root, found, np.empty(edges + 1, dtype=np.int64))
    return found


@njit(cache=True, nogil=True)
def _only_change(row, base):
    """Return the one vertex in which two subsets differ; -1 if there are more, or none."""
    change = -1
    for v in range(len(row)):
        if row[v] != base[v]:
            if change >= 0:
                return -1
            change = v
    return change


@njit(cache=True, nogil=True)
def tree_sums(weights, payload, candidates):
    """Sum ``payload`` over the edges of the maximum spanning tree of each subset.

    weights, payload (d, d): symmetric; what the tree maximises, and what is added up over its
        edges.
    candidates (m, d)

    Returns float64 array of shape (m,).

    Where the subsets are one and the same with one vertex added, or removed, that tree is grown
    once and changed for each. The order in which edges are added up is the same in any case, so
    a sum does not depend on the batch.
    """
    sums = np.zeros(len(candidates))
    if len(candidates) == 0:
        return sums
    low = candidates[0].copy()
    high = candidates[0].copy()
    for row in range(1, len(candidates)):
        low &= candidates[row]
        high |= candidates[row]
    share = len(candidates) > 1
    up = share and low.sum() >= LEAST_VERTICES_TO_CHANGE
    down = share and high.sum() > LEAST_VERTICES_TO_CHANGE
    below = _hung(weights, low if up else np.zeros_like(low))
    above = _hung(weights, high if down else np.zeros_like(high))
    for row in range(len(candidates)):
        z = _only_change(candidates[row], low) if up else -1
        if z >= 0:
            parents = neighbour_tree(weights, below[0], below[1], below[2], z, True)
        else:
            z = _only_change(candidates[row], high) if down else -1
            if z >= 0:
                parents = neighbour_tree(weights, above[0], above[1], above[2], z, False)
            else:
                parents, _ = maximum_spanning_tree(weights, candidates[row])
        for v in range(len(parents)):
            if parents[v] >= 0:
                sums[row] += payload[v, parents[v]]
    return sums
