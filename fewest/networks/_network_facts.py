"""Facts about a learned network: influence of arcs, held-out likelihood, stability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._models.bayesian_network import Network
from .._models.family_scores import FamilyScores
from .._models.graph import Graph

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
