"""A linear rule trained on one fold, for every candidate at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....kernels.linear.dependent import dependent_rules
from ....kernels.linear.refine import refine_rules
from ....kernels.linear.rules import (
    RELATIVE,
    apply_rules,
    cut_directions,
    rotated_errors,
    solve_rules,
    squared_errors,
)
from ....kernels.scoring.probabilities import ODDS
from ....kernels.scoring.ranks import row_keys
from ..metrics.metric import Ints, Judged, Metric, Responses, Truth, from_squares
from ..responses import FoldTwin
from .columns import Bools, Floats

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Squares:
    """Products of the test rows about the training means, for sums of squared errors."""

    products: Floats
    with_target: Floats
    of_target: float


@dataclass(eq=False)
class PlainRows:
    """The training rows of a fold, made and rotated when first needed, and not kept.

    Parameters
    ----------
    make : function
        Gives the values, shape (rows, columns), about the means, weighted by the roots of their
        weights, in the units of the model; and for least squares the targets, shape
        (rows, rules), treated alike, else None.
    with_targets : bool
        Whether there are targets.
    enough : float
        The relative error up to which a solution is accepted.
    """

    make: Callable[[], tuple[Floats, Floats | None]]
    with_targets: bool
    enough: float
    _found: tuple[Floats, Floats | None] | None = None
    _lock: Any = field(default_factory=threading.Lock)

    def rotated(self) -> tuple[Floats, Floats | None]:
        """R of a QR factorisation, one row per column, and the rotated targets, one per rule."""
        with self._lock:
            if self._found is None:
                values, targets = self.make()
                d = values.shape[1]
                both = values if targets is None else np.column_stack([values, targets])
                turned = _turned(both)
                self._found = turned[:d], None if targets is None else turned[d:]
            return self._found

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()


@dataclass(eq=False)
class LinearFold(FoldTwin):
    """Linear rules from cross products; see :mod:`fewest.kernels.linear.rules`.

    Parameters
    ----------
    rows, labels : the test rows, and the classes of the training rows
    x : float64 array of shape (columns, rows)
        The test rows about the centre of the training rows.
    gram, ridge, right, unit, rank_rule, cut, dead
        As for ``solve_rules``.
    suspect : bool array of shape (columns,)
        Columns with which only the estimator itself knows what it does.
    middle, offset : as for ``apply_rules``
    shares : float64 array of shape (classes,) or None
        Weights of the classes where nearly equal class means are cut off.
    rough : float
        The estimator's own rounding, as a multiple of the ratio of the largest to the smallest
        column; 0 where it does not depend on that.
    squares : Squares or None
        For regression.
    plain : PlainRows or None
        The training rows, for candidates whose columns are nearly dependent.
    """

    rows: NDArray[np.intp]
    labels: Ints
    x: Floats
    gram: Floats
    ridge: Floats
    right: Floats
    unit: Floats
    rank_rule: int
    cut: float
    dead: Bools
    suspect: Bools
    middle: Floats
    offset: Floats
    shares: Floats | None = None
    rough: float = 0.0
    squares: Squares | None = None
    plain: PlainRows | None = None
    reach: Floats = field(init=False)
    _turned: Floats | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.outputs = len(self.right)
        self.with_ones = np.vstack([self.x, np.ones(len(self.rows))])
        self.x = self.with_ones[:-1]
        self.reach = np.maximum(self.x.max(axis=1, initial=0.0), -self.x.min(axis=1, initial=0.0))

    def solve(self, candidates: NDArray[np.bool_]) -> tuple[Floats, Floats, Bools]:
        """Coefficients, their relative errors, and the candidates whose rank is in doubt."""
        m, d = candidates.shape
        weights, error = np.empty((m, self.outputs, d)), np.empty(m)
        unsure = np.zeros(m, dtype=bool)
        solve_rules(
            self.gram, self.ridge, self.right, self.unit, self.rank_rule, self.cut,
            self.dead, candidates, weights, error, unsure,
        )  # fmt: skip
        if self.plain is not None and unsure.any():
            self._refine(candidates, weights, error, unsure)
        if self.shares is not None:
            cut_directions(weights, self.right, self.shares, self.cut, unsure)
        unsure |= (candidates & self.suspect).any(axis=1)
        unsure |= ~(candidates & ~self.dead).any(axis=1)
        if self.rough > 0.0:
            own = np.diagonal(self.gram) * self.unit**2
            alive = candidates & ~self.dead
            most = np.where(alive, own, 0.0).max(axis=1)
            least = np.where(alive, own, np.inf).min(axis=1)
            error += self.rough * EPS * most / np.maximum(least, 1e-300)
        return weights, error, unsure

    def _refine(
        self, candidates: NDArray[np.bool_], weights: Floats, error: Floats, unsure: Bools
    ) -> None:
        """Solve anew where columns are nearly dependent, where that fails by singular values."""
        assert self.plain is not None
        columns, targets = self.plain.rotated()
        squares, relative = targets is not None, self.rank_rule == RELATIVE
        rotated = np.empty((0, columns.shape[1])) if targets is None else targets
        solve = partial(dependent_rules, self.gram, self.right, rotated, self.unit, columns)
        self._again(
            partial(solve, relative, self.cut, self.dead), candidates, weights, error, unsure
        )
        some, right = unsure.copy(), self.right * self.unit if targets is None else targets
        solve = partial(refine_rules, columns, right, squares)
        self._again(
            partial(solve, relative, self.cut, self.dead), candidates, weights, error, unsure
        )
        weights[some] *= self.unit

    def _again(
        self,
        solve: Callable[[Bools, Floats, Floats], None],
        candidates: Bools,
        weights: Floats,
        error: Floats,
        unsure: Bools,
    ) -> None:
        """Solve those that are unsure in another way, and note which it is sure of."""
        assert self.plain is not None
        some = np.flatnonzero(unsure)
        if len(some):
            own, rough = np.empty((len(some), *weights.shape[1:])), np.empty(len(some))
            solve(candidates[some], own, rough)
            weights[some], error[some], unsure[some] = own, rough, ~(rough < self.plain.enough)

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Predictions or decision values."""
        weights, error, unsure = self.solve(candidates)
        return self._said(candidates, weights, error), unsure

    def _said(self, candidates: Bools, weights: Floats, error: Floats) -> Responses:
        n = len(self.rows)
        values = np.empty((len(candidates), self.outputs, n))
        slack = np.empty((len(candidates), n))
        apply_rules(weights, self.middle, self.offset, self.x, self.reach, error, values, slack)

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys((self.x + 0.0).view(np.int64), candidates[some]))

        return Responses(values, slack, False, ODDS, keys)

    def _judge_labels(self, candidates: NDArray[np.bool_], metric: Metric, truth: Truth) -> Judged:
        """By one product of matrices: its last bits depend on the batch, but no class does."""
        weights, error, unsure = self.solve(candidates)
        m, n = len(candidates), len(self.rows)
        start = self.offset - 0.5 * np.einsum("ikj,kj->ik", weights, self.middle)
        both = np.concatenate([weights, start[:, :, None]], axis=2).reshape(m * self.outputs, -1)
        values = (both @ self.with_ones).reshape(m, self.outputs, n)
        size = np.abs(self.offset) + np.einsum(
            "ikj,kj->ik", np.abs(weights), self.reach + np.abs(self.middle)
        )
        known = np.isfinite(error)
        slack = np.repeat(
            np.where(known, 2.0 * np.where(known, error, 0.0) * size.max(axis=1), np.inf), n
        )
        nothing = np.zeros((1, 1), dtype=np.uint64)
        said = Responses(values, slack.reshape(m, n), False, ODDS, lambda some: nothing)
        found, doubts = metric.judge(said, truth)
        return found, doubts | unsure

    def judge(self, candidates: NDArray[np.bool_], metric: Metric, truth: Truth) -> Judged:
        """Squared errors need no rows: products of columns are enough."""
        if metric.asks == "labels":
            return self._judge_labels(candidates, metric, truth)
        # The sums of squares are of single rows: weights of the scoring are not in them.
        if self.squares is None or not metric.squares or (truth.weight != 1.0).any():
            return super().judge(candidates, metric, truth)
        weights, _, unsure = self.solve(candidates)
        sums, error = np.empty((2, len(candidates)))
        known = self.squares
        squared_errors(weights, known.products, known.with_target, known.of_target, sums, error)
        # Where large terms cancel, the rows say it better.
        poor = error > 1e-11 * np.maximum(sums, 1e-3 * known.of_target)
        if poor.any():
            better = np.empty(int(poor.sum()))
            turned = self._rotated_tests(truth)
            rotated_errors(weights[poor], turned[:-1], turned[-1], better)
            sums[poor] = better
        total = truth.weight.sum()
        values = metric.sign * from_squares(metric.squares, sums / total, truth)
        return values, unsure

    def _rotated_tests(self, truth: Truth) -> Floats:
        """R of a QR factorisation of the test rows and their target, one row per column."""
        if self._turned is None:
            target = truth.target.astype(np.float64) - self.offset[0]
            self._turned = _turned(np.vstack([self.x, target]).T)
        return self._turned


def _turned(rows: Floats) -> Floats:
    """R' of a QR factorisation: one row per column."""
    triangle: Floats = np.asarray(np.linalg.qr(rows, mode="r"))
    return np.ascontiguousarray(triangle.T)
