"""The twin of LogisticRegression with an L2 penalty."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....data.table import Table
from ....kernels.linear.logistic import logistic_rules
from ....kernels.linear.quasi_newton import repeat_steps
from ....kernels.linear.rules import apply_rules
from ....kernels.linear.softmax import losses
from ....kernels.scoring.probabilities import ODDS
from ....kernels.scoring.ranks import row_keys
from ..additive import fewest_trained, trained_target
from ..metrics.metric import Ints, Responses
from ..responses import FoldTwin, trained_labels
from ..splits import Split, Splits
from .columns import Columns, Floats, unscaled
from .row_groups import RowGroups

#: The slope at which our searches end, relative to that of the estimator.
SHARPER = 0.1
#: Worse conditioned problems may not end within the estimator's steps: it is asked itself.
WORST = 1e5
#: Decision values of repeated steps are known up to this. Rounding grows from step to step: after
#: more steps than this, without and with a scaler, they are repeated in another order, and known
#: up to so many times what that changes.
NEAR, LONG, FARTHER = 1e-5, (60, 90), 100.0
#: Bytes that the curvature of a fold may take.
MOST = 1 << 26

#: Columns, classes and weights of training rows.
Training = tuple[Floats, Ints, Floats]


def logistic_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[LogisticFold] | None:
    """LogisticRegression by solvers that reach the minimum.

    Notes
    -----
    For ``lbfgs`` the steps of the estimator are repeated, from zero to where it stops: the
    coefficients agree up to rounding. Folds with rows that are so near to a boundary, and those
    that take many steps, are left to the estimator. Rows that are equal in all columns of a
    subset are counted once. For the other solvers the scores are those of the minimum; they stop
    where the slope is below ``tol``, so that their ranks and probabilities differ a little.
    Predicted classes are left to them.
    """
    model, scaled = unscaled(estimator)
    columns = Columns.of(table)
    if columns is None or not _plain(model) or fewest_trained(table, splits) < 2:
        return None
    repeated = model.solver == "lbfgs"
    if asks == "labels" and not repeated:
        return None
    outputs = 1 if table.n_classes == 2 else table.n_classes
    if not repeated and 8 * (outputs * (table.n_features + 1)) ** 2 > MOST:
        return None
    groups = RowGroups.of(columns.values, table.target) if repeated else None
    return [_fold(model, columns, table, split, weight, scaled, groups) for split in splits]


def _plain(model: Any) -> bool:
    penalty = getattr(model, "penalty", "l2")
    plain = penalty in ("l2", "deprecated") and getattr(model, "l1_ratio", 0) in (0, None)
    plain = plain and model.solver in ("lbfgs", "newton-cg", "newton-cholesky")
    plain = plain and model.fit_intercept and model.class_weight is None and not model.warm_start
    plain = plain and getattr(model, "multi_class", "deprecated") in ("deprecated", "auto")
    real = isinstance(model.C, Real) and 1e-6 < float(model.C) < 1e6
    return plain and real and float(model.tol) <= 1e-3 and model.max_iter >= 50


@dataclass(eq=False)
class LogisticFold(FoldTwin):
    """The training and test rows of a fold, and the solution over all columns."""

    rows: NDArray[np.intp]
    labels: Ints
    x: Floats
    train: Floats
    code: Ints
    weight: Floats
    penalty: Floats
    unit: Floats
    centre: Floats
    best: Floats
    curvature: Floats
    tol: float
    shift: Floats
    strength: float
    steps: int
    mean: Floats
    trained: NDArray[np.intp]
    groups: RowGroups | None

    def __post_init__(self) -> None:
        self.outputs = 1 if len(self.labels) == 2 else len(self.labels)
        self.reach = np.abs(self.x).max(axis=1, initial=0.0)
        mean = (self.train @ self.weight) / self.weight.sum() + self.shift
        spread = (self.train**2 @ self.weight) / self.weight.sum()
        self.whole = float(self.weight.sum())
        # Columns as the estimator sees them.
        self.ready = (self.train + self.shift[:, None]) * self.unit[:, None]
        self.ready_x = (self.x + self.shift[:, None]) * self.unit[:, None]
        self.size = self.unit**2 * (mean**2 + spread) * self.weight.sum() / 4.0

    def solve(
        self, candidates: NDArray[np.bool_], tolerance: float
    ) -> tuple[Floats, Floats, Floats]:
        """Coefficients, intercepts, and 0 for candidates that are left to the estimator."""
        m, d = candidates.shape
        weights, offsets = np.empty((m, self.outputs, d)), np.empty((m, self.outputs))
        largest = np.where(candidates, self.size, 0.0).max(axis=1)
        least, floors = np.maximum(largest, self.weight.sum() / 4.0) / WORST, np.empty(m)
        logistic_rules(
            self.train, self.code, self.weight, self.penalty, self.best, self.curvature, self.unit,
            tolerance, least, candidates, weights, offsets, floors,
        )  # fmt: skip
        return weights, offsets, floors

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Decision values."""
        n = len(self.rows)
        values, slack = np.empty((len(candidates), self.outputs, n)), np.zeros((len(candidates), n))
        unsure = np.zeros(len(candidates), dtype=bool)
        if self.steps:
            for i, candidate in enumerate(candidates):
                unsure[i], slack[i] = self._repeat(candidate, values[i])
        else:
            weights, offsets, floors = self.solve(candidates, SHARPER * self.tol)
            zeros, exact = np.zeros((self.outputs, candidates.shape[1])), np.zeros(len(candidates))
            apply_rules(weights, zeros, zeros[:, 0], self.x, self.reach, exact, values, slack)
            values += offsets[:, :, None]
            unsure = ~(floors > 0.0)

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys((self.x + 0.0).view(np.int64), candidates[some]))

        return Responses(values, slack, False, ODDS, keys), unsure

    def _repeat(self, candidate: NDArray[np.bool_], values: Floats) -> tuple[bool, float]:
        """Write the decision values to which the steps of the estimator lead.

        Also whether that failed, and how far rounding may move them. After many steps it is
        found out by repeating them once more with the columns in another order.
        """
        training = self._training(candidate)
        taken = self._follow(candidate, np.flatnonzero(candidate), training, values)
        if taken <= LONG[0 if self.shift.any() else 1]:
            return taken < 0, NEAR
        again = np.empty_like(values)
        members = np.flatnonzero(candidate)[::-1].copy()
        if self._follow(candidate, members, training, again) != taken:
            return True, NEAR
        return False, max(NEAR, FARTHER * float(np.abs(values - again).max()))

    def _follow(
        self, candidate: NDArray[np.bool_], members: Ints, training: Training, values: Floats
    ) -> int:
        """Repeat the steps; how many there were, -1 where they led nowhere."""
        train, code, weight = training
        if len(train) < len(candidate):
            # Rows that were joined have the columns of the candidate alone.
            within = np.searchsorted(np.flatnonzero(candidate), members)
        else:
            within = members
        penalty = np.full(len(train), 1.0 / (self.strength * self.whole))
        point = np.empty((self.outputs, len(members) + 1))
        taken = repeat_steps(train, code, weight, penalty, within, self.steps, self.tol, point)
        values[:] = point[:, :-1] @ self.ready_x[members] + point[:, -1:]
        return int(taken)

    def _training(self, candidate: NDArray[np.bool_]) -> Training:
        """Training rows; equal ones of a candidate once, where they are many, in its columns."""
        known = None if self.groups is None else self.groups.find(candidate)
        if self.groups is None or known is None:
            return self.ready, self.code, self.weight / self.whole
        group, first = known
        weight: Floats = np.bincount(group[self.trained], self.weight, len(first)).astype(float)
        kept = np.flatnonzero(weight)
        place = np.empty(len(first), dtype=np.int64)
        place[group[self.trained]] = self.code
        values = self.groups.values[np.ix_(candidate, first[kept])] - self.mean[candidate, None]
        values = (values + self.shift[candidate, None]) * self.unit[candidate, None]
        return values, place[kept], weight[kept] / self.whole


def _fold(
    model: Any,
    columns: Columns,
    table: Table,
    split: Split,
    weight: Floats | None,
    scaled: bool,
    groups: RowGroups | None,
) -> LogisticFold:
    train, test = split
    own = np.ones(len(train)) if weight is None else weight[train]
    mean = own @ columns.values[train] / own.sum()
    rows = np.ascontiguousarray((columns.values[train] - mean).T)
    spread = np.sqrt((rows**2).mean(axis=1))
    unit = columns.size
    if scaled:
        unit = np.where(spread > 1e-12, 1.0 / np.maximum(spread, 1e-300), columns.size)
    code = trained_target(table, split)
    labels = trained_labels(table, split)
    penalty = 1.0 / (float(model.C) * unit**2)
    outputs = 1 if len(labels) == 2 else len(labels)
    best, curvature = np.zeros((outputs, 0)), np.zeros((0, 0))
    if groups is None:
        best, curvature = minimum(rows, code, own, penalty, outputs)
    return LogisticFold(
        test, labels, np.ascontiguousarray((columns.values[test] - mean).T), rows, code, own,
        penalty, unit, columns.centre + mean, best, curvature, float(model.tol),
        np.zeros(len(unit)) if scaled else columns.centre + mean, float(model.C),
        0 if groups is None else int(model.max_iter), mean, train, groups,
    )  # fmt: skip


def minimum(
    x: Floats, code: Ints, weight: Floats, penalty: Floats, outputs: int, most: int = 50
) -> tuple[Floats, Floats]:
    """The minimum over all columns by Newton's method, and the second derivatives there."""
    d, n = x.shape
    everyone = np.arange(d)
    point, slope = np.zeros((outputs, d + 1)), np.empty((outputs, d + 1))
    margin = np.empty((outputs, n))
    value = losses(x, code, weight, penalty, everyone, d, point, margin, slope)
    for _ in range(most):
        curvature = second_derivatives(x, weight, penalty, point)
        if np.abs(slope).max() <= 1e-9 * weight.sum():
            break
        move = np.linalg.solve(curvature, slope.ravel()).reshape(slope.shape)
        length, fall = 1.0, float((move * slope).sum())
        while length > 1e-6:
            trial, steep = point - length * move, np.empty_like(slope)
            found = losses(x, code, weight, penalty, everyone, d, trial, margin, steep)
            if found <= value - 1e-4 * length * fall + 1e-12 * abs(value):
                break
            length *= 0.5
        point, slope, value = trial, steep, found
    return point, curvature


def second_derivatives(x: Floats, weight: Floats, penalty: Floats, point: Floats) -> Floats:
    """Of the penalised loss, one row per coefficient; what all classes share is held."""
    outputs, (d, n) = len(point), x.shape
    rows = np.vstack([x, np.ones(n)])
    margin = point @ rows
    if outputs == 1:
        share = 1.0 / (1.0 + np.exp(-margin))
    else:
        share = np.exp(margin - margin.max(axis=0))
        share /= share.sum(axis=0)
    whole = np.empty((outputs, d + 1, outputs, d + 1))
    for s in range(outputs):
        for t in range(outputs):
            bend = weight * share[s] * ((1.0 if s == t else 0.0) - share[t])
            whole[s, :, t, :] = (rows * bend) @ rows.T
            if s == t:
                whole[s, np.arange(d), t, np.arange(d)] += penalty
    if outputs > 1:
        # What all classes have in common changes no probability; nothing moves that way.
        own = (rows**2 @ weight) / (4.0 * outputs)
        for j in range(d + 1):
            whole[:, j, :, j] += own[j]
    whole[np.arange(outputs), d, np.arange(outputs), d] += 1e-9 * weight.sum()
    return np.ascontiguousarray(whole.reshape(outputs * (d + 1), outputs * (d + 1)))
