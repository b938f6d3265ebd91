"""Hill climbing over graphs: add, delete or reverse the arc that helps most."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from .family_scores import FamilyScores
from .graph import Graph
from .scores import Score
from .structure_search import SIDEWAYS, climb_families


def learn_by_climbing(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    score: Score | str = "bic",
    max_parents: int | None = None,
    start: Graph | None = None,
) -> Graph:
    """The graph that no single arc added, deleted or reversed would improve.

    Notes
    -----
    From ``start``, by default the empty graph; the change that helps most at every step (Inza,
    2002, section 3.3.3.2, with reversal beside addition and deletion). At the top it goes on
    along changes that cost nothing, such as reversals that lead to an equivalent network, until
    20 of them have led to nothing better.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> rows = np.stack([a, b, a], axis=1)
    >>> full = Graph(((), (0,), (0, 1)))
    >>> learn_by_climbing(rows, np.full(3, 2), start=full).arcs
    [(0, 2)]
    """
    families = FamilyScores(rows, cardinalities, score=score)
    graph, _ = climb_families(families, start=start, max_parents=max_parents, **SIDEWAYS)
    return graph
