"""The fast twin of scikit-learn's BernoulliNB."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB

from ...data.table import Table
from ...kernels.bayes.class_statistics import level_counts
from ...kernels.scoring.probabilities import LOGSUMEXP
from ..base import Scorer
from .additive import EvidenceScorer, Floats, FoldEvidence, FoldRows, plain_numbers, trained_target
from .bayes_responses import EvidenceFold, with_shares
from .discrete_twins import discrete_prior, row_weight, usable_discrete
from .responses import repeats, trained_labels
from .splits import Split, Splits
from .wrapped import WrappedScorer

EPS = float(np.finfo(np.float64).eps)


def bernoulli_twin(estimator: BernoulliNB, table: Table, splits: Splits) -> Scorer | None:
    """BernoulliNB's fold accuracies, or None where it must be asked itself."""
    exact = bernoulli_folds(estimator, table, splits, None, "labels")
    if exact is None:
        return None
    folds = []
    for fold, split in zip(exact, splits, strict=True):
        rows = FoldRows.of(table, split)
        evidence = bernoulli_evidence(fold.logs, fold.bits[rows.rows])
        folds.append(FoldEvidence(rows, fold.log_prior, evidence))
    # log(1 - exp(log p)) loses digits where p is near 1; it says so within this share.
    unit = 64.0 * (table.n_rows + table.n_features) * EPS
    return BernoulliScorer(folds, unit, exact, table, WrappedScorer(estimator, table, splits))


class BernoulliScorer(EvidenceScorer):
    """Sums of log-probabilities; ties are decided by the matrix product of BernoulliNB.

    Classes whose rows show the same bits are ahead of each other by what rounding leaves of
    nothing, in many rows of many tables. So the referee must be fast: it repeats the product.
    """

    def __init__(
        self,
        folds: list[FoldEvidence],
        unit: float,
        exact: list[BernoulliFold],
        table: Table,
        slow: WrappedScorer,
    ) -> None:
        super().__init__(folds, unit, slow=slow)
        self.exact = exact
        self.targets = [table.target[fold.rows] for fold in exact]
        self.trusted = repeats(exact[0], table, slow)

    def referee(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """Repeat the product, or ask BernoulliNB."""
        if not self.trusted:
            return super().referee(candidate, fold)
        own = self.exact[fold]
        said = own.labels[own.joint(candidate).argmax(axis=1)]
        return float(np.mean(said == self.targets[fold]))


def bernoulli_bits(estimator: BernoulliNB, table: Table, splits: Splits) -> Floats | None:
    """The table as BernoulliNB reads it, or None where it must be asked itself."""
    X = plain_numbers(table)
    if X is None or not usable_discrete(estimator, table, splits):
        return None
    threshold = estimator.binarize
    if threshold is None:
        if not np.isin(X, (0.0, 1.0)).all():
            return None
        threshold = 0.5
    bits: Floats = np.greater(X, threshold).astype(np.float64)
    return bits


@dataclass(eq=False)
class BernoulliFold(EvidenceFold):
    """Sums by a matrix product: equal classes need not have equal sums to the last bit."""

    bits: Floats
    logs: Floats

    def exact(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats] | None:
        """The same matrix product."""
        return with_shares(self.joint(candidate), self.way)

    def joint(self, candidate: NDArray[np.bool_]) -> Floats:
        """Joint logarithms as BernoulliNB computes them, shape (rows, classes)."""
        yes = np.ascontiguousarray(self.logs[:, candidate])
        no = np.log(1 - np.exp(yes))
        # Two steps, as rows and columns are taken there: products depend on the layout.
        values = self.bits[:, candidate][self.rows] @ (yes - no).T
        values += self.log_prior + no.sum(axis=1)
        return np.asarray(values)


def bernoulli_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[BernoulliFold] | None:
    """BernoulliNB, which adds by a matrix product."""
    bits = bernoulli_bits(estimator, table, splits)
    if bits is None:
        return None
    unit, folds = 64.0 * table.n_features * EPS, []
    nothing = np.zeros(table.n_features, dtype=bool)
    for split in splits:
        prior, logs = bernoulli_logs(estimator, table, bits, split, weight)
        evidence = bernoulli_evidence(logs, bits[split[1]])
        labels = trained_labels(table, split)
        folds.append(
            BernoulliFold(
                split[1], labels, prior, evidence, False, unit, LOGSUMEXP, nothing, bits, logs
            )
        )
    return folds


def bernoulli_logs(
    estimator: BernoulliNB, table: Table, bits: Floats, split: Split, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """Logarithms of the priors, and of the chance of 1 in each class and column."""
    train = split[0]
    own, target = row_weight(weight, train), trained_target(table, split)
    count = np.bincount(target, own).astype(np.float64)
    ones = level_counts(bits[train], target, own, len(count), 2)[:, 1].T
    logs = np.log(ones + estimator.alpha) - np.log(count + estimator.alpha * 2)[:, None]
    return discrete_prior(estimator, count), np.ascontiguousarray(logs)


def bernoulli_evidence(logs: Floats, bits: Floats) -> Floats:
    """Log-likelihoods of some rows, shape (columns, classes, rows)."""
    yes = logs.T
    no = np.log(1.0 - np.exp(yes))
    shown = bits.T[:, None, :] > 0.0
    return np.where(shown, yes[:, :, None], no[:, :, None])
