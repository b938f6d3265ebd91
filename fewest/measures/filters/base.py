"""What the filters share: discretised features, and scores that are sums over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.information import Information
from ...data.table import Table
from ..base import Candidates, Measure
from ..steps import Steps
from .pair_values import BatchScorer, sums_of


class InformationMeasure(Measure):
    """Base of the filters that look at discretised features, two at a time."""

    name: ClassVar[str]
    reads: ClassVar[frozenset[str]] = frozenset({"sample_weight"})
    scans: ClassVar[bool] = True

    discretise: str
    bins: int

    def _information(self, table: Table) -> Information:
        self.check_parameters()
        return table.information(self.discretise, self.bins)


@dataclass(frozen=True, eq=False)
class SumScore(BatchScorer):
    """The value of a subset is the sum of what each of its features is worth."""

    worth: NDArray[np.float64]
    notes: tuple[str, ...] = ()

    def formula(self, batch: Candidates | Steps) -> NDArray[np.float64]:
        """The sums."""
        return sums_of(self.worth, batch)
