"""The fast twin of scikit-learn's GaussianNB."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB

from ...data.table import Table
from ...kernels.bayes.class_statistics import class_moments
from ...kernels.bayes.margins import nibbles, prior_margins
from ...kernels.bayes.normal_margins import judge_normal, normal_margins
from ..base import Scorer
from .additive import (
    AdditiveScorer,
    Floats,
    FoldRows,
    Ints,
    Margins,
    Packed,
    fewest_trained,
    plain_numbers,
    trained_target,
)
from .splits import Split, Splits
from .wrapped import WrappedScorer


def gaussian_twin(estimator: GaussianNB, table: Table, splits: Splits) -> Scorer | None:
    """GaussianNB's fold accuracies, or None where it must be asked itself."""
    X = plain_numbers(table)
    smoothing = estimator.var_smoothing
    if X is None or not usable_gaussian(estimator, table, splits):
        return None
    largest = np.abs(X).max(axis=0)
    folds = [_train(X, largest, table, split, estimator.priors) for split in splits]
    slow = WrappedScorer(estimator, table, splits)
    if max(_rough(fold, float(smoothing)) for fold in folds) <= ROUGH:
        return SharedGaussianScorer(folds, float(smoothing), slow)
    return GaussianScorer(folds, float(smoothing), slow)


#: Up to this relative change of a variance, it is one more rounding error.
ROUGH = 1e-8


def _rough(fold: NormalFold, smoothing: float) -> float:
    """By which share the smoothing of GaussianNB can change a variance at most."""
    least = float(fold.variance.min())
    return smoothing * float(fold.spread.max()) / least if least > 0.0 else np.inf


def usable_gaussian(estimator: GaussianNB, table: Table, splits: Splits) -> bool:
    """Whether the parameters and the folds are such that a twin can stand in."""
    smoothing = estimator.var_smoothing
    if not isinstance(smoothing, Real) or smoothing < 0.0:
        return False
    trained = fewest_trained(table, splits)
    return trained >= 2 and _usable(estimator.priors, table, trained)


def _usable(priors: object, table: Table, trained: int) -> bool:
    if priors is None:
        return True
    given = np.asarray(priors, dtype=np.float64)
    if given.shape != (trained,) or trained != table.n_classes:
        return False
    return bool((given > 0.0).all() and given.sum() > 0.999)


@dataclass(frozen=True, eq=False)
class NormalFold:
    """The test rows of a fold and the normal densities learned without them."""

    x: Floats
    test: FoldRows
    log_prior: Floats
    mean: Floats
    variance: Floats
    spread: Floats
    falling: Ints
    unit: float
    shift: Floats
    zero: NDArray[np.bool_]
    by_default: float


def _train(X: Floats, largest: Floats, table: Table, split: Split, priors: object) -> NormalFold:
    train, test = split
    n, d = len(train), X.shape[1]
    rows = FoldRows.of(table, split)
    part = X[train]
    target = trained_target(table, split)
    count, mean, variance = class_moments(part, target, np.ones(n), rows.n_classes)
    prior = count[:-1, 0] / n if priors is None else np.asarray(priors, dtype=np.float64)
    # Sums of n numbers, theirs and ours, are off by at most n units in the last place each.
    unit = 4.0 * (n + d + 16) * np.finfo(np.float64).eps
    shift = unit * largest
    x = np.ascontiguousarray(X[rows.rows].T)
    means, variances, spread = mean[:-1], variance[:-1], variance[-1]
    falling = np.argsort(-spread)
    zero = np.asarray((variance[-1] == 0.0) & (part[0] == 0.0))
    first = float(np.mean(table.target[test] == table.target[train].min()))
    return NormalFold(
        x, rows, np.log(prior), means, variances, spread, falling, unit, shift, zero, first
    )


def judge_all(f: NormalFold, smoothing: float, packed: Packed, right: Ints, doubtful: Ints) -> None:
    """Add the counts of rows right and in doubt of every candidate."""
    judge_normal(
        f.x, f.test.bounds, f.log_prior, f.mean, f.variance, f.spread, f.falling,
        smoothing, f.unit, f.shift, _block_rows(len(f.log_prior), len(f.x)),
        packed, right, doubtful,
    )  # fmt: skip


def _block_rows(n_classes: int, n_features: int) -> int:
    """Number of rows whose margins fit the cache."""
    return max(64, (1 << 15) // (n_features * (n_classes - 1)) // 32 * 32)


class GaussianScorer(AdditiveScorer):
    """Sums of normal log-densities whose variances are smoothed as GaussianNB does.

    Notes
    -----
    GaussianNB adds ``var_smoothing`` times the largest variance *among the selected columns*
    to every variance, so the densities depend on the candidate, but only through the column
    with the largest variance: candidates are grouped by it.
    """

    def __init__(self, folds: list[NormalFold], smoothing: float, slow: WrappedScorer) -> None:
        super().__init__([fold.test.size for fold in folds])
        self.folds = folds
        self.smoothing = smoothing
        self.slow = slow

    def judge_fold(self, fold: int, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Make the margins of each group and sum them."""
        judge_all(self.folds[fold], self.smoothing, packed, right, doubtful)

    def referee(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """Ask GaussianNB; where all it sees is zero it divides by zero and says the first class.

        Before that, a second look: the doubt was about what rounding may do with any feature,
        also those that are nearly constant and not in the candidate.
        """
        if self.folds[fold].zero[candidate].all():
            return self.folds[fold].by_default
        right, doubtful = self._alone(candidate, fold)
        return self.slow.folds_of(candidate, [fold])[0] if doubtful else right / self.sizes[fold]

    def _alone(self, candidate: NDArray[np.bool_], fold: int) -> tuple[int, int]:
        """Rows right and rows in doubt of one candidate, as if there were no other features."""
        f = self.folds[fold]
        own = replace(
            f,
            x=f.x[candidate],
            mean=f.mean[:, candidate],
            variance=f.variance[:, candidate],
            spread=f.spread[candidate],
            falling=np.argsort(-f.spread[candidate]),
            shift=f.shift[candidate],
        )
        right, doubtful = np.zeros((2, 1), dtype=np.int64)
        every = nibbles(np.ones((1, len(own.x)), dtype=bool))
        judge_all(own, self.smoothing, every, right, doubtful)
        return int(right[0]), int(doubtful[0])


class SharedGaussianScorer(GaussianScorer):
    """The same where no column's variance is so small that the smoothing matters.

    Margins are made once, for the largest smoothing of all; what less smoothing would change is
    counted as rounding, and what is in doubt then is looked at again with its own smoothing.
    """

    def __init__(self, folds: list[NormalFold], smoothing: float, slow: WrappedScorer) -> None:
        super().__init__(folds, smoothing, slow)
        self.margins = [_shared_margins(fold, smoothing) for fold in folds]

    def judge_fold(self, fold: int, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Sum the margins."""
        self.margins[fold].judge(packed, right, doubtful)


def _shared_margins(f: NormalFold, smoothing: float) -> Margins:
    full = f.variance + smoothing * f.spread.max()
    unit = f.unit + 2.0 * _rough(f, smoothing)
    half, logs = 0.5 / full, -0.5 * np.log(2.0 * np.pi * full)
    d, n = f.x.shape
    base = prior_margins(f.log_prior, f.test.bounds, 0, n)
    tolerance, margins = unit * (1.0 + np.abs(base)), np.zeros((d, len(base)))
    normal_margins(
        f.x, f.test.bounds, 0, n, f.mean, half, logs, np.ones(d, dtype=bool), unit, f.shift,
        margins, tolerance,
    )  # fmt: skip
    return Margins(len(f.log_prior) - 1, margins, base, tolerance)
