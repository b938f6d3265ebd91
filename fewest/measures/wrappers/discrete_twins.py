"""The fast twins of scikit-learn's CategoricalNB and BernoulliNB."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB, CategoricalNB

from ...data.table import Table
from ...kernels.bayes.class_statistics import level_counts
from ..base import Candidates, Scorer, Scores
from .additive import (
    EvidenceScorer,
    Floats,
    FoldEvidence,
    FoldRows,
    fewest_trained,
    plain_numbers,
    trained_target,
)
from .splits import Split, Splits
from .wrapped import WrappedScorer

EPS = float(np.finfo(np.float64).eps)
#: Tables of counts up to this many levels; beyond, codes are not really categories.
MOST_LEVELS = 4096


def categorical_twin(estimator: CategoricalNB, table: Table, splits: Splits) -> Scorer | None:
    """CategoricalNB's fold accuracies, or None where it must be asked itself."""
    X = plain_numbers(table)
    if X is None or X.min() <= -1.0 or X.max() >= MOST_LEVELS:
        return None
    least = estimator.min_categories
    least = 0 if least is None else least
    if not isinstance(least, Integral) or least < 0 or not _usable(estimator, table, splits):
        return None
    codes = np.trunc(X)
    trained = [_train_categorical(estimator, table, codes, s, int(least)) for s in splits]
    unit = 4.0 * (table.n_features + 2) * EPS
    return CategoricalScorer([f for f, _ in trained], unit, np.array([u for _, u in trained]))


def bernoulli_twin(estimator: BernoulliNB, table: Table, splits: Splits) -> Scorer | None:
    """BernoulliNB's fold accuracies, or None where it must be asked itself."""
    X = plain_numbers(table)
    if X is None or not _usable(estimator, table, splits):
        return None
    threshold = estimator.binarize
    if threshold is None:
        if not np.isin(X, (0.0, 1.0)).all():
            return None
        threshold = 0.5
    bits = np.greater(X, threshold).astype(np.float64)
    folds = [_train_bernoulli(estimator, table, bits, split) for split in splits]
    # log(1 - exp(log p)) loses digits where p is near 1; it says so within this share.
    unit = 64.0 * (table.n_rows + table.n_features) * EPS
    return EvidenceScorer(folds, unit, slow=WrappedScorer(estimator, table, splits))


def _usable(estimator: Any, table: Table, splits: Splits) -> bool:
    alpha, prior = estimator.alpha, estimator.class_prior
    trained = fewest_trained(table, splits)
    if trained < 2:
        return False
    # Without smoothing there are infinite logarithms; the estimator warns of them itself.
    if not isinstance(alpha, Real) or not 1e-3 <= float(alpha) < np.inf:
        return False
    if prior is None:
        return isinstance(estimator.fit_prior, (bool, np.bool_))
    given = np.asarray(prior, dtype=np.float64)
    fits = given.shape == (trained,) and trained == table.n_classes
    return fits and bool((given > 0.0).all())


def _log_prior(estimator: Any, target: NDArray[np.int64], n_classes: int) -> Floats:
    prior: Floats
    if estimator.class_prior is not None:
        prior = np.log(estimator.class_prior)
    elif estimator.fit_prior:
        count = np.bincount(target, minlength=n_classes).astype(np.float64)
        prior = np.log(count) - np.log(count.sum())
    else:
        prior = np.full(n_classes, -np.log(n_classes))
    return prior


def _train_categorical(
    estimator: CategoricalNB, table: Table, codes: Floats, split: Split, least: int
) -> tuple[FoldEvidence, NDArray[np.bool_]]:
    """The evidence of a fold, and which features show a category unknown to its training."""
    train, test = split
    rows, target = FoldRows.of(table, split), trained_target(table, split)
    n_classes = rows.n_classes
    categories = np.maximum(codes[train].max(axis=0).astype(np.int64) + 1, least)
    counts = level_counts(
        codes[train], target, np.ones(len(train)), n_classes, int(categories.max())
    )
    tests = codes[rows.rows].astype(np.int64).T
    unseen = codes[test].max(axis=0) >= categories
    evidence = np.zeros((codes.shape[1], n_classes, len(rows.rows)))
    # Features with the same number of categories together, summed as scikit-learn sums them.
    for r in np.unique(categories):
        same = np.flatnonzero(categories == r)
        smoothed = np.ascontiguousarray(counts[same, :r].transpose(0, 2, 1)) + estimator.alpha
        logs = np.log(smoothed) - np.log(smoothed.sum(axis=2))[:, :, None]
        inside = np.minimum(tests[same], r - 1)
        evidence[same] = np.take_along_axis(logs, inside[:, None, :], axis=2)
    return FoldEvidence(rows, _log_prior(estimator, target, n_classes), evidence), unseen


def _train_bernoulli(
    estimator: BernoulliNB, table: Table, bits: Floats, split: Split
) -> FoldEvidence:
    train, _ = split
    rows, target = FoldRows.of(table, split), trained_target(table, split)
    n_classes = rows.n_classes
    ones = level_counts(bits[train], target, np.ones(len(train)), n_classes, 2)[:, 1]
    total = np.bincount(target, minlength=n_classes) + 2.0 * estimator.alpha
    yes = np.log(ones + estimator.alpha) - np.log(total)
    no = np.log(1.0 - np.exp(yes))
    shown = bits[rows.rows].T[:, None, :] > 0.0
    evidence = np.where(shown, yes[:, :, None], no[:, :, None])
    return FoldEvidence(rows, _log_prior(estimator, target, n_classes), evidence)


class CategoricalScorer(EvidenceScorer):
    """Sums of category log-probabilities; no score where a category is new to a fold.

    CategoricalNB fails on a category that its training rows do not show, and
    ``cross_val_score`` then gives NaN for that fold.
    """

    def __init__(self, folds: list[FoldEvidence], unit: float, unseen: NDArray[np.bool_]) -> None:
        super().__init__(folds, unit)
        self.unseen = unseen

    def score(self, candidates: Candidates) -> Scores:
        """The fold accuracies, NaN where the estimator would fail."""
        found = super().score(candidates)
        if not self.unseen.any():
            return found
        assert found.folds is not None
        fails = np.asarray(candidates, dtype=bool) @ self.unseen.T
        folds = np.where(fails, np.nan, found.folds)
        return Scores(folds.mean(axis=1), folds)
