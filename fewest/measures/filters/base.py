"""What the filters share: discretised features, and scores that are sums over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.information import Information, count_nominal
from ...data.table import Table
from ..base import Candidates, Measure, Scorer, Scores


class InformationMeasure(Measure):
    """Base of the filters that look at discretised features, two at a time."""

    name: ClassVar[str]
    reads: ClassVar[frozenset[str]] = frozenset({"sample_weight"})

    discretise: str
    bins: int

    def _information(self, table: Table) -> Information:
        self.check_parameters()
        return count_nominal(table, self.discretise, self.bins)[1]


@dataclass(frozen=True, eq=False)
class SumScore(Scorer):
    """The value of a subset is the sum of what each of its features is worth."""

    worth: NDArray[np.float64]

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        subsets = np.asarray(candidates, dtype=bool)
        # A masked sum row by row: unlike a matrix product, the same for any batch.
        return Scores(np.where(subsets, self.worth, 0.0).sum(axis=1))
