"""Accuracies by one pass over the rows for a batch of subsets."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....errors import InputError
from ...base import Candidates, Scorer, Scores

if TYPE_CHECKING:
    from ....data.engine.rows import FoldedRows

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]


class HitScorer(Scorer):
    """Counts the rows that each subset gets right, each row by the model of the other folds."""

    batch = 256

    def __init__(self, rows: FoldedRows, weight: Floats) -> None:
        self.rows, self.weight = rows, weight
        if not weight.all():
            raise InputError(
                f"Every one of the {len(weight)} folds must have rows, but fold "
                f"{int(np.argmin(weight))} has none; use fewer folds."
            )

    def begin(self, candidates: Masks) -> None:
        """What is worked out once for a batch, before the rows are read."""

    @abstractmethod
    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """The weight of the rows of one fold that each candidate gets right."""

    def score(self, candidates: Candidates) -> Scores:
        """The fold accuracies of every candidate."""
        masks = np.ascontiguousarray(candidates, dtype=bool)
        right = np.zeros((len(masks), self.rows.n_folds))
        self.begin(masks)
        for part in self.rows.batches():
            for fold in range(self.rows.n_folds):
                inside = part.fold == fold
                if inside.any():
                    values = np.ascontiguousarray(part.values[inside])
                    of, own = part.target[inside], part.weight[inside]
                    right[:, fold] += self.hits(masks, fold, values, of, own)
        folds = right / self.weight
        return Scores(folds.mean(axis=1), folds)
