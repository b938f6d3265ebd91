"""What the filters over information tables share."""

from __future__ import annotations

from typing import ClassVar

from ..data.information import Information
from ..data.nominal import as_nominal
from ..data.table import Table
from .base import Measure


class InformationMeasure(Measure):
    """Base of the filters that look at discretised features, two at a time."""

    name: ClassVar[str]

    discretise: str
    bins: int

    def _nominal(self, table: Table) -> Table:
        self.check_parameters()
        return as_nominal(table, self.discretise, self.bins)

    def _information(self, table: Table) -> Information:
        return Information.of(self._nominal(table))
