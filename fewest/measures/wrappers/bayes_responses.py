"""What naive Bayes says of the test rows of a fold, for every candidate at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from ...classifiers.bayes.naive_bayes import Evidence, joint, posterior
from ...data.table import Table
from ...kernels.bayes.totals import evidence_totals
from ...kernels.scoring.probabilities import LOGSUMEXP, ODDS
from ...kernels.scoring.ranks import row_keys
from .additive import Floats, Ints, trained_target
from .discrete_twins import categorical_codes, categorical_evidence
from .metrics.metric import Responses
from .naive_bayes_twin import usable_naive_bayes
from .responses import FoldTwin, trained_labels
from .splits import Split, Splits


@dataclass(eq=False)
class EvidenceFold(FoldTwin):
    """Sums of log-likelihoods that do not depend on the candidate.

    ``unit`` is negative where the sums are those of the classifier to the last bit;
    ``unseen`` are features with a value in the test rows for which it has no answer.
    """

    rows: NDArray[np.intp]
    labels: Ints
    log_prior: Floats
    evidence: Floats
    prior_first: bool
    unit: float
    way: int
    unseen: NDArray[np.bool_]

    def __post_init__(self) -> None:
        self.outputs = len(self.log_prior)
        self.evidence = np.ascontiguousarray(self.evidence)
        self.ahead = np.maximum(self.evidence, 0.0).max(axis=(1, 2), initial=0.0)

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Joint logarithms."""
        totals, slack = evidence_totals(
            self.evidence, self.log_prior, self.prior_first, self.ahead, self.unit, candidates
        )

        def keys(some: Ints) -> NDArray[np.uint64]:
            """The evidence says which rows are equal to the classifier."""
            flat = self.evidence.reshape(-1, len(self.rows)).view(np.int64)
            members = np.repeat(candidates[some], self.outputs, axis=1)
            return np.asarray(row_keys(flat, members))

        unsure = np.asarray((candidates & self.unseen).any(axis=1))
        return Responses(totals, slack, True, self.way, keys), unsure

    def exact(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats] | None:
        """Sums in the order of the features."""
        if self.unit > 0.0 or (candidate & self.unseen).any():
            return None
        evidence = self.evidence[candidate]
        if self.prior_first:
            total = joint(self.log_prior, evidence)
        else:
            total = joint(np.zeros(self.outputs), evidence) + self.log_prior[:, None]
        return with_shares(np.ascontiguousarray(total.T), self.way)


def with_shares(values: Floats, way: int) -> tuple[Floats, Floats]:
    """Joint logarithms with the probabilities that they give, each of shape (rows, classes)."""
    if way == ODDS:
        return values, posterior(values)
    return values, np.exp(values - logsumexp(values, axis=1)[:, None])


def naive_bayes_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[EvidenceFold] | None:
    """Our NaiveBayes: each feature is learned on its own, sums in the order of the features."""
    # Without alpha a class can be ruled out, and sums can be infinite.
    if estimator.alpha == 0.0 or not usable_naive_bayes(estimator, table, splits):
        return None
    folds = []
    for train, test in splits:
        labels = trained_labels(table, (train, test))
        own = np.ones(len(train)) if weight is None else weight[train]
        target = trained_target(table, (train, test))
        learned = Evidence.learn(
            table.block(train), table.nominal, target, own, len(labels),
            float(estimator.alpha), float(estimator.variance_floor),
        )  # fmt: skip
        evidence = learned.of(table.block(test))
        nothing = np.zeros(table.n_features, dtype=bool)
        folds.append(
            EvidenceFold(test, labels, learned.log_prior, evidence, True, -1.0, ODDS, nothing)
        )
    return folds


def categorical_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[EvidenceFold] | None:
    """CategoricalNB, which adds feature after feature."""
    codes = categorical_codes(estimator, table, splits)
    if codes is None:
        return None
    return [_categorical(estimator, table, codes, split, weight) for split in splits]


def _categorical(
    estimator: Any, table: Table, codes: Floats, split: Split, weight: Floats | None
) -> EvidenceFold:
    labels = trained_labels(table, split)
    prior, evidence, unseen = categorical_evidence(estimator, table, codes, split, split[1], weight)
    return EvidenceFold(split[1], labels, prior, evidence, False, -1.0, LOGSUMEXP, unseen)
