"""Margins of naive Bayes on a sparse table that is too large as a dense one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...._kernels.bayes.sparse_margins import (
    judge_sparse_steps,
    sparse_base,
    sparse_class_moments,
    sparse_evidence,
)
from ....classifiers._naive_bayes import described_classes
from ....data._sparse_values import SparseValues
from ..._steps import Steps
from .margins import Bools, Floats, FoldModel, Ints, Places

#: Relative error of a margin: moments of sparse columns are summed in another order.
UNIT = 1e-10


@dataclass(frozen=True, eq=False)
class SparseFold:
    """What zeros say of all test rows, and stored values of theirs, by column."""

    log_prior: Floats
    bounds: Ints
    indptr: Ints
    indices: Ints
    zero: Floats
    more: Floats
    largest: Floats

    @staticmethod
    def of(
        values: SparseValues, model: FoldModel, train: Places, target: Ints, floor: float
    ) -> SparseFold:
        """Learn from the training rows, and sort the test rows by class."""
        n_classes = len(model.learned.log_prior)
        known = values.csr[train].tocsc()
        moments = sparse_class_moments(*_parts(known), known.data, target, n_classes)
        mean, variance = described_classes(moments, floor)
        held = values.csr[model.rows[model.order]].tocsc()
        indptr, indices = _parts(held)
        found = sparse_evidence(indptr, held.data, mean, variance)
        return SparseFold(model.learned.log_prior, model.bounds, indptr, indices, *found)

    def count(self, have: Places, units: Ints, gains: Ints, right: Ints, doubtful: Ints) -> None:
        """Add the rows that each step from a subset has right, and those in doubt."""
        margins = np.empty((len(self.log_prior) - 1, int(self.bounds[-1])))
        sparse_base(
            have.astype(np.int64), self.log_prior, self.bounds, self.zero, self.indptr,
            self.indices, self.more, margins,
        )  # fmt: skip
        prior = 1.0 + 2.0 * float(np.abs(self.log_prior).max())
        largest = prior + 2.0 * self.largest[have].sum() + 2.0 * self.largest[units]
        judge_sparse_steps(
            margins, self.bounds, self.zero, self.indptr, self.indices, self.more, units, gains,
            UNIT * largest, right, doubtful,
        )  # fmt: skip


def count_sparse(
    folds: Sequence[SparseFold | None], batch: Bools | Steps, right: Ints, doubtful: Ints
) -> None:
    """Count for steps from one base, or for each candidate as a step from all but its last."""
    one = np.ones(1, dtype=np.int64)
    for number, fold in enumerate(folds):
        if fold is None:
            continue
        if isinstance(batch, Steps):
            have, units = np.flatnonzero(batch.base), batch.units.astype(np.int64)
            fold.count(have, units, batch.gains, right[number], doubtful[number])
            continue
        for i, candidate in enumerate(batch):
            have, own = np.flatnonzero(candidate), slice(i, i + 1)
            last = have[-1:].astype(np.int64)
            fold.count(have[:-1], last, one, right[number, own], doubtful[number, own])


def _parts(matrix: Any) -> tuple[Ints, Ints]:
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
