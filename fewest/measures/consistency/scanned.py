"""The inconsistency rate of a table that stays where it is: one scan for a batch of subsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..base import Candidates, Scorer, Scores

if TYPE_CHECKING:
    from ...data.engine.patterns import PatternCounts
    from ...data.engine.stored import StoredTable


@dataclass(eq=False)
class ScannedInconsistency(Scorer):
    """Minus the inconsistency rate, counted by scans.

    A batch takes one scan, or several where its patterns do not fit into memory.
    """

    patterns: PatternCounts
    total: float
    batch = 4096

    def score(self, candidates: Candidates) -> Scores:
        """Minus the rate of each subset; the counts as the goal ``inconsistencies``."""
        counts = self.outside(candidates)
        return Scores(0.0 - counts / self.total, goals={"inconsistencies": counts})

    def outside(self, candidates: Candidates) -> NDArray[np.float64]:
        """The rows outside the largest class of their pattern."""
        return np.asarray(self.patterns.sums(np.asarray(candidates, dtype=bool))[:, 0])


def scanned_inconsistency(table: StoredTable, threshold: float | None) -> ScannedInconsistency:
    """The scorer of a table outside memory; a given ``threshold`` is taken as it is.

    Without one, the patterns of all features are counted, which takes several scans where nearly
    every row has a pattern of its own.
    """
    if table.classes is None:
        raise InputError(
            "The measure `inconsistency` needs classes, but the target is a number: "
            "discretise the target first."
        )
    scorer = ScannedInconsistency(table.patterns, table.total)
    if threshold is None:
        everything = np.ones((1, table.n_features), dtype=bool)
        threshold = float(scorer.outside(everything)[0]) / scorer.total
    scorer.threshold = 0.0 - threshold
    return scorer
