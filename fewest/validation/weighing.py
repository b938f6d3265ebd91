"""What weights are worth on rows that they were not found with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..measures.wrappers.nearest_neighbor import NeighborScorer
from .overlap import Split


def judge_weights(
    weights: NDArray[np.float64], k: int, table: Table, split: Split
) -> NDArray[np.float64]:
    """Accuracy of nearest neighbours on test rows with these weights, equal ones, and none.

    Ranges and neighbours come from the training rows only.
    """
    scorer = NeighborScorer(k, table, ((split,),))
    batch = np.array([weights, np.ones_like(weights), np.zeros_like(weights)])
    return scorer.score(batch).value
