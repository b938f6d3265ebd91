"""What a network over classifiers says: which are original, and which families differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from ..models.networks.graph import Graph


def hard_independent(graph: Graph, x: int) -> int | None:
    """The classifier given which ``x`` is independent of all others, or None if there is none.

    Such a classifier is original: one other model is enough to explain its relation to the rest
    (Inza, 2002, section 5.3.3.1). The lowest position counts where several will do.

    >>> chain = Graph(((), (0,), (1,)))
    >>> hard_independent(chain, 2), hard_independent(chain, 1)
    (1, None)
    """
    everything = set(range(len(graph.parents)))
    for y in sorted(everything - {x}):
        others = everything - {x, y}
        if not others or graph.separated({x}, others, {y}):
            return y
    return None


def independent_inside(graph: Graph, family: Sequence[int]) -> bool:
    """Whether two members are independent given at most one classifier outside the family.

    Then the family is not compact: its members differ (section 5.3.3.2).
    """
    outside = [z for z in range(len(graph.parents)) if z not in family]
    for x, y in combinations(family, 2):
        if any(graph.separated({x}, {y}, given) for given in [(), *((z,) for z in outside)]):
            return True
    return False


def independent_between(graph: Graph, one: Sequence[int], two: Sequence[int]) -> bool:
    """Whether some set of classifiers outside both families separates them (§5.3.3.3).

    If any set does, then so does the set of all ancestors of both families that belong to
    neither, so that one test is enough.
    """
    first, second = set(one), set(two)
    given = graph.ancestors(first | second) - first - second
    return graph.separated(first, second, given)


def read_network(
    graph: Graph, names: Sequence[str], families: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, bool]]:
    """All three readings, by name.

    Returns
    -------
    dict
        ``"hard"``: classifier to whether it is hard conditionally independent; ``"inside"``:
        family to whether its members are independent; ``"between"``: ``"A,B"`` to whether two
        families are. Families without two members among ``names`` are left out of ``"inside"``,
        those without any from ``"between"``.
    """
    at = {name: i for i, name in enumerate(names)}
    members = {f: [at[n] for n in listed if n in at] for f, listed in families.items()}
    there = {f: m for f, m in members.items() if m}
    return {
        "hard": {name: hard_independent(graph, i) is not None for i, name in enumerate(names)},
        "inside": {f: independent_inside(graph, m) for f, m in there.items() if len(m) > 1},
        "between": {
            f"{a},{b}": independent_between(graph, there[a], there[b])
            for a, b in combinations(there, 2)
        },
    }
