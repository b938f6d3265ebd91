"""Searches over graphs by changing arcs: hill climbing and tabu search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...kernels.networks.climb import Climb, climb_graph
from .family_scores import FamilyScores, graph_of_bits
from .graph import Graph
from .scores import Score

#: Steps of a climb at most: more than any network needs.
MOST_STEPS = 1_000_000


def climb_families(
    families: FamilyScores,
    *,
    start: Graph | None = None,
    max_parents: int | None = None,
    tenure: int = 0,
    patience: int = 0,
    steps: int = MOST_STEPS,
) -> tuple[Graph, float]:
    """The best graph on a climb over a cache of families, and its score.

    ``tenure`` and ``patience`` above 0 make it a tabu search, see :func:`learn_by_tabu`.
    """
    d = len(families.cardinalities)
    first = Graph.empty(d) if start is None else start
    _ = first.order  # a start with a cycle is refused here
    most = d if max_parents is None else max_parents
    bits = np.stack([families.bits(p) for p in first.parents])
    best = np.zeros_like(bits)
    with families.lock:
        while True:
            climb = Climb(
                bits.copy(), np.zeros_like(bits), np.zeros(d, dtype=np.int64),
                np.zeros(d, dtype=np.int64), np.zeros((d, d)), np.zeros((d, d), dtype=np.int64),
            )  # fmt: skip
            _, done = climb_graph(families.cache, climb, most, tenure, patience, steps, best)
            if done >= 0:
                break
            families.grow()
    graph = graph_of_bits(best)
    # Added up anew: the same graph has the same score to the last digit, whatever the way to it.
    return graph, families.of(graph)


def climb(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bic",
    max_parents: int | None = None,
    tenure: int = 10,
    patience: int = 100,
) -> tuple[Graph, float]:
    """A tabu search from the empty graph: the graph, and its score."""
    families = FamilyScores(rows, cardinalities, score=score)
    return climb_families(families, max_parents=max_parents, tenure=tenure, patience=patience)


def learn_by_tabu(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bic",
    max_parents: int | None = None,
    start: Graph | None = None,
    tenure: int = 10,
    patience: int = 100,
) -> Graph:
    """The best graph of a tabu search.

    Parameters
    ----------
    rows, cardinalities : arrays
    score : Score or str
    max_parents : int or None
    start : Graph or None
        By default the empty graph.
    tenure : int
        For how many steps an arc rests after a change.
    patience : int
        The search ends after so many steps without a new best.

    Notes
    -----
    Glover (1989); Inza (2002, section 3.3.3.2) names it for networks. The best change is made
    even if it costs.

    Examples
    --------
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> learn_by_tabu(np.stack([a, b, a], axis=1), np.full(3, 2)).arcs
    [(2, 0)]
    """
    if tenure < 0 or patience < 1:
        raise InputError(
            f"`tenure` must be at least 0 and `patience` at least 1, but are {tenure} and "
            f"{patience}."
        )
    families = FamilyScores(rows, cardinalities, score=score)
    graph, _ = climb_families(
        families, start=start, max_parents=max_parents, tenure=tenure, patience=patience
    )
    return graph
