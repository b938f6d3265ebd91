"""Facts about networks: influence of arcs, held-out likelihood, stability, and distances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._models.family_scores import FamilyScores
from .._models.graph import Graph, Network

#: Rows and cardinalities to a graph.
Learn = Callable[[NDArray[Any], NDArray[np.int64]], Graph]


@dataclass(frozen=True)
class NetworkFacts:
    """Figures for a report on a network.

    ``influence`` is what the score loses without each arc; ``held_out`` the mean log-likelihood
    per row, in nats, on rows that a network was not learned from, by name; ``stability`` the
    share of bootstrap samples whose network has each arc, in this direction and in either one.
    """

    influence: dict[tuple[int, int], float]
    held_out: dict[str, float]
    stability: dict[tuple[int, int], tuple[float, float]]
    bootstraps: int
    rows: tuple[int, int]


def network_facts(
    graph: Graph,
    families: FamilyScores,
    learn: Learn,
    *,
    rng: np.random.Generator,
    bootstraps: int = 20,
    prior: float = 1.0,
) -> NetworkFacts:
    """Return the facts of a graph learned from the rows of ``families``; ``learn`` learns anew."""
    rows, cards = families.rows, families.cardinalities
    order = rng.permutation(len(rows))
    third = max(1, len(rows) // 3)
    test, train = rows[order[:third]], rows[order[third:]]
    return NetworkFacts(
        {(p, i): _loss(families, graph, p, i) for p, i in graph.arcs},
        _held_out(train, test, cards, learn(train, cards), prior),
        _stability(graph, rows, cards, learn, rng, bootstraps),
        bootstraps,
        (len(train), len(test)),
    )


def _loss(families: FamilyScores, graph: Graph, parent: int, child: int) -> float:
    own = graph.parents[child]
    return families.score(child, own) - families.score(child, [q for q in own if q != parent])


def _held_out(
    train: NDArray[Any], test: NDArray[Any], cards: NDArray[np.int64], graph: Graph, prior: float
) -> dict[str, float]:
    d = len(cards)
    star = Graph(tuple(() if i == d - 1 else (d - 1,) for i in range(d)))
    # Without a prior count a value not seen in training would have the likelihood 0.
    smooth = prior if prior > 0 else 1.0
    graphs = {"learned": graph, "naive": star, "empty": Graph.empty(d)}
    return {
        name: float(Network.learn(g, train, cards, prior=smooth).log_probability(test).mean())
        for name, g in graphs.items()
    }


def _stability(
    graph: Graph,
    rows: NDArray[Any],
    cards: NDArray[np.int64],
    learn: Learn,
    rng: np.random.Generator,
    bootstraps: int,
) -> dict[tuple[int, int], tuple[float, float]]:
    found = np.zeros((len(cards),) * 2)
    for _ in range(bootstraps):
        drawn = rows[rng.integers(len(rows), size=len(rows))]
        for p, i in learn(drawn, cards).arcs:
            found[p, i] += 1 / max(bootstraps, 1)
    return {(p, i): (float(found[p, i]), float(found[p, i] + found[i, p])) for p, i in graph.arcs}


#: Most joint cases for which the divergence is summed up exactly.
MOST_CASES = 1 << 20


@dataclass(frozen=True)
class StructureComparison:
    """Comparison of a graph with a gold one.

    ``distance`` is the structural Hamming distance: pairs of variables that are joined in one
    graph only, or in another direction. ``class_distance`` is the same between the essential
    graphs, in which only the directions that the equivalence class determines count.
    """

    distance: int
    class_distance: int
    arc_precision: float
    arc_recall: float
    adjacency_precision: float
    adjacency_recall: float

    def to_dict(self) -> dict[str, float]:
        """Return plain data."""
        return asdict(self)


def compare_graphs(graph: Graph, gold: Graph) -> StructureComparison:
    """Return distances, precision and recall of a graph against the true one.

    Notes
    -----
    Tsamardinos, Brown and Aliferis (2006) for the distance between equivalence classes. With
    nothing to be found, precision and recall are 1.

    Examples
    --------
    >>> chain, collider = Graph(((), (0,), (1,))), Graph(((), (0, 2), ()))
    >>> found = compare_graphs(chain, collider)
    >>> found.distance, found.class_distance, found.arc_recall, found.adjacency_recall
    (1, 2, 0.5, 1.0)
    """
    if len(graph.parents) != len(gold.parents):
        raise InputError(
            f"`graph` must have the {len(gold.parents)} variables of `gold`, but has "
            f"{len(graph.parents)}."
        )
    arcs, true = set(graph.arcs), set(gold.arcs)
    near, joined = ({frozenset(arc) for arc in found} for found in (arcs, true))
    d = len(gold.parents)
    return StructureComparison(
        _distance(arcs, true, d),
        _distance(essential_arcs(graph), essential_arcs(gold), d),
        _share(len(arcs & true), len(arcs)),
        _share(len(arcs & true), len(true)),
        _share(len(near & joined), len(near)),
        _share(len(near & joined), len(joined)),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _distance(one: set[tuple[int, int]], other: set[tuple[int, int]], d: int) -> int:
    pairs = combinations(range(d), 2)
    return sum(
        ((a, b) in one, (b, a) in one) != ((a, b) in other, (b, a) in other) for a, b in pairs
    )


def essential_arcs(graph: Graph) -> set[tuple[int, int]]:
    """Return the essential graph: arcs that the class determines once, others in both directions.

    The v-structures are directed, then Meek's (1995) first three rules until nothing changes;
    from a directed acyclic graph no fourth is needed.
    """
    near = [set(p) for p in graph.parents]
    for p, i in graph.arcs:
        near[p].add(i)
    arcs = {(a, b) for i, j in graph.arcs for a, b in ((i, j), (j, i))}
    for child, parents in enumerate(graph.parents):
        for a, b in combinations(parents, 2):
            if b not in near[a]:
                arcs -= {(child, a), (child, b)}
    while True:
        settled = {(a, b) for a, b in arcs if (b, a) in arcs and _is_forced(a, b, arcs, near)}
        if not settled:
            return arcs
        arcs -= {(b, a) for a, b in settled}


def _is_forced(a: int, b: int, arcs: set[tuple[int, int]], near: list[set[int]]) -> bool:
    """Decide if one of Meek's rules directs the edge between ``a`` and ``b`` from a to b."""

    def directed(x: int, y: int) -> bool:
        return (x, y) in arcs and (y, x) not in arcs

    def open_edge(x: int, y: int) -> bool:
        return (x, y) in arcs and (y, x) in arcs

    if any(directed(c, a) and c not in near[b] for c in near[a] if c != b):
        return True
    if any(directed(a, c) and directed(c, b) for c in near[a] & near[b]):
        return True
    middle = [c for c in near[a] & near[b] if open_edge(a, c) and directed(c, b)]
    return any(d not in near[c] for c, d in combinations(middle, 2))


def divergence(gold: Network, found: Network) -> float:
    """Return the Kullback-Leibler divergence of ``found`` from ``gold`` in nats, by summing up.

    Notes
    -----
    Inza (2002), equation 3.18: the sum over all joint cases of p log(p / q). Infinite where
    ``found`` excludes what ``gold`` allows. For networks with too many joint cases use the mean
    difference of the log-likelihoods on rows drawn from ``gold``
    (:func:`sampled_divergence`).

    Examples
    --------
    >>> from fewest.networks import load_network
    >>> asia = load_network("asia")
    >>> divergence(asia.network, asia.network)
    0.0
    """
    cards = gold.cardinalities
    if not np.array_equal(cards, found.cardinalities):
        raise InputError("`found` must have the variables and levels of `gold`, but has not.")
    if float(np.prod(cards.astype(float))) > MOST_CASES:
        raise InputError(
            f"`gold` must have at most {MOST_CASES} joint cases to be summed up, but has more; "
            "use `sampled_divergence`."
        )
    every = np.indices(tuple(cards.tolist())).reshape(len(cards), -1).T
    p, q = gold.log_probability(every), found.log_probability(every)
    sure = p > -np.inf
    return float(np.sum(np.exp(p[sure]) * (p[sure] - q[sure])))


def sampled_divergence(
    gold: Network, found: Network, n: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Estimate :func:`divergence` from ``n`` rows drawn from ``gold``, with its standard error.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.networks import load_network
    >>> asia = load_network("asia").network
    >>> sampled_divergence(asia, asia, 100, np.random.default_rng(0))
    (0.0, 0.0)
    """
    rows = gold.sample(n, rng)
    gaps = gold.log_probability(rows) - found.log_probability(rows)
    return float(gaps.mean()), float(gaps.std(ddof=1) / np.sqrt(n))
