"""The simplification of a network that has too many arcs to be read (Inza, 2002, §5.3.2)."""

from __future__ import annotations

from ..errors import InputError
from ..models.networks.family_scores import FamilyScores
from ..models.networks.graph import Graph

Arc = tuple[int, int]


def arc_influences(graph: Graph, families: FamilyScores) -> dict[Arc, float]:
    """What the score of the network loses without each arc."""
    influences = {}
    for parent, child in graph.arcs:
        parents = graph.parents[child]
        without = [p for p in parents if p != parent]
        influences[parent, child] = families.score(child, parents) - families.score(child, without)
    return influences


#: What is kept: the influential half and what is recovered, the half alone, or all arcs.
WAYS = ("recover", "half", "none")


def simplified(graph: Graph, influences: dict[Arc, float], way: str = "recover") -> Graph:
    """Keep the more influential half of the arcs, then recover the next ones while they matter.

    A removed arc comes back if its influence is at least half of the mean of the two least
    influential arcs that are in the network, the recovered ones among them. The ways ``"half"``,
    which recovers nothing, and ``"none"``, which keeps all arcs, are for comparison.

    Examples
    --------
    >>> graph = Graph(((), (0,), (0, 1), (0,)))
    >>> arcs = {(0, 1): 10.0, (0, 2): 9.0, (1, 2): 5.0, (0, 3): 1.0}
    >>> simplified(graph, arcs).arcs
    [(0, 1), (0, 2), (1, 2)]
    >>> simplified(graph, arcs, "half").arcs
    [(0, 1), (0, 2)]
    """
    if way not in WAYS:
        raise InputError(f"`simplify` must be one of {', '.join(WAYS)}, but is {way!r}.")
    if way == "none":
        return graph
    order = sorted(influences, key=lambda arc: (-influences[arc], arc))
    kept = order[: -(-len(order) // 2)]
    for arc in order[len(kept) :] if way == "recover" else ():
        least = [influences[a] for a in kept[-2:]]
        if influences[arc] < sum(least) / len(least) / 2.0:
            break
        kept.append(arc)
    parents: list[list[int]] = [[] for _ in graph.parents]
    for parent, child in kept:
        parents[child].append(parent)
    return Graph(tuple(tuple(sorted(p)) for p in parents))
