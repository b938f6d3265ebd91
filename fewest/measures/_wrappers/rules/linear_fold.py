"""Linear rules of the candidates of one fold, from cross products of its training rows."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._kernels.linear.linear_rules import (
    EPS,
    REGULARISED,
    RELATIVE,
    cut_directions,
    refine_rules,
    solve_rules,
)
from ...._kernels.scoring.probabilities import ODDS
from ...._kernels.scoring.ranks import row_keys
from ..metrics.metric import Floats, Ints, Judged, Metric, Responses, Truth, from_squares
from ..moments import Sums
from .rule import Bools

Places = NDArray[np.intp]

#: Steps whose columns leave a smaller share of each other are solved as candidates.
INDEPENDENT = 1e-3
#: Rounding may move a sum of errors by this much, and decision values behind probabilities, as
#: multiples of the square root of the precision.
ENOUGH, ENOUGH_ODDS = 8.0, 64.0


@dataclass(frozen=True, eq=False)
class Squares:
    """Products of the test rows about the training means, for sums of squared errors."""

    products: Floats
    with_target: Floats
    of_target: float


@dataclass(eq=False)
class LinearFold:
    """Linear rules from cross products; see :mod:`fewest._kernels.linear.linear_rules`."""

    x: Floats  #: (columns, rows): the test rows about the centre of the training rows.
    square: Floats  #: (columns,): sums of squares of the training rows.
    #: (columns, columns): their cross products; None where they are made for some columns only.
    gram: Floats | None
    #: From here to ``dead`` as for ``solve_rules``.
    ridge: Floats
    right: Floats
    unit: Floats
    rank_rule: int
    cut: float
    dead: Bools
    suspect: Bools  #: (columns,): with these only the estimator itself knows what it does.
    middle: Floats  #: (rules, columns): where each rule has its offset; the values are
    offset: Floats  #: (rules,): weights · (x - middle / 2) + offset.
    drift: Floats  #: (columns,): how far rounding of the numbers may move a value.
    precision: float  #: Relative rounding error of the type in which the estimator calculates.
    sums: Sums  #: What the rules were made from.
    #: The estimator's own rounding, as a multiple of the ratio of the largest to the smallest
    #: sum of squares; 0 where it does not depend on that.
    rough: float = 0.0
    #: Whether it turns the columns themselves, so that the root of that ratio counts.
    orthogonal: bool = False
    loose: float = 0.0  #: Relative error up to which the estimator solves, where it takes steps.
    #: (classes,): weights of the classes where nearly equal class means are cut off.
    shares: Floats | None = None
    #: The largest number of columns whose rank is certain: with as many as there are degrees of
    #: freedom, rounding decides which directions the estimator cuts off.
    most: float = np.inf
    squares: Squares | None = None  #: For regression.
    #: Returns training rows about their means and, for least squares, targets, both weighted by
    #: the roots of their weights; for candidates whose columns are nearly dependent.
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
        means = np.abs(self.sums.mean[:, : len(self.square)]).max(axis=0, initial=0.0)
        spread = np.sqrt(np.maximum(self.sums.square / self.rows, 1e-300))
        # Far from the centre of all rows, training rows lose what they differ in.
        self.blur = np.where(self.dead, 0.0, 16.0 * EPS * means / spread)
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
        blur = np.where(candidates, self.blur, 0.0).max(axis=1, initial=0.0)
        mild = np.sqrt((error + blur) * least)
        if self.plain is not None and unsure.any():
            some = np.flatnonzero(unsure & ~lost)
            self._refine(some, candidates, (weights, error, unsure))
            mild[some] = least[some]
        error += blur
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
        if self.orthogonal:
            # Least squares has a cut, below which no column counts.
            ratio = np.sqrt(np.minimum(ratio, 1.0 / self.cut) if self.cut > 0.0 else ratio)
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

    def _slack(self, weights: Floats, error: Floats) -> Floats:
        """Return how far relative errors of coefficients may move the values of each row."""
        size, level = np.abs(weights), np.abs(self.offset)
        fixed = level + (size * np.abs(self.middle)).sum(axis=2)
        far = size @ np.abs(self.x) + fixed[:, :, None]
        return np.asarray(2.0 * error[:, None] * far.max(axis=1))

    def judge(self, candidates: Bools, metric: Metric, truth: Truth) -> Judged:
        """Return the metric of each candidate, and whether it is in doubt."""
        weights, error, mild, unsure = self.solve(candidates)
        far, moved = self._sizes(weights)
        if metric.asks == "labels":
            error = error + self.loose
            slack = 2.0 * error * far + moved
            values = self._products(weights)
            found, doubts = metric.judge(_responses(values, slack), truth)
            unsure |= ~np.isfinite(slack)
            again = np.flatnonzero(doubts & ~unsure)
            if len(again):
                # Most rows are not as far away as the farthest, whose errors are the largest.
                said = _responses(values[again], moved[again])
                said = replace(said, slack=said.slack + self._slack(weights[again], error[again]))
                doubts[again] = metric.judge(said, truth)[1]
            return found, doubts | unsure
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
        error += self.loose + np.maximum(self.blur[have].max(initial=0.0), self.blur[new])
        if self.rough > 0.0:
            error += self._roughness(*self._extremes(have, new))
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
