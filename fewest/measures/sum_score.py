"""Scores that are sums over the features of a subset."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .base import Candidates, Scorer, Scores

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SumScore(Scorer):
    """The value of a subset is the sum of what each of its features is worth."""

    worth: Floats

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        subsets = np.asarray(candidates, dtype=bool)
        # A masked sum row by row: unlike a matrix product, the same for any batch.
        return Scores(np.where(subsets, self.worth, 0.0).sum(axis=1))
