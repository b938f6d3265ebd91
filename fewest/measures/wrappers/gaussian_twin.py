"""The fast twin of scikit-learn's GaussianNB."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB

from ...classifiers.bayes.naive_bayes import Evidence
from ...data.class_sums import ClassMoments, ClassSums
from ...data.table import Table
from ...kernels.bayes.class_statistics import class_moments
from ...kernels.bayes.margins import nibbles
from ...kernels.bayes.normal_margins import judge_normal
from ..base import Scorer
from .additive import (
    AdditiveScorer,
    Floats,
    FoldRows,
    Ints,
    Packed,
    fewest_trained,
    plain_table,
    trained_target,
)
from .splits import Split, Splits
from .streamed import FoldModel, StreamedScorer, extremes, fold_sums, rounding
from .wrapped import WrappedScorer

#: Up to this relative change of a variance, it is one more rounding error.
ROUGH = 1e-8


def gaussian_twin(estimator: GaussianNB, table: Table, splits: Splits) -> Scorer | None:
    """GaussianNB's fold accuracies, or None where it must be asked itself."""
    numbers = plain_table(table)
    smoothing = float(estimator.var_smoothing)
    if numbers is None or not usable_gaussian(estimator, table, splits):
        return None
    folds = normal_folds(numbers, splits, estimator.priors)
    slow = WrappedScorer(estimator, table, splits)
    scorer = GaussianScorer(numbers, folds, smoothing, slow)
    if max(_rough(fold, smoothing) for fold in folds) <= ROUGH:
        return SharedGaussianScorer(scorer)
    return scorer


def _rough(fold: NormalFold, smoothing: float) -> float:
    """By which share the smoothing of one candidate and of another can differ at most.

    It is a share of the largest variance among the columns of a candidate.
    """
    least = float(fold.variance.min())
    return smoothing * float(np.ptp(fold.spread)) / least if least > 0.0 else np.inf


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


def normal_folds(table: Table, splits: Splits, priors: object) -> list[NormalFold]:
    """Every fold of a table of numbers."""
    sums, (low, high) = fold_sums(table, splits, plain=True), extremes(table)
    return [_train(table, sums, split, f, priors, low, high) for f, split in enumerate(splits)]


def _train(
    table: Table,
    sums: ClassSums | None,
    split: Split,
    fold: int,
    priors: object,
    low: Floats,
    high: Floats,
) -> NormalFold:
    train, test = split
    n, d = len(train), table.n_features
    rows, largest = FoldRows.of(table, split), np.maximum(-low, high)
    # Sums of n numbers, theirs and ours, are off by at most n units in the last place each.
    unit = 4.0 * (n + d + 16) * float(np.finfo(np.float64).eps)
    moments = None if sums is None else _joined(sums, fold)
    if moments is not None:
        rough = float(rounding(n, largest, moments[2][:-1])[0].max())
        unit, moments = (unit + rough, moments) if rough <= ROUGH / 10 else (unit, None)
    if moments is None:
        target = trained_target(table, split)
        moments = class_moments(table.block(train), target, np.ones(n), rows.n_classes)
    count, mean, variance = moments
    prior = count[:-1, 0] / n if priors is None else np.asarray(priors, dtype=np.float64)
    spread = variance[-1]
    zero = np.asarray((spread == 0.0) & (table.block(train[:1])[0] == 0.0))
    first = float(np.mean(table.target[test] == table.target[train].min()))
    return NormalFold(
        rows, np.log(prior), mean[:-1], variance[:-1], spread, np.argsort(-spread), unit,
        unit * largest, zero, first,
    )  # fmt: skip


def _joined(sums: ClassSums, fold: int) -> ClassMoments:
    """The moments of the training rows of a fold, of the classes that they show and of all."""
    prior, _, (count, mean, variance) = sums.training(fold)
    seen = np.append(prior > 0.0, True)
    return count[seen], mean[seen], variance[seen]


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

    def __init__(
        self, table: Table, folds: list[NormalFold], smoothing: float, slow: WrappedScorer
    ) -> None:
        super().__init__([fold.test.size for fold in folds])
        self.table = table
        self.folds = folds
        self.smoothing = smoothing
        self.slow = slow

    def judge_fold(self, fold: int, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Make the margins of each group and sum them."""
        self._judge_rows(self.folds[fold], slice(None), packed, right, doubtful)

    def _judge_rows(
        self, f: NormalFold, columns: Any, packed: Packed, right: Ints, doubtful: Ints
    ) -> None:
        """Add the counts of rows right and in doubt, block by block."""
        width = _block_rows(len(f.log_prior), len(f.spread))
        for x, bounds in f.test.blocks(self.table, columns):
            judge_normal(
                x, bounds, f.log_prior, f.mean, f.variance, f.spread, f.falling,
                self.smoothing, f.unit, f.shift, width, packed, right, doubtful,
            )  # fmt: skip

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
            mean=np.ascontiguousarray(f.mean[:, candidate]),
            variance=np.ascontiguousarray(f.variance[:, candidate]),
            spread=f.spread[candidate],
            falling=np.argsort(-f.spread[candidate]),
            shift=f.shift[candidate],
        )
        right, doubtful = np.zeros((2, 1), dtype=np.int64)
        every = nibbles(np.ones((1, len(own.spread)), dtype=bool))
        self._judge_rows(own, candidate, every, right, doubtful)
        return int(right[0]), int(doubtful[0])


class SharedGaussianScorer(StreamedScorer):
    """The same where no column's variance is so small that the smoothing matters.

    Margins are made once, for the largest smoothing of all; what less smoothing would change is
    counted as rounding, and what is in doubt then is looked at again with its own smoothing.
    """

    #: Densities take longer to make than levels to look up; these are at most 80 MB.
    room = 8

    def __init__(self, own: GaussianScorer) -> None:
        self.own = own
        models = [_shared(fold, own.smoothing) for fold in own.folds]
        super().__init__(own.table, models, max(fold.unit for fold in own.folds))

    def settle(self, candidate: NDArray[np.bool_], fold: int, rows: slice) -> int | None:
        """Only the whole fold is known."""
        return None

    def referee(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """A second look, then GaussianNB."""
        return self.own.referee(candidate, fold)


def _shared(f: NormalFold, smoothing: float) -> FoldModel:
    d = len(f.spread)
    nothing = np.zeros((d, 0, len(f.log_prior)))
    variance = f.variance + smoothing * f.spread.max()
    learned = Evidence(np.zeros(d, dtype=bool), f.log_prior, nothing, f.mean, variance)
    return FoldModel(f.test, learned, np.full(d, 2.0 * _rough(f, smoothing)), f.shift)
