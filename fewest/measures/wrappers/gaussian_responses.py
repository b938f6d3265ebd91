"""What GaussianNB says of the test rows of a fold, for every candidate at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table
from ...kernels.bayes.class_statistics import class_moments
from ...kernels.bayes.normal_joint import normal_joint
from ...kernels.bayes.totals import normal_totals
from ...kernels.scoring.probabilities import LOGSUMEXP
from ...kernels.scoring.ranks import row_keys
from .additive import Floats, Ints, plain_numbers, trained_target
from .bayes_responses import with_shares
from .gaussian_twin import usable_gaussian
from .metrics.metric import Responses
from .responses import FoldTwin, trained_labels
from .splits import Split, Splits

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class NumpyMoments:
    """Means and variances as numpy computes them, to the last bit.

    numpy adds the rows of a matrix one by one, but a matrix of one column by halves: each of
    the arrays has one entry for several columns and one for a column alone.
    """

    prior: Floats
    mean: tuple[Floats, Floats]
    variance: tuple[Floats, Floats]
    spread: tuple[Floats, Floats]

    @staticmethod
    def of_rows(X: Floats, target: Ints, prior: Floats) -> NumpyMoments:
        """From the training rows of a fold."""
        parts = [X[target == c] for c in range(int(target.max()) + 1)]
        several = [np.mean(p, axis=0) for p in parts], [np.var(p, axis=0) for p in parts]
        alone = [_alone(np.mean, p) for p in parts], [_alone(np.var, p) for p in parts]
        return NumpyMoments(
            prior,
            (np.array(several[0]), np.array(alone[0])),
            (np.array(several[1]), np.array(alone[1])),
            (np.var(X, axis=0), _alone(np.var, X)),
        )

    def joint(self, x: Floats, candidates: NDArray[np.bool_], smoothing: float) -> Floats:
        """Joint logarithms of GaussianNB, shape (candidates, rows, classes)."""
        values = np.empty((len(candidates), x.shape[1], len(self.prior)))
        # Numbers one by one: numpy's logarithm of an array may differ in the last bit.
        log_prior = np.array([np.log(prior) for prior in self.prior])
        single = candidates.sum(axis=1) == 1
        for alone in (0, 1):
            some = np.flatnonzero(single == bool(alone))
            if not len(some):
                continue
            variance, own = self.variance[alone], candidates[some]
            more = smoothing * np.where(own, self.spread[alone], -np.inf).max(axis=1)
            with np.errstate(divide="ignore"):
                logs = np.log(2.0 * np.pi * (variance + more[:, None, None]))
            values[some] = normal_joint(x, log_prior, self.mean[alone], variance, more, logs, own)
        return values


def _alone(function: Any, X: Floats) -> Floats:
    columns = [np.ascontiguousarray(column)[:, None] for column in X.T]
    return np.array([function(column, axis=0)[0] for column in columns])


@dataclass(eq=False)
class NormalFoldTwin(FoldTwin):
    """Sums of normal log-densities, smoothed as GaussianNB does."""

    rows: NDArray[np.intp]
    labels: Ints
    x: Floats
    log_prior: Floats
    mean: Floats
    variance: Floats
    spread: Floats
    smoothing: float
    unit: float
    shift: Floats
    own: NumpyMoments | None

    def __post_init__(self) -> None:
        self.outputs = len(self.log_prior)

    def exact(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats] | None:
        """The sums of GaussianNB itself."""
        return self.exact_all(candidate[None])[0]

    def exact_all(self, candidates: NDArray[np.bool_]) -> list[tuple[Floats, Floats] | None]:
        """The same; probabilities of all candidates are made at once."""
        if self.own is None:
            return [None] * len(candidates)
        joint = self.own.joint(self.x, candidates, self.smoothing)
        with np.errstate(invalid="ignore"):
            values, shares = with_shares(joint.reshape(-1, self.outputs), LOGSUMEXP)
        n, known = len(self.rows), np.asarray(np.isfinite(joint).all(axis=(1, 2)))
        return [
            (values[i * n : (i + 1) * n], shares[i * n : (i + 1) * n]) if known[i] else None
            for i in range(len(candidates))
        ]

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Joint logarithms."""
        totals, slack = normal_totals(
            self.x, self.log_prior, self.mean, self.variance, self.spread, self.smoothing,
            self.unit, self.shift, candidates,
        )  # fmt: skip

        def keys(some: Ints) -> NDArray[np.uint64]:
            # Adding zero makes -0.0 the same as 0.0.
            return np.asarray(row_keys((self.x + 0.0).view(np.int64), candidates[some]))

        unsure = ~np.isfinite(totals[:, :, :1]).all(axis=(1, 2))
        # Where everything that it sees is constant, GaussianNB divides by zero.
        unsure |= ~(candidates & (self.spread > 0.0)).any(axis=1)
        return Responses(totals, slack, True, LOGSUMEXP, keys), unsure


def gaussian_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[NormalFoldTwin] | None:
    """GaussianNB."""
    X = plain_numbers(table)
    if X is None or not usable_gaussian(estimator, table, splits):
        return None
    if weight is not None and not (weight > 0.0).all():
        return None
    return [_normal(estimator, X, table, split, weight) for split in splits]


def _normal(
    estimator: Any, X: Floats, table: Table, split: Split, weight: Floats | None
) -> NormalFoldTwin:
    train, test = split
    labels, target, part = trained_labels(table, split), trained_target(table, split), X[train]
    even = np.ones(len(train))
    own = even if weight is None else weight[train]
    count, mean, variance = class_moments(part, target, own, len(labels))
    spread = variance[-1]
    if weight is not None:
        spread = class_moments(part, target, even, len(labels))[2][-1]
    prior = count[:-1, 0] / count[-1, 0]
    if estimator.priors is not None:
        prior = np.asarray(estimator.priors, dtype=np.float64)
    unit = 8.0 * (np.sqrt(len(train)) + X.shape[1] + 16.0) * EPS
    x = np.ascontiguousarray(X[test].T)
    exact = None
    if weight is None and (table.X is None or isinstance(table.X, np.ndarray)):
        exact = NumpyMoments.of_rows(part, target, prior)
    return NormalFoldTwin(
        test, labels, x, np.log(prior), mean[:-1], variance[:-1], spread,
        float(estimator.var_smoothing), unit, unit * np.abs(X).max(axis=0), exact,
    )  # fmt: skip
