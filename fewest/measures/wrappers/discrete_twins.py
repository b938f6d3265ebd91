"""The fast twin of scikit-learn's CategoricalNB."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import CategoricalNB

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

EPS = float(np.finfo(np.float64).eps)
#: Tables of counts up to this many levels; beyond, codes are not really categories.
MOST_LEVELS = 4096


def categorical_twin(estimator: CategoricalNB, table: Table, splits: Splits) -> Scorer | None:
    """CategoricalNB's fold accuracies, or None where it must be asked itself."""
    codes = categorical_codes(estimator, table, splits)
    if codes is None:
        return None
    trained = [_train_categorical(estimator, table, codes, split) for split in splits]
    unit = 4.0 * (table.n_features + 2) * EPS
    return CategoricalScorer([f for f, _ in trained], unit, np.array([u for _, u in trained]))


def categorical_codes(estimator: CategoricalNB, table: Table, splits: Splits) -> Floats | None:
    """The categories as CategoricalNB reads them, or None where it must be asked itself."""
    X = plain_numbers(table)
    if X is None or X.min() <= -1.0 or X.max() >= MOST_LEVELS:
        return None
    least = 0 if estimator.min_categories is None else estimator.min_categories
    if (
        not isinstance(least, Integral)
        or least < 0
        or not usable_discrete(estimator, table, splits)
    ):
        return None
    return np.trunc(X)


def usable_discrete(estimator: Any, table: Table, splits: Splits) -> bool:
    """Whether the parameters and the folds are such that a twin can stand in."""
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


def discrete_prior(estimator: Any, count: Floats) -> Floats:
    """Logarithms of the class probabilities, from the weights of the classes."""
    prior: Floats
    if estimator.class_prior is not None:
        prior = np.log(estimator.class_prior)
    elif estimator.fit_prior:
        prior = np.log(count) - np.log(count.sum())
    else:
        prior = np.full(len(count), -np.log(len(count)))
    return prior


def _train_categorical(
    estimator: CategoricalNB, table: Table, codes: Floats, split: Split
) -> tuple[FoldEvidence, NDArray[np.bool_]]:
    """The evidence of a fold, and which features show a category unknown to its training."""
    rows = FoldRows.of(table, split)
    prior, evidence, _ = categorical_evidence(estimator, table, codes, split, rows.rows)
    _, _, unseen = categorical_evidence(estimator, table, codes, split, split[1])
    return FoldEvidence(rows, prior, evidence), unseen


def categorical_evidence(
    estimator: CategoricalNB,
    table: Table,
    codes: Floats,
    split: Split,
    rows: NDArray[np.intp],
    weight: Floats | None = None,
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Priors, log-likelihoods of some rows, and features with an unknown category in them."""
    train = split[0]
    own, target = row_weight(weight, train), trained_target(table, split)
    n_classes = int(target.max()) + 1
    least = 0 if estimator.min_categories is None else int(estimator.min_categories)
    categories = np.maximum(codes[train].max(axis=0).astype(np.int64) + 1, least)
    counts = level_counts(codes[train], target, own, n_classes, int(categories.max()))
    tests = codes[rows].astype(np.int64).T
    unseen = codes[rows].max(axis=0, initial=0.0) >= categories
    evidence = np.zeros((codes.shape[1], n_classes, len(rows)))
    # Features with the same number of categories together, summed as scikit-learn sums them.
    for r in np.unique(categories):
        same = np.flatnonzero(categories == r)
        smoothed = np.ascontiguousarray(counts[same, :r].transpose(0, 2, 1)) + estimator.alpha
        logs = np.log(smoothed) - np.log(smoothed.sum(axis=2))[:, :, None]
        inside = np.minimum(tests[same], r - 1)
        evidence[same] = np.take_along_axis(logs, inside[:, None, :], axis=2)
    return (
        discrete_prior(estimator, np.bincount(target, own, n_classes).astype(np.float64)),
        evidence,
        unseen,
    )


def row_weight(weight: Floats | None, rows: NDArray[np.intp]) -> Floats:
    """The weights of some rows, 1 where there are none."""
    return np.ones(len(rows)) if weight is None else weight[rows]


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
