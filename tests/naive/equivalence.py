"""Equivalence classes of small graphs by listing all graphs."""

from itertools import combinations


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
