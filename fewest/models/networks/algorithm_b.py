"""Algorithm B: add the arc that helps most, from the empty graph, while one helps."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ...kernels.networks.algorithm_b import algorithm_b
from ..base import as_rows
from .graph import Graph
from .scores import Score

#: No table gets more cells than this, whatever the score would like.
LARGEST_TABLE = 1 << 16


def learn_b(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    score: Score | str = "bic",
    max_parents: int | None = None,
) -> Graph:
    """The graph that Algorithm B finds.

    Notes
    -----
    Buntine (1991); Inza et al. (2000, section 3.2.2). Equal gains are decided for the smaller
    child, then the smaller parent.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.random.default_rng(0).integers(0, 2, (2, 100))
    >>> learn_b(np.stack([a, b, a], axis=1), np.array([2, 2, 2])).arcs
    [(2, 0)]
    """
    data, cards = as_rows(rows, cardinalities)
    chosen = Score(score) if isinstance(score, str) else score
    # A parent with one level only is never of use, so at most log2(cells) parents fit a table.
    most = min(len(cards) - 1, LARGEST_TABLE.bit_length() - 1)
    most = most if max_parents is None else min(most, max_parents)
    parents, number = algorithm_b(
        data, cards, *chosen.numbers(len(data)), max(most, 0), float(LARGEST_TABLE)
    )
    return Graph.of_matrix(parents, number)
