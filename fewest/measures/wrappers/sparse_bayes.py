"""The fast twin of our NaiveBayes for sparse tables of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...classifiers.bayes.naive_bayes import Evidence, NaiveBayes, described_classes
from ...data.sparse_values import SparseValues
from ...data.table import Table
from ...kernels.bayes.sparse_margins import (
    judge_sparse_steps,
    sparse_base,
    sparse_class_moments,
    sparse_evidence,
)
from ..base import Candidates, Scores
from ..steps import Steps
from .additive import AdditiveScorer, FoldRows, Ints, trained_target
from .naive_bayes_twin import usable_naive_bayes
from .splits import Split, Splits

Floats = NDArray[np.float64]

#: Relative error of a margin: moments of sparse columns are summed in another order.
UNIT = 1e-10


@dataclass(frozen=True, eq=False)
class SparseFold:
    """A trained fold: the test rows by class, and what zeros and stored values say of them."""

    test: FoldRows
    log_prior: Floats
    indptr: Ints
    indices: Ints
    zero: Floats
    more: Floats
    largest: Floats

    def margins(self, have: NDArray[np.intp]) -> Floats:
        """How far the class of each test row is ahead of each rival, for one subset."""
        out = np.empty((len(self.log_prior) - 1, len(self.test.rows)))
        sparse_base(
            have.astype(np.int64), self.log_prior, self.test.bounds, self.zero, self.indptr,
            self.indices, self.more, out,
        )  # fmt: skip
        return out

    def judge(
        self, have: NDArray[np.intp], units: Ints, gains: Ints, right: Ints, doubtful: Ints
    ) -> None:
        """Count for every step from the subset ``have``."""
        prior = 1.0 + 2.0 * float(np.abs(self.log_prior).max())
        largest = prior + 2.0 * self.largest[have].sum() + 2.0 * self.largest[units]
        judge_sparse_steps(
            self.margins(have), self.test.bounds, self.zero, self.indptr, self.indices, self.more,
            units, gains, UNIT * largest, right, doubtful,
        )  # fmt: skip


def sparse_bayes_twin(
    estimator: NaiveBayes, table: Table, splits: Splits
) -> SparseBayesScorer | None:
    """NaiveBayes' fold accuracies on a sparse table, or None where it must be asked itself."""
    values = table.sparse
    if values is None or values.has_unknown or not usable_naive_bayes(estimator, table, splits):
        return None
    return SparseBayesScorer(estimator, table, values, splits)


class SparseBayesScorer(AdditiveScorer):
    """Adds what zeros say once for all rows, and corrects the rows with stored values.

    Doubtful folds are trained again on the dense columns of the candidate, with the arithmetic
    of the classifier.
    """

    batch = 64

    def __init__(
        self, estimator: NaiveBayes, table: Table, values: SparseValues, splits: Splits
    ) -> None:
        self.table, self.values, self.splits = table, values, splits
        self.alpha, self.floor = float(estimator.alpha), float(estimator.variance_floor)
        self.folds = [self._trained(split) for split in splits]
        super().__init__([fold.test.size for fold in self.folds])

    def _trained(self, split: Split) -> SparseFold:
        test = FoldRows.of(self.table, split)
        target = trained_target(self.table, split)
        train = self.values.csr[split[0]].tocsc()
        moments = sparse_class_moments(*_parts(train), train.data, target, test.n_classes)
        mean, variance = described_classes(moments, self.floor)
        held = self.values.csr[test.rows].tocsc()
        indptr, indices = _parts(held)
        told = sparse_evidence(indptr, held.data, mean, variance)
        prior = np.bincount(target, minlength=test.n_classes) / len(target)
        return SparseFold(test, np.log(prior), indptr, indices, *told)

    def score(self, candidates: Candidates) -> Scores:
        """The fold accuracies of every candidate (each with at least one feature)."""
        candidates = np.asarray(candidates, dtype=bool)
        members = [np.flatnonzero(candidate) for candidate in candidates]
        one = np.ones(1, dtype=np.int64)

        def judge(fold: int, right: Ints, doubtful: Ints) -> None:
            for i, have in enumerate(members):
                last = have[-1:].astype(np.int64)
                self.folds[fold].judge(have[:-1], last, one, right[i : i + 1], doubtful[i : i + 1])

        return self._judged(candidates, judge)

    def score_steps(self, steps: Steps) -> Scores:
        """The fold accuracies of neighbours of one candidate, whose margins are summed once."""
        have = np.flatnonzero(steps.base)
        units, gains = steps.units.astype(np.int64), steps.gains.astype(np.int64)

        def judge(fold: int, right: Ints, doubtful: Ints) -> None:
            self.folds[fold].judge(have, units, gains, right, doubtful)

        return self._judged(steps, judge)

    def judge_fold(self, fold: int, packed: Any, right: Ints, doubtful: Ints) -> None:
        """Not used: candidates are judged by their members."""
        raise NotImplementedError

    def referee(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """Train on the dense columns, and add up in the order of the classifier."""
        known, split = self.folds[fold], self.splits[fold]
        dense = self.values[:, np.flatnonzero(candidate)]
        learned = Evidence.learn(
            dense[split[0]], np.zeros(dense.shape[1], dtype=bool),
            trained_target(self.table, split), np.ones(len(split[0])), known.test.n_classes,
            self.alpha, self.floor,
        )  # fmt: skip
        total = np.repeat(learned.log_prior[:, None], len(known.test.rows), axis=1)
        for evidence in learned.of(dense[known.test.rows]):
            total += evidence
        truth = np.repeat(np.arange(known.test.n_classes), np.diff(known.test.bounds))
        return float((total.argmax(axis=0) == truth).sum() / known.test.size)


def _parts(matrix: Any) -> tuple[Ints, Ints]:
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
