"""Equivalence classes of small graphs by listing all graphs."""

from itertools import combinations, product

from tests.naive.discrete_models import acyclic


def every_graph(d):
    """All directed acyclic graphs over d variables, as tuples of parent tuples."""
    sets = [
        [s for k in range(d) for s in combinations([j for j in range(d) if j != i], k)]
        for i in range(d)
    ]
    return [graph for graph in product(*sets) if acyclic(graph)]


def class_of(parents):
    """What equivalent graphs share: their adjacencies and v-structures (Verma and Pearl)."""
    near = {frozenset((p, i)) for i, own in enumerate(parents) for p in own}
    colliders = {
        (frozenset((a, b)), i)
        for i, own in enumerate(parents)
        for a, b in combinations(own, 2)
        if frozenset((a, b)) not in near
    }
    return frozenset(near), frozenset(colliders)


def essential(parents, graphs):
    """The union of the arcs of all equivalent graphs."""
    own = class_of(parents)
    equal = [g for g in graphs if class_of(g) == own]
    return {(p, i) for g in equal for i, parents in enumerate(g) for p in parents}
