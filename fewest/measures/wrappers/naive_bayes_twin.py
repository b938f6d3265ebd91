"""The fast twin of our own NaiveBayes, for nominal, continuous and unknown values."""

from __future__ import annotations

from numbers import Real

import numpy as np

from ...classifiers.bayes.naive_bayes import Evidence, NaiveBayes
from ...data.table import Table
from ..base import Scorer
from .additive import EvidenceScorer, FoldEvidence, FoldRows, fewest_trained, trained_target
from .ruled_out import RuledOutScorer
from .splits import Split, Splits


def naive_bayes_twin(estimator: NaiveBayes, table: Table, splits: Splits) -> Scorer | None:
    """NaiveBayes' fold accuracies, or None where it must be asked itself.

    Each feature is learned on its own and the evidence is summed in the order of the
    features, so the sums are those of the estimator to the last bit.
    """
    if not usable_naive_bayes(estimator, table, splits):
        return None
    folds = [_train(estimator, table, split) for split in splits]
    unit = 4.0 * (table.n_features + 2) * np.finfo(np.float64).eps
    if estimator.alpha == 0.0:
        return RuledOutScorer(folds, float(unit))
    return EvidenceScorer(folds, float(unit), prior_first=True)


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


def _train(estimator: NaiveBayes, table: Table, split: Split) -> FoldEvidence:
    train, _ = split
    rows = FoldRows.of(table, split)
    learned = Evidence.learn(
        table.block(train),
        table.nominal,
        trained_target(table, split),
        np.ones(len(train)),
        rows.n_classes,
        float(estimator.alpha),
        float(estimator.variance_floor),
    )
    return FoldEvidence(rows, learned.log_prior, learned.of(table.block(rows.rows)))
