"""Rules of linear models in closed form: least squares, ridge, discriminants."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from ...._kernels.linear.linear_rules import (
    ABSOLUTE,
    EPS,
    REGULARISED,
    RELATIVE,
    cut_directions,
    refine_rules,
    solve_rules,
)
from ...._kernels.scoring.probabilities import ODDS
from ...._kernels.scoring.ranks import row_keys
from ....data._class_sums import Moments
from ....data._table import Table
from ..._steps import Steps
from ..metrics.metric import Floats, Ints, Judged, Metric, Responses, Truth, from_squares
from ..moments import FoldNumbers, FoldTarget, Scaled, Sums
from ..sources.pipelines import FoldColumns, Source
from .rule import BLOCK_VALUES, Bools, Rule, Size, sparse_features

Places = NDArray[np.intp]

#: More columns than this are too many for a matrix of all pairs per fold.
MOST_COLUMNS = 1200
#: Candidates of wide tables share their cross products while they have at most this many columns.
TOGETHER = 100
#: With fewer columns, batches of candidates are as fast as steps.
LEAST_COLUMNS = 64
#: Candidates with more columns than this and than training rows are trained: that is faster.
MANY_COLUMNS = 150
#: Before this version scikit-learn divided covariances by another number.
SINCE = (1, 9)
#: Steps whose columns leave a smaller share of each other are solved as candidates.
INDEPENDENT = 1e-3
#: Rounding may move a sum of errors by this much, and decision values behind probabilities, as
#: multiples of the square root of the precision.
ENOUGH, ENOUGH_ODDS = 8.0, 64.0


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
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_folds": {}, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    @cached_property
    def _lost(self) -> list[bool]:
        """Which folds are for the estimator alone."""
        return [self.hopeless(fold) for fold in range(len(self.source.splits))]

    @abstractmethod
    def build(self, fold: int, scaled: Scaled, key: Any, pairs: bool) -> Any:
        """Return what a fold knows about some columns, with or without their cross products."""

    @abstractmethod
    def answer(self, own: Any, masks: Bools) -> tuple[Responses, Bools]:
        """Return responses from what :meth:`build` made, and masks in doubt."""

    @abstractmethod
    def judge_masks(self, own: Any, masks: Bools, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of some masks over columns, and whether they are in doubt."""

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

    def respond(self, fold: int, candidates: Bools) -> tuple[Responses, Bools]:
        """Return predictions or decision values for the test rows of a fold."""
        masks, unsure = self._masks(fold, candidates)
        if masks.shape[1] <= MOST_COLUMNS:
            answers, doubts = self.answer(self.fold(fold), masks)
        else:
            some = np.flatnonzero(masks.any(axis=0))
            own = self._narrow(fold, some)
            answers, doubts = self.answer(own, np.ascontiguousarray(masks[:, some]))
        return answers, doubts | unsure

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
    def judge(self, fold: int, candidates: Bools, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of each candidate on a fold, and whether it is in doubt."""
        masks, unsure = self._masks(fold, candidates)
        values = np.zeros(len(masks))
        if self._lost[fold]:
            return values, np.ones(len(masks), dtype=bool)
        size = max(1, BLOCK_VALUES // max(1, self.outputs * len(truth.target)))
        wide = masks.shape[1] > MOST_COLUMNS
        for rows, some in blocks(masks) if wide else ((slice(0, len(masks)), None),):
            if some is not None and not len(some):
                continue
            own = self.fold(fold) if some is None else self._narrow(fold, some)
            part = masks[rows] if some is None else np.ascontiguousarray(masks[rows][:, some])
            for low in range(0, len(part), size):
                here = slice(rows.start + low, min(rows.stop, rows.start + low + size))
                found = self.judge_masks(own, part[low : low + size], metric, truth)
                values[here], unsure[here] = found[0], unsure[here] | found[1]
        return values, unsure


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

    def answer(self, own: LinearFold, masks: Bools) -> tuple[Responses, Bools]:
        """Return predictions or decision values."""
        return own.respond(masks)

    def judge_masks(self, own: LinearFold, masks: Bools, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of some masks over columns."""
        return own.judge(masks, metric, truth)

    @np.errstate(all="ignore")
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
            size = max(1, BLOCK_VALUES // max(1, self.outputs * len(truth.target)))
            for low in range(0, len(able), size):
                part = able[low : low + size]
                values[part], doubts[part] = self.fold(fold).judge_steps(
                    have, new[part], products, metric, truth
                )
        again = np.flatnonzero(doubts)
        for rows in steps[again].parts() if len(again) else ():
            part, again = again[: len(rows)], again[len(rows) :]
            values[part], doubts[part] = self.judge(fold, np.asarray(rows, bool), metric, truth)
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
        target, d, kept = self.target(fold), len(scaled.unit), self._outputs(fold)
        train, test = self.numbers.split(fold)
        sums, tested = self.numbers.sums(fold, scaled, target, key, pairs)
        mean = sums.mean[0]
        least = type(self.model) is LinearRegression
        dead = constant(scaled.values[train], target.weight, train)
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
            offset=mean[d:][kept] + self._shift,
            drift=scaled.drift,
            precision=self.source.precision,
            rough=16.0 if least else 0.0,
            loose=float(self.model.tol) if self.sparse.any() and not least else 0.0,
            plain=partial(self._centred, fold, scaled, mean, target) if least and pairs else None,
            sums=sums,
        )
        if tested is not None and self.source.table.classes is None:
            made.squares = self._squares(fold, scaled, tested, mean)
        return made

    @property
    def _shift(self) -> float:
        """Return what was taken from the target before its sums were made."""
        table = self.source.table
        return float(table.target.mean()) if table.classes is None else 0.0

    def _squares(self, fold: int, scaled: Scaled, tested: Moments, mean: Floats) -> Squares:
        """Return products of the test rows, without weights, about the training means."""
        if self.weight is not None:
            plain, test = FoldTarget(self.target(fold).numbers), self.numbers.split(fold)[1]
            tested = plain.of(test).moments(scaled.values[test])
        d, away = len(scaled.unit), tested.about(mean)
        return Squares(_own(away[:d, :d]), _own(away[:d, d]), float(away[d, d]))

    def _outputs(self, fold: int) -> NDArray[np.int64]:
        """Return which targets are regressed on in a fold."""
        if self.source.table.classes is None:
            return np.zeros(1, dtype=np.int64)
        labels = self.labels(fold)
        return labels[1:] if len(labels) == 2 else labels

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
        dead = constant_within(scaled.values[train], target[train])
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
        close = np.abs(raw * 1024.0 - whole) <= 1024.0 * (scaled.drift * scaled.unit)[some]
        short = np.abs(whole) * len(train) < 1.0 / self.source.precision
        exact[some] = (close & short).all(axis=0)
        return exact

    def _centred(self, fold: int, scaled: Scaled, means: Floats) -> tuple[Floats, None]:
        """Return the training rows about the means of their classes, over a root."""
        train = self.numbers.split(fold)[0]
        rows = scaled.values[train] - means[self.source.table.target[train]]
        return rows / np.sqrt(len(train)), None


@dataclass(frozen=True, eq=False)
class Squares:
    """Products of the test rows about the training means, for sums of squared errors."""

    products: Floats
    with_target: Floats
    of_target: float


@dataclass(eq=False)
class LinearFold:
    """Linear rules from cross products; see :mod:`fewest._kernels.linear.linear_rules`.

    Parameters
    ----------
    x : float64 array of shape (columns, rows)
        The test rows about the centre of the training rows.
    square : float64 array of shape (columns,)
        Sums of squares of the training rows.
    gram : float64 array of shape (columns, columns) or None
        Their cross products; None where they are made for the columns that are asked for.
    ridge, right, unit, rank_rule, cut, dead
        As for ``solve_rules``.
    suspect : bool array of shape (columns,)
        Columns with which only the estimator itself knows what it does.
    middle, offset : as for ``apply_rules``
    drift : float64 array of shape (columns,)
        How far rounding of the numbers may move a value of each column.
    precision : float
        Relative rounding error of the type in which the estimator calculates.
    sums : Sums
        What the rules were made from.
    rough : float
        The estimator's own rounding, as a multiple of the ratio of the largest to the smallest
        column; 0 where it does not depend on that.
    loose : float
        Relative error up to which the estimator solves, where it takes steps.
    shares : float64 array of shape (classes,) or None
        Weights of the classes where nearly equal class means are cut off.
    most : float
        The largest number of columns whose rank is certain: with as many as there are degrees of
        freedom, rounding decides which directions the estimator cuts off.
    squares : Squares or None
        For regression.
    plain : function or None
        Returns training rows about their means and, for least squares, targets, both weighted by
        the roots of their weights; for candidates whose columns are nearly dependent.
    """

    x: Floats
    square: Floats
    gram: Floats | None
    ridge: Floats
    right: Floats
    unit: Floats
    rank_rule: int
    cut: float
    dead: Bools
    suspect: Bools
    middle: Floats
    offset: Floats
    drift: Floats
    precision: float
    sums: Sums
    rough: float = 0.0
    loose: float = 0.0
    shares: Floats | None = None
    most: float = np.inf
    squares: Squares | None = None
    plain: Callable[[], tuple[Floats, Floats | None]] | None = None
    _turned: dict[str, Any] = field(default_factory=dict)
    _lock: Any = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.outputs = len(self.right)
        self.with_ones = np.vstack([self.x, np.ones(self.x.shape[1])])
        self.x = self.with_ones[:-1]
        self.right, self.middle = (np.ascontiguousarray(v) for v in (self.right, self.middle))
        self.top, self.rows = float(np.abs(self.offset).max()), float(self.sums.weight.sum())
        self.own = self.square * self.unit**2
        self.reach = np.abs(self.x).max(axis=1, initial=0.0)
        if self.gram is None:
            self.suspect = self.suspect | self.sums.cancelled()

    def solve(self, candidates: Bools) -> tuple[Floats, Floats, Floats, Bools]:
        """Return coefficients, relative errors of them and of predictions, and doubts.

        Errors of predictions for rows like the training rows are smaller: errors of coefficients
        are largest where the rows do not vary.
        """
        m, d = candidates.shape
        weights, error = np.empty((m, self.outputs, d)), np.empty(m)
        unsure = np.zeros(m, dtype=bool)
        assert self.gram is not None
        solve_rules(
            self.gram, self.ridge, self.right, self.unit, self.rank_rule, self.cut, self.dead,
            self.precision, candidates, weights, error, unsure,
        )  # fmt: skip
        lost = (candidates & self.suspect).any(axis=1)
        alive = (candidates & ~self.dead).sum(axis=1)
        lost |= (alive == 0) | (alive > self.most)
        if self.rank_rule == RELATIVE:
            lost |= self._far_apart(candidates & ~self.dead)
        least = 16.0 * self.precision * (1.0 + candidates.sum(axis=1))
        mild = np.sqrt(error * least)
        if self.plain is not None and unsure.any():
            some = np.flatnonzero(unsure & ~lost)
            self._refine(some, candidates, (weights, error, unsure))
            mild[some] = least[some]
        if self.shares is not None:
            cut_directions(weights, self.right, self.shares, self.cut, unsure)
        if self.rough > 0.0:
            alive = candidates & ~self.dead
            most = np.where(alive, self.own, 0.0).max(axis=1)
            error += self._roughness(most, np.where(alive, self.own, np.inf).min(axis=1))
        return weights, error, mild, unsure | lost

    def _far_apart(self, alive: Bools) -> Bools:
        """Return where scales are so different that columns are lost in each other's rounding."""
        most = np.where(alive, self.own, 0.0).max(axis=1, initial=0.0)
        least = np.where(alive, self.own, np.inf).min(axis=1, initial=np.inf)
        with np.errstate(over="ignore"):
            return np.asarray(most > least / self.precision**2)

    def _roughness(self, most: Floats, least: Floats) -> Floats:
        ratio = most / np.maximum(least, 1e-300)
        # Least squares works on the columns down to its cut, others on their products.
        if self.rank_rule == RELATIVE:
            ratio = np.sqrt(np.minimum(ratio, 1.0 / self.cut))
        return np.asarray(self.rough * self.precision * ratio)

    def _refine(
        self, some: Places, candidates: Bools, solved: tuple[Floats, Floats, Bools]
    ) -> None:
        """Solve anew, by orthogonal transformations, where columns are nearly dependent."""
        if len(some):
            weights, error, unsure = solved
            columns, targets = self._rotated("train", self._rows)
            own, rough = np.empty((len(some), *weights.shape[1:])), np.empty(len(some))
            right = self.right * self.unit if targets is None else targets
            refine_rules(
                columns, right, targets is not None, self.rank_rule == RELATIVE, self.cut,
                self.dead, self.precision, candidates[some], own, rough,
            )  # fmt: skip
            enough = 1e-6 if targets is not None else 1e-5
            weights[some], error[some], unsure[some] = own * self.unit, rough, ~(rough < enough)

    def _rows(self) -> tuple[Floats, Floats | None]:
        assert self.plain is not None
        rows, targets = self.plain()
        return rows * self.unit, targets

    def _rotated(
        self, name: str, make: Callable[[], tuple[Floats, Floats | None]]
    ) -> tuple[Floats, Floats | None]:
        """Return R' of a QR factorisation, one row per column, and rotated targets alike."""
        with self._lock:
            if name not in self._turned:
                rows, targets = make()
                both = rows if targets is None else np.column_stack([rows, targets])
                turned = np.ascontiguousarray(np.asarray(np.linalg.qr(both, mode="r")).T)
                split = rows.shape[1]
                self._turned[name] = turned[:split], None if targets is None else turned[split:]
            found: tuple[Floats, Floats | None] = self._turned[name]
            return found

    def respond(self, candidates: Bools) -> tuple[Responses, Bools]:
        """Return predictions or decision values, and the candidates in doubt."""
        weights, error, _, unsure = self.solve(candidates)
        return self._answered(candidates, weights, error), unsure

    def _answered(self, candidates: Bools, weights: Floats, error: Floats) -> Responses:
        values = rule_values(weights, self.middle, self.offset, self.x)
        far, moved = self._sizes(weights)

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys((self.x + 0.0).view(np.int64), candidates[some]))

        return _responses(values, 2.0 * error * far + moved, keys)

    def _sizes(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return magnitudes of the terms of the rules, and how far rounding moves the values."""
        size = np.abs(weights)
        far = np.abs(self.offset) + (size * (self.reach + np.abs(self.middle))).sum(axis=2)
        moved = (size @ self.drift).max(axis=1) + 4.0 * self.precision * self.top
        return far.max(axis=1), moved

    def judge(self, candidates: Bools, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of each candidate, and whether it is in doubt."""
        weights, error, mild, unsure = self.solve(candidates)
        far, moved = self._sizes(weights)
        if metric.asks == "labels":
            slack = 2.0 * (error + self.loose) * far + moved
            said = _responses(self._products(weights), slack)
            found, doubts = metric.judge(said, truth)
            return found, doubts | unsure | ~np.isfinite(slack)
        if metric.squares and self.squares is not None and truth.plain:
            mean = self._mean_squares(weights, truth)
            found, away = metric.sign * from_squares(metric.squares, mean, truth), np.sqrt(mean)
        else:
            said = self._answered(candidates, weights, error)
            found, doubts = metric.judge(said, truth)
            unsure |= doubts
            away = self._away(found, said.values, metric, truth)
        slack = 2.0 * mild * far + moved + 2.0 * error * away
        if self.rank_rule == RELATIVE:
            # The rounding of orthogonal transformations of columns of unlike sizes.
            wide = np.sqrt(((weights != 0.0) @ self.own).max(axis=1) / self.rows)
            long = np.sqrt(((weights / self.unit) ** 2).sum(axis=2).max(axis=1))
            slack += self.rough * self.precision * wide * long
        return found, unsure | self._vague(slack, away, metric, truth)

    def _products(self, weights: Floats) -> Floats:
        """Return values by one product: its last bits depend on the batch, but no class does."""
        m, n = len(weights), self.x.shape[1]
        start = self.offset - 0.5 * np.einsum("ikj,kj->ik", weights, self.middle)
        both = np.concatenate([weights, start[:, :, None]], axis=2).reshape(m * self.outputs, -1)
        return np.asarray((both @ self.with_ones).reshape(m, self.outputs, n))

    def _mean_squares(self, weights: Floats, truth: Truth) -> Floats:
        """Return mean squared errors without rows: products of columns are enough."""
        known, own = self.squares, weights[:, 0]
        assert known is not None
        part = (own[:, None, :] @ known.products)[:, 0]
        sums = known.of_target + (own * (part - 2.0 * known.with_target)).sum(axis=1)
        size = np.abs(own) * (np.abs(part) + 4.0 * np.abs(known.with_target))
        error = 16.0 * EPS * (1.0 + (own != 0.0).sum(axis=1)) * (known.of_target + size.sum(axis=1))
        # Where large terms cancel, the rows say it better.
        poor = error > 1e-11 * np.maximum(sums, 1e-3 * known.of_target)
        if poor.any():
            turned, target = self._rotated("test", partial(self._tests, truth))
            assert target is not None
            rest = target[0] - (own[poor][:, None, :] @ turned)[:, 0]
            sums[poor] = (rest * rest).sum(axis=1)
        return np.asarray(sums / len(truth.target))

    def _tests(self, truth: Truth) -> tuple[Floats, Floats]:
        return self.x.T, (truth.target.astype(np.float64) - self.offset[0])[:, None]

    def _away(self, found: Floats, values: Floats, metric: Metric, truth: Truth) -> Floats:
        """Return how far predictions are from the truth, or decisions from none."""
        if metric.asks != "numbers":
            return np.asarray(np.abs(values).max(axis=(1, 2), initial=0.0))
        if metric.squares == "r2":
            return np.sqrt((1.0 - found) * truth.variance)
        error = metric.sign * found
        return np.sqrt(error) if metric.squares == "squared" else error

    def _vague(self, slack: Floats, away: Floats, metric: Metric, truth: Truth) -> Bools:
        """Return where rounding could be seen in a metric that looks at no slack."""
        if metric.asks == "probabilities":
            return np.asarray(~(slack <= ENOUGH_ODDS * np.sqrt(self.precision)))
        if metric.asks != "numbers":
            return ~np.isfinite(slack)
        # Perfect fits have R² 1, whatever their errors are.
        if metric.squares == "r2":
            away = np.maximum(away, 1e-3 * np.sqrt(truth.variance))
        return np.asarray(~(slack <= ENOUGH * np.sqrt(self.precision) * away))

    def judge_steps(
        self, have: Places, new: Places, products: Floats, metric: Metric, truth: Truth
    ) -> Judged:
        """Judge ``have`` with each column of ``new``: ``have`` is solved once for all of them.

        ``products`` are cross products of the columns ``have`` with all columns.

        Notes
        -----
        With the cross products G of ``have`` and those of a new column with it, c, the new pivot
        is p = c_new - c' G⁻¹ c, the new coefficient is w = (r_new - c' G⁻¹ r) / p, and the old
        ones lose w G⁻¹ c.
        """
        gram = products[:, have] + np.diag(self.ridge[have])
        share = _smallest_share(gram)
        few = len(have) < self.most
        if not few or not share > INDEPENDENT or (self.suspect | self.dead)[have].any():
            return np.zeros(len(new)), np.ones(len(new), dtype=bool)
        inverse, cross = np.linalg.inv(gram), products[:, new]
        solved, back = inverse @ self.right[:, have].T, inverse @ cross
        whole = self.square[new] + self.ridge[new]
        left = whole - np.einsum("ij,ij->j", cross, back)
        smallest = np.minimum(share, left / whole)
        rest = self.right[:, new] - solved.T @ cross
        weight = rest / left
        error = 64.0 * self.precision * (len(have) + 2) / smallest
        error += self._border_roughness(have, new) + self.loose
        values, slack = self._border_values(have, new, (solved, back, weight), error)
        unsure = ~(smallest > INDEPENDENT) | (self.suspect | self.dead)[new]
        unsure |= self._near_the_cut(have, new) | ~np.isfinite(slack)
        if self.shares is not None:
            inner = solved.T @ self.right[:, have].T
            unsure |= _cut_off(inner, rest, left, self.shares, self.cut)
        said = _responses(values, slack)
        found, doubts = metric.judge(said, truth)
        away = self._away(found, values, metric, truth)
        return found, doubts | unsure | self._vague(slack, away, metric, truth)

    def _border_values(
        self, have: Places, new: Places, solution: tuple[Floats, Floats, Floats], error: Floats
    ) -> tuple[Floats, Floats]:
        """Return values of all rules for the test rows, and how far rounding may move them."""
        solved, back, weight = solution
        start = self.offset - 0.5 * np.einsum("jk,kj->k", solved, self.middle[:, have])
        known = solved.T @ self.x[have] + start[:, None]
        alone = self.x[new]
        alone -= back.T @ self.x[have]
        middle = 0.5 * (self.middle[:, new] - self.middle[:, have] @ back)
        values = weight.T[:, :, None] * alone[:, None, :]
        values += known
        values -= (weight * middle).T[:, :, None]
        far = self.reach[have] + np.abs(self.middle[:, have])
        size = np.abs(self.offset) + np.einsum("jk,kj->k", np.abs(solved), far)
        drift = np.abs(solved).T @ self.drift[have] + 4.0 * self.precision * np.abs(self.offset)
        back = np.abs(back)
        more = self.reach[new] + np.abs(self.middle[:, new]) + far @ back
        more = 2.0 * error * more + self.drift[new] + self.drift[have] @ back
        slack = 2.0 * error * size[:, None] + drift[:, None] + np.abs(weight) * more
        return values, slack.max(axis=0)

    def _extremes(self, have: Places, new: Places) -> tuple[Floats, Floats]:
        most = np.maximum(self.own[new], self.own[have].max(initial=0.0))
        return most, np.minimum(self.own[new], self.own[have].min(initial=np.inf))

    def _border_roughness(self, have: Places, new: Places) -> Floats | float:
        return self._roughness(*self._extremes(have, new)) if self.rough > 0.0 else 0.0

    def _near_the_cut(self, have: Places, new: Places) -> Bools:
        """Return where the estimator may cut off a direction."""
        if self.rank_rule == REGULARISED:
            return np.zeros(len(new), dtype=bool)
        whole = (
            self.own[have].sum() + self.own[new]
            if self.rank_rule == RELATIVE
            else np.ones(len(new))
        )
        return np.asarray(~(self._extremes(have, new)[1] >= 1e6 * self.cut * whole))


def is_number(value: Any, low: float, high: float) -> bool:
    """Return whether a parameter is one number within bounds."""
    real = isinstance(value, Real) and not isinstance(value, bool)
    return real and low <= float(value) <= high


def too_old() -> str | None:
    """Return why covariances of this version of scikit-learn are others; None if they are not."""
    version = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
    return None if version >= SINCE else "scikit-learn before 1.9 has other covariances"


def constant(rows: Floats, weight: Floats | None, train: Places) -> Bools:
    """Return which columns are constant in the training rows that have any weight."""
    part = rows if weight is None else rows[weight[train] > 0.0]
    return np.asarray(part.max(axis=0) == part.min(axis=0))


def constant_within(rows: Floats, groups: NDArray[Any]) -> Bools:
    """Return which columns are constant in every group of rows."""
    parts = [rows[groups == g] for g in np.unique(groups)]
    still = [part.max(axis=0) == part.min(axis=0) for part in parts]
    return np.asarray(np.logical_and.reduce(still))


def _unlike(scaled: Scaled, x: Floats, dead: Bools) -> Bools:
    """Return constant columns with other test rows, where rounding of the mean may count."""
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


def rule_values(weights: Floats, middle: Floats, offset: Floats, x: Floats) -> Floats:
    """Return values of linear rules; those of a candidate do not depend on the others."""
    start = offset - 0.5 * (weights * middle).sum(axis=2)
    return np.asarray(weights @ x + start[:, :, None])


def _responses(values: Floats, slack: Floats, keys: Any = None) -> Responses:
    """Return responses of which the slack is the same for all rows; without keys none are equal."""
    every = np.repeat(slack[:, None], values.shape[2], axis=1)
    nothing = np.zeros((1, 1), dtype=np.uint64)
    return Responses(values, every, False, ODDS, keys or (lambda some: nothing))


def _smallest_share(gram: Floats) -> float:
    """Return the smallest share of a column that the columns before it leave; 0 for none."""
    try:
        lower = np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return 0.0
    return float((np.diagonal(lower) ** 2 / np.diagonal(gram)).min(initial=1.0))


def _cut_off(inner: Floats, rest: Floats, left: Floats, shares: Floats, cut: float) -> Bools:
    """Return where some direction between the class means is so small that it may be cut off."""
    between = inner + rest.T[:, :, None] * rest.T[:, None, :] / left[:, None, None]
    between = between * np.sqrt(np.outer(shares, shares))
    between[~np.isfinite(between).all(axis=(1, 2))] = 0.0
    values = np.linalg.eigvalsh(between)
    top = values[:, -1:]
    near = ((values > 1e-12 * top) & (values <= 1.02 * cut * top)).any(axis=1)
    return np.asarray(near | ~(top[:, 0] > 0.0))
