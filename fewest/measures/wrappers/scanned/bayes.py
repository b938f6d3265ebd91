"""Naive Bayes by scans: one for its sums, then one for the hits of each batch of subsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.naive_bayes import GaussianNB

from ....classifiers.bayes.naive_bayes import Evidence
from ....errors import InputError
from ....kernels.bayes.class_statistics import class_evidence
from ....kernels.bayes.hits import count_hits
from .hits import Floats, HitScorer, Masks

if TYPE_CHECKING:
    from ....data.engine.rows import FoldedRows


class BayesHits(HitScorer):
    """Hits of our own NaiveBayes; ``models`` has one for each fold."""

    def __init__(self, rows: FoldedRows, weight: Floats, models: list[Evidence]) -> None:
        super().__init__(rows, weight)
        self.models = models

    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """Sum the evidence of the members."""
        model = self.models[fold]
        evidence = model.of(values)
        return np.asarray(count_hits(evidence, model.log_prior, of, own, candidates))


class GaussianHits(BayesHits):
    """Hits of GaussianNB, which widens all variances by a share of the largest in the subset."""

    def __init__(
        self, rows: FoldedRows, weight: Floats, models: list[Evidence], wide: Floats
    ) -> None:
        super().__init__(rows, weight, models)
        self.wide = wide

    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """Candidates with the same widest feature share the densities."""
        model, out = self.models[fold], np.empty(len(candidates))
        widest = np.where(candidates, self.wide[fold], 0.0).max(axis=1)
        for width in np.unique(widest).tolist():
            some = widest == width
            # A subset without any spread has equal values only; they say nothing.
            variance = np.maximum(model.variance + width, 1e-300)
            evidence = class_evidence(values, model.nominal, model.levels, model.mean, variance)
            out[some] = count_hits(evidence, model.log_prior, of, own, candidates[some])
        return out


def scanned_bayes(rows: FoldedRows, estimator: Any) -> HitScorer:
    """The scorer of NaiveBayes or GaussianNB."""
    from ....data.engine.fold_sums import check_numbers, class_sums

    sums = class_sums(rows)
    weight = sums.prior.sum(axis=1)
    trained = [sums.training(fold) for fold in range(rows.n_folds)]
    for fold, (prior, _, _) in enumerate(trained):
        if not prior.all():
            assert rows.table.classes is not None
            label = rows.table.classes.tolist()[int(np.argmin(prior))]
            raise InputError(
                f"Every class must have rows outside each fold, but {label!r} has none outside "
                f"fold {fold}; use other folds."
            )
    if type(estimator) is not GaussianNB:
        alpha, floor = float(estimator.alpha), float(estimator.variance_floor)
        models = [Evidence.from_statistics(sums.nominal, *known, alpha, floor) for known in trained]
        return BayesHits(rows, weight, models)
    if estimator.priors is not None:
        raise InputError("`priors` of GaussianNB must be None for a table that stays where it is.")
    check_numbers(rows, next(iter(rows.batches())))
    models, wide = [], np.empty((rows.n_folds, len(sums.nominal)))
    for fold, (prior, _, (_, mean, variance)) in enumerate(trained):
        wide[fold] = estimator.var_smoothing * variance[-1]
        nothing = np.zeros((len(sums.nominal), 0, len(prior)))
        log_prior = np.log(prior / prior.sum())
        models.append(Evidence(sums.nominal, log_prior, nothing, mean[:-1], variance[:-1]))
    return GaussianHits(rows, weight, models, wide)
