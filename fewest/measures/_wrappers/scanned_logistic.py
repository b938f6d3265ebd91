"""Logistic regression on a stored table: each step of Newton's method is a scan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from ..._errors import InputError
from ..._kernels.linear.newton import curvature, slopes
from ...data._class_sums import Moments
from ...data._engine.fold_sums import FoldedRows, RowScan, StoredRows, fold_moments
from .rules.logistic import LogisticRule
from .scanned import HitScorer, Judge, LinearJudge, Masks, without

Floats = NDArray[np.float64]

#: The folds share a point until a step is this short; then each has its own, until its steps are.
NEAR, CLOSE = 1e-4, 1e-5
#: Scans of a batch of candidates at most; without a penalty there may be no optimum.
SCANS = 40
#: Rows that stay in the cache while all candidates are counted.
CACHED_ROWS = 1 << 11
#: Numbers in the state of a scan, about.
HELD = 1 << 22


def newton_scans(model: Any) -> bool:
    """Return whether a model is logistic regression that scans solve; others need rows."""
    return (
        type(model) is LogisticRegression
        and model.solver != "liblinear"
        and model.fit_intercept
        and model.class_weight is None
        and LogisticRule.refusal(model, None) is None  # type: ignore[arg-type]
    )


@dataclass(eq=False)
class Slopes:
    """Loss, gradient and second derivatives, of shapes (m, folds), (..., size), (..., size, size).

    In ``size`` classes come first, then the columns, the intercept being the last.
    """

    loss: Floats
    first: Floats
    second: Floats

    def __iadd__(self, other: Slopes) -> Slopes:
        self.loss += other.loss
        self.first += other.first
        self.second += other.second
        return self


@dataclass(frozen=True, eq=False)
class NewtonScan(RowScan[Slopes]):
    """Scan for the derivatives of the loss of each candidate at ``points``.

    Points have the shape (m, folds, classes - 1, columns). With one point for all folds, the sums
    are over the rows of each fold; else over the training rows of each fold, at its point.
    """

    candidates: Masks
    points: Floats
    centre: Floats
    scale: Floats

    def start(self) -> Slopes:
        shape, size = (len(self.points), self.rows.n_folds), self.points[0, 0].size
        return Slopes(np.zeros(shape), np.zeros((*shape, size)), np.zeros((*shape, size, size)))

    def add(self, state: Slopes, part: StoredRows) -> Slopes:
        x = np.ones((len(self.centre) + 1, len(part.values)))
        x[:-1] = ((part.values - self.centre) / self.scale).T
        code, shared = part.target.astype(np.int64), self.points.shape[1] == 1
        for fold in range(self.rows.n_folds):
            inside = np.flatnonzero(part.fold == fold if shared else part.fold != fold)
            for low in range(0, len(inside), CACHED_ROWS):
                rows = inside[low : low + CACHED_ROWS]
                own = x[:, rows], code[rows], part.weight[rows]
                for i, chosen in enumerate(self.candidates):
                    self._add(state, i, fold, np.flatnonzero(np.append(chosen, True)), *own)
        return state

    def _add(
        self, state: Slopes, i: int, fold: int, columns: Any, x: Floats, code: Any, weight: Floats
    ) -> None:
        point = np.ascontiguousarray(
            self.points[i, min(fold, self.points.shape[1] - 1)][:, columns]
        )
        rows, free, outputs = x[columns], np.zeros(len(columns)), len(point)
        share, slope = np.empty((outputs, len(code))), np.empty_like(point)
        slopes(rows, code, weight, free, 0.0, point, share, slope)
        bent = np.empty((point.size, point.size))
        curvature(rows, weight, free, 0.0, share, bent)
        every = np.vstack([1.0 - share.sum(axis=0), share])[code, np.arange(len(code))]
        state.loss[i, fold] -= weight @ np.log(np.maximum(every, 1e-300))
        at = (np.arange(outputs)[:, None] * len(x) + columns).ravel()
        state.first[i, fold, at] += slope.ravel()
        state.second[i, fold][np.ix_(at, at)] += bent


@dataclass(frozen=True, eq=False)
class Newton:
    """Logistic regression at its optimum, from scans.

    ``prior`` holds the weights of the classes; ``penalty`` has the shape (folds, columns), for
    columns divided by ``scale``.
    """

    rows: FoldedRows
    prior: Floats
    centre: Floats
    scale: Floats
    penalty: Floats

    def judge(self, candidates: Masks) -> Judge:
        """Return the rules of every candidate and fold; the first class has the rule 0."""
        points = self.optimum(candidates)
        rule = np.zeros((*points.shape[:2], len(self.prior), len(self.centre)))
        rule[:, :, 1:] = points[..., :-1] / self.scale
        offset = np.zeros(rule.shape[:3])
        offset[:, :, 1:] = points[..., -1]
        offset -= rule @ self.centre
        return LinearJudge([(rule[:, f], offset[:, f]) for f in range(self.rows.n_folds)])

    def optimum(self, masks: Masks) -> Floats:
        """Return the coefficients of each candidate and fold, for standardised columns.

        All folds are solved together until that point is near; steps that raise the loss are
        halved.
        """
        outputs, columns = len(self.prior) - 1, len(self.centre) + 1
        point = np.zeros((len(masks), 1, outputs, columns))
        point[..., -1] = np.log(self.prior[1:] / self.prior[0])
        inside = np.hstack([masks, np.ones((len(masks), 1), dtype=bool)])
        step, best = np.zeros_like(point), np.full(point.shape[:2], np.inf)
        for _ in range(SCANS):
            scan = NewtonScan(self.rows, masks, point + step, self.centre, self.scale)
            found = self.rows.table.source.reduce(scan)
            shared = point.shape[1] == 1
            loss, move = self._newton(found, point + step, inside, whole=shared)
            worse = ~(loss <= best + 1e-9 * np.abs(best))
            point = np.where(worse[..., None, None], point, point + step)
            best = np.where(worse, best, loss)
            step = np.where(worse[..., None, None], step / 2.0, move)
            longest = float(np.abs(step).max(initial=0.0))
            if shared and longest <= NEAR and not worse.any():
                loss, step = self._newton(found, point, inside, whole=False)
                point = np.repeat(point, self.rows.n_folds, axis=1)
                best = np.full(loss.shape, np.inf)
            elif not shared and longest <= CLOSE:
                break
        return np.broadcast_to(point + step, (len(masks), self.rows.n_folds, outputs, columns))

    def _newton(
        self, found: Slopes, point: Floats, inside: Masks, whole: bool
    ) -> tuple[Floats, Floats]:
        """Return loss and step of the penalised model of all rows, or of each fold's training."""
        k, shared = point.shape[2], 1.0 / len(self.prior) if point.shape[2] > 1 else 0.0
        parts = found.loss, found.first, found.second
        penalty = self.penalty.mean(axis=0, keepdims=True) if whole else self.penalty
        if whole:
            loss, first, second = (part.sum(axis=1, keepdims=True) for part in parts)
        elif point.shape[1] == 1:
            loss, first, second = (part.sum(axis=1, keepdims=True) - part for part in parts)
        else:
            loss, first, second = parts
        held = penalty[:, None, :] * (point - shared * point.sum(axis=2, keepdims=True))
        loss = loss + 0.5 * (held * point).sum(axis=(2, 3))
        first = first + held.reshape(*held.shape[:2], -1)
        bend = (np.eye(k) - shared)[None, :, None, :, None] * (
            penalty[:, None, :, None, None] * np.eye(penalty.shape[1])[None, None, :, None, :]
        )
        second = second + bend.reshape(len(penalty), *second.shape[2:])
        move = np.zeros_like(first)
        for i, own in enumerate(np.tile(inside, k)):
            at = np.flatnonzero(own)
            for f in range(first.shape[1]):
                curved = second[i, f][np.ix_(at, at)]
                move[i, f, at] = -np.linalg.lstsq(curved, first[i, f, at], rcond=1e-12)[0]
        return loss, move.reshape(*first.shape[:2], *point.shape[2:])


def scanned_logistic(rows: FoldedRows, estimator: Any, scaled: bool) -> HitScorer:
    """Return the scorer of LogisticRegression; the first scan gives the scale of the columns."""
    moments = fold_moments(rows, by_class=True)
    classes = np.array([part.weight for part in moments])
    prior = classes.sum(axis=0)
    if not (prior - classes > 0.0).all():
        raise InputError("Every class must have rows outside each fold; use other folds.")
    trained = [without(moments, fold).together() for fold in range(len(moments))]
    whole = reduce(add, moments).together()
    spread = _spread(whole)
    scale = np.where(spread > 0.0, spread, 1.0)
    size = np.array([_spread(part) if scaled else np.ones(len(scale)) for part in trained])
    strength = np.inf if getattr(estimator, "penalty", "") is None else float(estimator.C)
    penalty = np.hstack([(size / scale) ** 2 / strength, np.zeros((len(size), 1))])
    newton = Newton(rows, prior, whole.mean[0], scale, penalty)
    scorer = HitScorer(rows, classes.sum(axis=1), newton.judge)
    derivatives = (len(prior) - 1) ** 2 * penalty.shape[1] ** 2
    held = min(HELD, rows.table.source.state_bytes // 8)
    scorer.batch = max(1, min(scorer.batch, held // (rows.n_folds * derivatives)))
    return scorer


def _spread(moments: Moments) -> Floats:
    """Return the standard deviation of each column; of rounding alone it is none."""
    spread = np.sqrt(np.diagonal(moments.scatter[0]) / moments.weight[0])
    tiny = 10.0 * np.finfo(np.float64).eps * np.abs(moments.mean[0])
    return np.asarray(np.where(spread > tiny, spread, 0.0))
