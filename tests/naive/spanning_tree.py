"""Spanning trees by Kruskal's algorithm, edge by edge."""

from __future__ import annotations


def edges_of_maximum_tree(weights, members):
    """The edges (low, high) of the maximum spanning tree; ties to the smaller numbers."""
    vertices = [v for v, inside in enumerate(members) if inside]
    edges = [(a, b) for i, a in enumerate(vertices) for b in vertices[i + 1 :]]
    edges.sort(key=lambda e: (-weights[e[0]][e[1]], e))
    component = {v: v for v in vertices}
    chosen = set()
    for a, b in edges:
        if component[a] != component[b]:
            old, new = component[b], component[a]
            component = {v: new if c == old else c for v, c in component.items()}
            chosen.add((a, b))
    return chosen
