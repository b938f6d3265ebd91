"""Speed of a measure on a table, and the reasons: no clock is read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data._table import Table
from ._measure import Measure
from ._wrappers.cross_validated import CrossValidated, training_operations
from ._wrappers.paths import find_path
from ._wrappers.sources.memory import MemorySource
from ._wrappers.splits import TRAINED_FOLDS


@dataclass(frozen=True)
class Speed:
    """Path that a model takes on a table, why, and what it costs.

    model: the name of the measure.
    fast: whether whole batches of subsets are scored without training.
    why: the reason.
    operations: number of operations per subset, all folds together; 0 for a filter.
    trained: features that only the trained model can take: subsets with one of them are trained.

    Examples
    --------
    >>> from fewest.measures import resolve_measure
    >>> from fewest.testing import toy_table
    >>> print(speed_of(resolve_measure("id3"), toy_table()).why)
    a rule for ID3 scores whole batches of subsets
    """

    model: str
    fast: bool
    why: str
    operations: float
    trained: tuple[str, ...] = ()

    def __str__(self) -> str:
        how = "fast" if self.fast else "trained"
        cost = f" About {self.operations:,.0f} operations per subset." if self.operations else ""
        listed = ", ".join(self.trained[:5]) + (", ..." if len(self.trained) > 5 else "")
        rest = f" Subsets with {listed} are trained." if self.trained else ""
        return f"{self.model}: {how}, because {self.why}.{cost}{rest}"


def speed_of(measure: Measure, table: Table) -> Speed:
    """Return how fast a measure scores the subsets of a table; nothing is scored or trained."""
    if not isinstance(measure, CrossValidated):
        return Speed(measure.title, True, "it needs no folds", 0.0)
    path = find_path(measure.estimator, table, measure.scoring)
    if not path.fast or path.rule is None:
        return Speed(measure.title, False, path.why, training_operations(table, TRAINED_FOLDS))
    unusable = np.zeros(table.n_features, dtype=bool)
    if not path.rule.takes_tables:
        everyone = np.arange(table.n_rows)
        source = MemorySource(table, ((everyone, everyone),), path.branches)
        unusable = source.columns(0).unusable
    names = tuple(table.names[j] for j in np.flatnonzero(unusable))
    return Speed(measure.title, True, path.why, path.operations, names)
