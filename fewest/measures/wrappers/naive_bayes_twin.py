"""The fast twin of our own NaiveBayes, for nominal, continuous and unknown values."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import NDArray

from ...classifiers.bayes.naive_bayes import Evidence, NaiveBayes, joint
from ...data.blocks import row_blocks
from ...data.class_sums import ClassSums
from ...data.table import Table
from ..base import Scorer
from .additive import FoldEvidence, FoldRows, fewest_trained, trained_target
from .ruled_out import RuledOutScorer
from .splits import Splits
from .streamed import FoldModel, StreamedScorer, extremes, fold_sums, rounding

#: Up to this relative error of a variance, its digits are good enough to tell most rows.
ROUGH = 1e-6


def naive_bayes_twin(estimator: NaiveBayes, table: Table, splits: Splits) -> Scorer | None:
    """NaiveBayes' fold accuracies, or None where it must be asked itself."""
    if not usable_naive_bayes(estimator, table, splits):
        return None
    scorer = NaiveBayesScorer(estimator, table, splits)
    unit = scorer.unit
    if not any(np.isneginf(fold.learned.levels).any() for fold in scorer.folds):
        return scorer
    evidence = [
        FoldEvidence(f.test, f.learned.log_prior, f.learned.of(table.block(f.test.rows)))
        for f in (scorer.exact_fold(fold) for fold in range(len(splits)))
    ]
    return RuledOutScorer(evidence, unit)


def usable_naive_bayes(estimator: NaiveBayes, table: Table, splits: Splits) -> bool:
    """Whether the parameters and the folds are such that a twin can stand in."""
    for value in (estimator.alpha, estimator.variance_floor):
        if not isinstance(value, Real) or not 0.0 <= value < np.inf:
            return False
    if estimator.variance_floor == 0.0:
        return False
    return fewest_trained(table, splits) >= 2 and not _kinds_may_differ(table)


def _kinds_may_differ(table: Table) -> bool:
    """Whether some rows of an array of objects could make a column look nominal."""
    objects = isinstance(table.X, np.ndarray) and table.X.dtype.kind == "O"
    return objects and not bool(table.nominal.all())


class NaiveBayesScorer(StreamedScorer):
    """Fold accuracies of NaiveBayes.

    Where the folds part the rows, means and variances of the training rows are joined from those
    of the folds. They may differ from those of the estimator in the last digits. Folds in which
    this could matter are decided by the estimator's own sums: it learns each feature on its
    own and adds their evidence in the order of the features, so they are known to the last bit.
    """

    def __init__(self, estimator: NaiveBayes, table: Table, splits: Splits) -> None:
        self.table = table
        self.alpha, self.floor = float(estimator.alpha), float(estimator.variance_floor)
        self.splits = splits
        self._exact: dict[int, FoldModel] = {}
        unit = 4.0 * (table.n_features + 2) * float(np.finfo(np.float64).eps)
        super().__init__(table, self._learned(), unit)

    def _learned(self) -> list[FoldModel]:
        sums, folds = fold_sums(self.table, self.splits), range(len(self.splits))
        if sums is None:
            return [self.exact_fold(fold) for fold in folds]
        low, high = extremes(self.table)
        found = [self._joined(sums, fold, np.fmax(-low, high)) for fold in folds]
        # Columns that look constant, and are not, need all digits; so do those far from zero.
        varies = (low < high) & ~self.table.nominal
        clear = all(np.isfinite(f.learned.variance[:, varies]).all() for f in found)
        if clear and max(float(f.rough.max()) for f in found) <= ROUGH:
            return found
        return [self.exact_fold(fold) for fold in folds]

    def _joined(self, sums: ClassSums, fold: int, largest: NDArray[np.float64]) -> FoldModel:
        """A fold learned from the sums of the others."""
        test = FoldRows.of(self.table, self.splits[fold])
        prior, counts, moments = sums.training(fold)
        seen = np.flatnonzero(prior > 0.0)
        of_all = np.append(seen, len(prior))
        learned = Evidence.from_statistics(
            self.table.nominal,
            prior[seen],
            np.ascontiguousarray(counts[:, :, seen]),
            (moments[0][of_all], moments[1][of_all], moments[2][of_all]),
            self.alpha,
            self.floor,
        )
        rough, shift = rounding(self.table.n_rows, largest, learned.variance)
        # Counts are whole numbers, and sums of them exact.
        nominal = self.table.nominal
        return FoldModel(
            test, learned, np.where(nominal, 0.0, rough), np.where(nominal, 0.0, shift)
        )

    def exact_fold(self, fold: int) -> FoldModel:
        """What the estimator learns, to the last bit."""
        if fold not in self._exact:
            split, table = self.splits[fold], self.table
            test, target = FoldRows.of(table, split), trained_target(table, split)
            learned = Evidence.learn(
                table.values, table.nominal, target, np.ones(len(target)), test.n_classes,
                self.alpha, self.floor, split[0],
            )  # fmt: skip
            nothing = np.zeros(table.n_features)
            self._exact[fold] = FoldModel(test, learned, nothing, nothing)
        return self._exact[fold]

    def settle(self, candidate: NDArray[np.bool_], fold: int, rows: slice) -> int:
        """Sum in the order of the estimator."""
        exact = self.exact_fold(fold)
        learned, test = exact.learned.take(candidate), exact.test
        evidence = learned.of(self.table.block(test.rows[rows])[:, candidate])
        total = joint(learned.log_prior, evidence)
        return int((total.argmax(axis=0) == test.truth[rows]).sum())

    def referee(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """The same for the whole fold."""
        parts = row_blocks(len(self.folds[fold].test.rows))
        return sum(self.settle(candidate, fold, rows) for rows in parts) / self.sizes[fold]
