"""Rules of linear models in closed form: least squares, ridge, discriminants."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property, partial
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from ...._kernels.linear.linear_rules import (
    ABSOLUTE,
    REGULARISED,
    RELATIVE,
)
from ....data._class_sums import Moments
from ....data._table import Table
from ..._steps import Steps
from ..metrics.metric import EPS, Floats, Ints, Judged, Metric, Truth
from ..moments import FoldNumbers, FoldTarget, Scaled, Sums
from ..sources.pipelines import FoldColumns, Source
from .linear_fold import LinearFold, Squares
from .rule import Bools, Rule, Size, sparse_features

Places = NDArray[np.intp]

#: More columns than this are too many for a matrix of all pairs per fold.
MOST_COLUMNS = 1200
#: Candidates of wide tables share their cross products while they have at most this many columns.
TOGETHER = 100
#: With fewer columns, batches of candidates are as fast as steps.
LEAST_COLUMNS = 64
#: Candidates with more columns than this and than training rows are trained: that is faster.
MANY_COLUMNS = 150
#: A mean square of scaled columns that no constant one has, whatever is rounded.
VARIES = 1e-6
#: Before this version scikit-learn divided covariances by another number.
SINCE = (1, 9)


class MomentRule(Rule):
    """A model that follows from moments of the training rows.

    Folds are made when they are first asked for. Of a table with more than ``MOST_COLUMNS``
    columns the moments are made for some candidates at a time.
    """

    #: Whether the estimator takes dense columns only.
    refuses_sparse: bool = True

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        self.outputs = max(1, source.table.n_classes)
        self.numbers = FoldNumbers(source)
        self.sparse = sparse_features(source)
        self._folds: dict[int, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_folds": {}}

    @cached_property
    def _lost(self) -> list[bool]:
        """Which folds are for the estimator alone."""
        return [self.hopeless(fold) for fold in range(len(self.source.splits))]

    @abstractmethod
    def build(self, fold: int, scaled: Scaled, key: Any, pairs: bool) -> Any:
        """Return what a fold knows about some columns, with or without their cross products.

        Its method ``judge`` takes masks over these columns.
        """

    def target(self, fold: int) -> FoldTarget:
        """Return what the rows are regressed on, or told apart by: the classes as groups."""
        table = self.source.table
        return FoldTarget(groups=table.target.astype(np.int64), n_groups=table.n_classes)

    def hopeless(self, fold: int) -> bool:
        """Return whether only the estimator can say what it does with the rows of a fold."""
        return self.source.table.classes is not None and len(self.labels(fold)) < 2

    def too_wide(self, fold: int, count: Ints) -> Bools:
        """Return which numbers of columns are for the estimator."""
        return count > MOST_COLUMNS

    def fold(self, number: int) -> Any:
        """Return what a fold knows about all columns."""
        with self._lock:
            if number not in self._folds:
                scaled = self.numbers.of(number)[1]
                pairs = len(scaled.unit) <= MOST_COLUMNS
                self._folds[number] = self.build(number, scaled, None, pairs)
            return self._folds[number]

    def _narrow(self, fold: int, some: Places) -> Any:
        return self.build(fold, self.numbers.take(fold, some), some.tobytes(), True)

    def _masks(self, fold: int, candidates: Bools) -> tuple[Bools, Bools]:
        """Return masks over the columns, and candidates to be trained, without their columns."""
        columns = self.numbers.of(fold)[0]
        masks, unsure = columns.expand(candidates), columns.unsure(candidates)
        unsure |= self.too_wide(fold, masks.sum(axis=1))
        if self.refuses_sparse:
            unsure |= columns.stay_sparse(candidates)
        if unsure.any():
            masks[unsure] = False
        return masks, unsure

    @np.errstate(all="ignore")
    def judge(self, fold: int, batch: Bools | Steps, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of each candidate on a fold, and whether it is in doubt."""
        if isinstance(batch, Steps):
            found = self.judge_steps(fold, batch, metric, truth)
            return self._in_parts(fold, batch, metric, truth) if found is None else found
        masks, unsure = self._masks(fold, batch)
        values = np.zeros(len(masks))
        if self._lost[fold]:
            return values, np.ones(len(masks), dtype=bool)
        size = self.block(batch, truth)
        wide = masks.shape[1] > MOST_COLUMNS
        for rows, some in blocks(masks) if wide else ((slice(0, len(masks)), None),):
            if some is not None and not len(some):
                continue
            own = self.fold(fold) if some is None else self._narrow(fold, some)
            part = masks[rows] if some is None else np.ascontiguousarray(masks[rows][:, some])
            for low in range(0, len(part), size):
                here = slice(rows.start + low, min(rows.stop, rows.start + low + size))
                found = own.judge(part[low : low + size], metric, truth)
                values[here], unsure[here] = found[0], unsure[here] | found[1]
        return values, unsure

    def judge_steps(self, fold: int, steps: Steps, metric: Metric, truth: Truth) -> Judged | None:
        """Judge neighbours of one candidate from its solution; None where they are candidates."""
        return None

    def _in_parts(self, fold: int, steps: Steps, metric: Metric, truth: Truth) -> Judged:
        """Judge steps as candidates of their own."""
        parts = [np.asarray(part, dtype=bool) for part in steps.parts(self.batch)]
        found = [self.judge(fold, part, metric, truth) for part in parts]
        return np.concatenate([v for v, _ in found]), np.concatenate([d for _, d in found])


class LinearRule(MomentRule):
    """A linear model whose coefficients follow from cross products of the training rows.

    Steps that add a column of its own are judged from the solution of the subset they start from.
    """

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Return the operations of a factorisation per fold, and of the values of all rows."""
        k, outputs = size.columns, size.classes
        return size.folds * (k**3 / 6.0 + outputs * k * k) + size.rows * outputs * k

    def hopeless(self, fold: int) -> bool:
        """Return whether the weights are none, or a fold trains on one class."""
        if self.weight is not None:
            own = self.weight[self.numbers.split(fold)[0]]
            if not (own >= 0.0).all() or not own.sum() > 0.0 or not np.isfinite(own.sum()):
                return True
        return super().hopeless(fold)

    @cached_property
    def _rows(self) -> list[int]:
        """Number of training rows of each fold."""
        return [len(train) for train, _ in self.source.splits]

    def too_wide(self, fold: int, count: Ints) -> Bools:
        """Return which numbers of columns are faster to train with."""
        return super().too_wide(fold, count) | (count > max(self._rows[fold], MANY_COLUMNS))

    def judge_steps(self, fold: int, steps: Steps, metric: Metric, truth: Truth) -> Judged | None:
        """Judge columns that are added to one candidate, which is solved once for all of them."""
        known = metric.asks in ("labels", "numbers") and self.numbers.width() >= LEAST_COLUMNS
        if not known or self._lost[fold] or not (steps.gains > 0).all():
            return None
        columns, _ = self.numbers.of(fold)
        if self.refuses_sparse and columns.density is not None:
            return None
        base = np.asarray(steps.base, dtype=bool)
        have, new = np.flatnonzero(base[columns.owner]), single_columns(columns)[steps.units]
        values, doubts = np.zeros(len(steps)), np.ones(len(steps), dtype=bool)
        able = np.flatnonzero((new >= 0) & ~columns.unusable[steps.units])
        if not columns.unusable[base].any() and len(have) <= MOST_COLUMNS:
            products = self._products(fold, have)
            size = self.block(steps, truth)
            for low in range(0, len(able), size):
                part = able[low : low + size]
                values[part], doubts[part] = self.fold(fold).judge_steps(
                    have, new[part], products, metric, truth
                )
        again = np.flatnonzero(doubts)
        if len(again):
            values[again], doubts[again] = self._in_parts(fold, steps[again], metric, truth)
        return values, doubts

    def _products(self, fold: int, have: Places) -> Floats:
        """Return cross products of some columns with all of them."""
        own = self.fold(fold)
        if own.gram is not None:
            return np.asarray(own.gram[have])
        scaled, target = self.numbers.of(fold)[1], self.target(fold)
        found = self.numbers.products(fold, scaled, target, own.sums, have)
        return found / self.divisor(own.sums)

    def divisor(self, sums: Sums) -> float:
        """Return what cross products are divided by."""
        return 1.0


class RegressionRule(LinearRule):
    """LinearRegression, Ridge and RidgeClassifier: targets are regressed on the columns."""

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why this model must be trained, in words; None if cross products are enough."""
        name = type(model).__name__
        if model.positive or not model.fit_intercept:
            return f"{name} is solved from sums only with an intercept and without positive=True"
        if table.sparse is not None:
            return f"scikit-learn solves {name} on sparse tables by steps of its own"
        if type(model) is LinearRegression:
            known = is_number(model.tol, 1e-9, 1e-2)
            return None if known else "LinearRegression needs `tol` from 1e-9 to 0.01"
        if model.solver not in ("auto", "cholesky", "svd"):
            return f"{name} with solver={model.solver!r} stops before the exact solution"
        known = is_number(model.alpha, 0.0, 1e100)
        return None if known else f"{name} needs one number `alpha` from 0 on"

    def tolerance(self, metric: Metric) -> float:
        """Return how far a fold score may be away; sparse dummies are solved by steps."""
        steps = self.sparse.any() and metric.asks != "labels"
        return max(super().tolerance(metric), 10.0 * float(self.model.tol) if steps else 0.0)

    def target(self, fold: int) -> FoldTarget:
        """Return the numbers, or 1 for the rows of each class and -1 for others."""
        table = self.source.table
        if table.classes is None:
            numbers = table.target.astype(np.float64)[:, None]
            return FoldTarget(numbers - numbers.mean(), weight=self.weight)
        coded = np.where(table.target[:, None] == np.arange(table.n_classes), 1.0, -1.0)
        if getattr(self.model, "class_weight", None) is None:
            return FoldTarget(coded, weight=self.weight)
        weight = np.zeros(table.n_rows)
        weight[self.numbers.split(fold)[0]] = self.training_weights(fold)
        return FoldTarget(coded, weight=weight, by_fold=True)

    def hopeless(self, fold: int) -> bool:
        """Return whether the estimator may refuse the rows or the weights of classes."""
        if super().hopeless(fold):
            return True
        try:
            weight = self.training_weights(fold)
        except ValueError:
            return True
        return weight is not None and not (weight >= 0.0).all()

    @property
    def refuses_sparse(self) -> bool:  # type: ignore[override]
        """Whether the solver takes dense columns only."""
        return getattr(self.model, "solver", "auto") != "auto"

    def build(self, fold: int, scaled: Scaled, key: Any, pairs: bool) -> LinearFold:
        """Return the rules of a fold over some columns."""
        target, d, table = self.target(fold), len(scaled.unit), self.source.table
        kept, shift = self.labels(fold), 0.0
        if table.classes is None:
            kept, shift = np.zeros(1, dtype=np.int64), float(table.target.mean())
        elif len(kept) == 2:
            kept = kept[1:]
        train, test = self.numbers.split(fold)
        sums, tested = self.numbers.sums(fold, scaled, target, key, pairs)
        mean = sums.mean[0]
        least = type(self.model) is LinearRegression
        orthogonal = least or self.model.solver == "svd"
        dead = constant(scaled.values, train, sums, target.weight)
        x = scaled.values[test] - mean[:d]
        # Without a penalty a constant column makes a singular matrix, which rounding decides.
        singular = not least and self.model.alpha == 0.0
        made = LinearFold(
            x=x.T,
            square=sums.square,
            gram=sums.gram,
            ridge=(0.0 if least else float(self.model.alpha)) / scaled.unit**2,
            right=sums.cross[kept],
            unit=scaled.unit,
            rank_rule=RELATIVE if least else REGULARISED,
            cut=float(self.model.tol) ** 2 if least else 0.0,
            dead=dead,
            suspect=scaled.strange | (dead & (_unlike(scaled, x, dead) | singular)),
            middle=np.zeros((len(kept), d)),
            offset=mean[d:][kept] + shift,
            drift=scaled.drift,
            precision=self.source.precision,
            rough=16.0 if orthogonal else 0.0,
            orthogonal=orthogonal,
            loose=float(self.model.tol) if self.sparse.any() and not least else 0.0,
            plain=partial(self._centred, fold, scaled, mean, target) if least and pairs else None,
            sums=sums,
        )
        if tested is not None and table.classes is None:
            made.squares = self._squares(fold, scaled, tested, mean)
        return made

    def _squares(self, fold: int, scaled: Scaled, tested: Moments, mean: Floats) -> Squares:
        """Return products of the test rows, without weights, about the training means."""
        if self.weight is not None:
            plain, test = FoldTarget(self.target(fold).numbers), self.numbers.split(fold)[1]
            tested = plain.of(test).moments(scaled.values[test])
        d, away = len(scaled.unit), tested.about(mean)
        return Squares(_own(away[:d, :d]), _own(away[:d, d]), float(away[d, d]))

    def _centred(
        self, fold: int, scaled: Scaled, mean: Floats, target: FoldTarget
    ) -> tuple[Floats, Floats]:
        """Return training rows and targets about their means, by the roots of their weights."""
        own, d = target.of(self.numbers.split(fold)[0]), len(scaled.unit)
        assert own.numbers is not None
        rows = scaled.values[self.numbers.split(fold)[0]] - mean[:d]
        numbers = own.numbers - mean[d:]
        if own.weight is None:
            return rows, numbers
        root = np.sqrt(own.weight)[:, None]
        return rows * root, numbers * root


class DiscriminantRule(LinearRule):
    """LinearDiscriminantAnalysis by singular values or least squares, without shrinkage."""

    takes_weights: ClassVar[bool] = False

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return why this model must be trained, in words; None if cross products are enough."""
        if model.solver not in ("svd", "lsqr") or model.shrinkage is not None:
            return "LinearDiscriminantAnalysis needs solver svd or lsqr, and no shrinkage"
        if model.priors is not None or model.covariance_estimator is not None:
            return "LinearDiscriminantAnalysis with priors or a covariance estimator is trained"
        if model.n_components is not None:
            return "LinearDiscriminantAnalysis with n_components may refuse small subsets"
        if model.solver == "svd" and not is_number(model.tol, 1e-6, 0.1):
            return "LinearDiscriminantAnalysis needs `tol` from 1e-6 to 0.1"
        return too_old()

    def hopeless(self, fold: int) -> bool:
        """Return whether there are no more training rows than classes, which it refuses."""
        train = self.numbers.split(fold)[0]
        return super().hopeless(fold) or len(train) <= len(self.labels(fold))

    def divisor(self, sums: Sums) -> float:
        """Return the number of rows."""
        return float(sums.weight.sum())

    def build(self, fold: int, scaled: Scaled, key: Any, pairs: bool) -> LinearFold:
        """Return the rules of a fold over some columns."""
        train, test = self.numbers.split(fold)
        sums, _ = self.numbers.sums(fold, scaled, self.target(fold), key, pairs)
        labels, total, turns = self.labels(fold), sums.weight.sum(), self.model.solver == "svd"
        share = sums.weight[labels] / total
        # Least squares sees the means as they are.
        centre = share @ sums.mean[labels] if turns else -scaled.centre
        means, offset = sums.mean[labels] - centre, np.log(share)
        right, middle = means, means
        if turns and len(labels) == 2:
            right, middle = means[1:] - means[:1], means[1:] + means[:1]
            offset = offset[1:] - offset[:1]
        target = self.source.table.target
        dead = constant(scaled.values, train, sums, groups=target)
        square = sums.square / total
        unit = np.where(dead, 1.0, 1.0 / np.sqrt(np.maximum(square, 1e-300)))
        return LinearFold(
            x=(scaled.values[test] - centre).T,
            square=square,
            gram=None if sums.gram is None else sums.gram / total,
            ridge=np.zeros(len(unit)),
            right=right,
            unit=unit if turns else scaled.unit,
            rank_rule=ABSOLUTE if turns else REGULARISED,
            cut=float(self.model.tol) ** 2 if turns else 0.0,
            dead=dead,
            suspect=scaled.strange | (dead & ~self._exact(scaled, train, dead)),
            middle=middle,
            offset=offset,
            drift=scaled.drift,
            precision=self.source.precision,
            rough=0.0 if turns else 64.0,
            shares=share if turns and len(labels) > 2 else None,
            most=float(len(train) - len(labels) - 1),
            plain=partial(self._centred, fold, scaled, sums.mean) if turns and pairs else None,
            sums=sums,
        )

    def _exact(self, scaled: Scaled, train: Places, dead: Bools) -> Bools:
        """Return which columns hold so short numbers that the mean of equal ones is exact."""
        exact, some = np.zeros(len(dead), dtype=bool), np.flatnonzero(dead)
        if not len(some):
            return exact
        raw = (scaled.values[np.ix_(train, some)] + scaled.centre[some]) * scaled.unit[some]
        whole = np.rint(raw * 1024.0)
        # Numbers are what they are, in whichever type: only our own scaling has rounded them.
        rounded = scaled.drift * scaled.unit * EPS / self.source.precision
        close = np.abs(raw * 1024.0 - whole) <= 1024.0 * rounded[some]
        short = np.abs(whole) * len(train) < 1.0 / self.source.precision
        exact[some] = (close & short).all(axis=0)
        return exact

    def _centred(self, fold: int, scaled: Scaled, means: Floats) -> tuple[Floats, None]:
        """Return the training rows about the means of their classes, over a root."""
        train = self.numbers.split(fold)[0]
        rows = scaled.values[train] - means[self.source.table.target[train]]
        return rows / np.sqrt(len(train)), None


def is_number(value: Any, low: float, high: float) -> bool:
    """Return whether a parameter is one number within bounds."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    return real and low <= float(value) <= high


def too_old() -> str | None:
    """Return why covariances of this version of scikit-learn are others; None if they are not."""
    version = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
    return None if version >= SINCE else "scikit-learn before 1.9 has other covariances"


def constant(
    values: Floats,
    train: Places,
    sums: Sums,
    weight: Floats | None = None,
    groups: NDArray[Any] | None = None,
) -> Bools:
    """Return which columns are constant in the training rows that have any weight.

    With groups: in each of them. Only columns whose squares about the means are small are read.
    """
    dead = ~(sums.square > VARIES * sums.weight.sum())
    some = np.flatnonzero(dead)
    rows = train if weight is None else train[weight[train] > 0.0]
    every = np.zeros(1) if groups is None else np.unique(groups[rows])
    for group in every if len(some) else ():
        own = rows if groups is None else rows[groups[rows] == group]
        part = values[np.ix_(own, some)]
        dead[some] &= part.max(axis=0) == part.min(axis=0)
    return np.asarray(dead)


def _unlike(scaled: Scaled, x: Floats, dead: Bools) -> Bools:
    """Return constant columns with other test rows, where rounding of the mean may count."""
    if not dead.any():
        return dead
    differs = np.abs(x).max(axis=0, initial=0.0) > 4.0 * scaled.drift
    least = scaled.unit[~dead].min(initial=np.inf)
    return np.asarray(differs & (scaled.drift * scaled.unit > 1e-8 * least))


def single_columns(columns: FoldColumns) -> Places:
    """Return the column of each feature that has exactly one; -1 for the others."""
    count = np.bincount(columns.owner, minlength=len(columns.unusable))
    place = np.full(len(columns.unusable), -1, dtype=np.intp)
    place[columns.owner] = np.arange(len(columns.owner))
    return np.where(count == 1, place, -1)


def blocks(masks: Bools) -> Iterator[tuple[slice, Places]]:
    """Return runs of candidates with few columns together, and these columns.

    >>> list(blocks(np.eye(2, dtype=bool)))
    [(slice(0, 2, None), array([0, 1]))]
    """
    start, together = 0, np.zeros(masks.shape[1], dtype=bool)
    for i, mask in enumerate(masks):
        both = together | mask
        if i > start and both.sum() > TOGETHER:
            yield slice(start, i), np.flatnonzero(together)
            start, both = i, mask
        together = both
    yield slice(start, len(masks)), np.flatnonzero(together)


def _own(values: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64)
