"""Linear rules of one subset and one more column: the subset is solved once for all of them.

With the Gram matrix G of the subset, its inverse and the products c of a new column with it, the
new pivot is p = c_new - c' G^-1 c, the new coefficient is w = (r_new - c' G^-1 r) / p, and the old
ones lose w G^-1 c. So a rule's values are those of the subset plus w times what the subset leaves
of the new column: no matrix is factored for a candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....data.table import Table
from ....kernels.linear.rules import REGULARISED, RELATIVE
from ....kernels.scoring.probabilities import ODDS
from ...base import Scores
from ...steps import Steps
from ..metrics.metric import Ints, Judged, Metric, Responses, Truth
from ..responses import Weights, truth_of
from .columns import Bools, Floats

EPS = float(np.finfo(np.float64).eps)
#: A column of which the others leave a smaller share goes the slow way.
INDEPENDENT = 1e-3
#: Values that are held at once.
BLOCK = 1 << 20
Members = NDArray[np.intp]


@dataclass(eq=False)
class BorderedFold:
    """What a linear rule needs of the rows of one fold, without products of all pairs of columns.

    Parameters
    ----------
    rows, labels : the test rows, and the classes of the training rows
    trained : float64 array of shape (training rows, columns)
        Their products are the Gram matrix.
    x, ridge, right, unit, rank_rule, cut, middle, offset, shares, rough
        As for :class:`~.fold.LinearFold`.
    odd : bool array of shape (columns,)
        Columns of which only the slow way can tell.
    """

    rows: NDArray[np.intp]
    labels: Ints
    trained: Floats
    x: Floats
    ridge: Floats
    right: Floats
    unit: Floats
    rank_rule: int
    cut: float
    odd: Bools
    middle: Floats
    offset: Floats
    shares: Floats | None = None
    rough: float = 0.0

    def __post_init__(self) -> None:
        self.square = np.einsum("ij,ij->j", self.trained, self.trained)
        self.reach = np.abs(self.x).max(axis=1, initial=0.0)
        self._last: tuple[bytes, Floats] | None = None

    def judge(self, have: Members, new: Members, metric: Metric, truth: Truth) -> Judged:
        """The metric of ``have`` with each column of ``new``, and whether it is in doubt."""
        products = self._products(have)
        gram = products[:, have] + np.diag(self.ridge[have])
        share = _smallest_share(gram)
        if not share > INDEPENDENT:
            return np.zeros(len(new)), np.ones(len(new), dtype=bool)
        inverse, cross = np.linalg.inv(gram), products[:, new]
        solved, back = inverse @ self.right[:, have].T, inverse @ cross
        whole = self.square[new] + self.ridge[new]
        with np.errstate(all="ignore"):
            left = whole - np.einsum("ij,ij->j", cross, back)
            smallest = np.minimum(share, left / whole)
            rest = self.right[:, new] - solved.T @ cross
            weight = rest / left
            error = self._error(have, new, smallest)
            values, size = self._values(have, new, solved, back, weight)
        unsure = ~(smallest > INDEPENDENT) | self.odd[new] | self._near_the_cut(have, new)
        if self.shares is not None:
            inner = solved.T @ self.right[:, have].T
            unsure |= _cut_off(inner, rest, left, self.shares, self.cut)
        slack = np.repeat((2.0 * error * size)[:, None], len(self.rows), axis=1)
        nothing = np.zeros((1, 1), dtype=np.uint64)
        said = Responses(values, slack, False, ODDS, lambda some: nothing)
        found, doubts = metric.judge(said, truth)
        return found, doubts | unsure

    def _products(self, have: Members) -> Floats:
        """Products of the subset's columns with all others; a large batch asks several times."""
        last, key = self._last, have.tobytes()
        if last is None or last[0] != key:
            last = key, self.trained[:, have].T @ self.trained
            self._last = last
        return last[1]

    def _values(
        self, have: Members, new: Members, solved: Floats, back: Floats, weight: Floats
    ) -> tuple[Floats, Floats]:
        """Values of all rules for the test rows, and the largest magnitudes they are made of."""
        start = self.offset - 0.5 * np.einsum("jk,kj->k", solved, self.middle[:, have])
        known = solved.T @ self.x[have] + start[:, None]
        alone = self.x[new] - back.T @ self.x[have]
        middle = 0.5 * (self.middle[:, new] - self.middle[:, have] @ back)
        values = weight.T[:, :, None] * (alone[:, None, :] - middle.T[:, :, None]) + known
        far = self.reach[have] + np.abs(self.middle[:, have])
        size = np.abs(self.offset) + np.einsum("jk,kj->k", np.abs(solved), far)
        more = self.reach[new] + np.abs(self.middle[:, new]) + far @ np.abs(back)
        return values, (size[:, None] + np.abs(weight) * more).max(axis=0)

    def _error(self, have: Members, new: Members, smallest: Floats) -> Floats:
        """Relative errors, of the coefficients and of the border."""
        error = 64.0 * EPS * (len(have) + 2) / smallest
        if self.rough > 0.0:
            own = self.square * self.unit**2
            most = np.maximum(own[new], own[have].max(initial=0.0))
            least = np.minimum(own[new], own[have].min(initial=np.inf))
            error += self.rough * EPS * most / np.maximum(least, 1e-300)
        return np.asarray(error)

    def _near_the_cut(self, have: Members, new: Members) -> Bools:
        """Where the estimator may cut off a direction, by the same bound as the batch twins."""
        if self.rank_rule == REGULARISED:
            return np.zeros(len(new), dtype=bool)
        own = self.square * self.unit**2
        limit = self.cut * (own[have].sum() + own[new] if self.rank_rule == RELATIVE else 1.0)
        least = np.minimum(own[new], own[have].min(initial=np.inf))
        return np.asarray(least < 1e6 * limit)


def _smallest_share(gram: Floats) -> float:
    """The smallest share of a column that the columns before it leave; 0 if one depends on them."""
    try:
        lower = np.linalg.cholesky(gram)
    except np.linalg.LinAlgError:
        return 0.0
    return float((np.diagonal(lower) ** 2 / np.diagonal(gram)).min(initial=1.0))


def _cut_off(inner: Floats, rest: Floats, left: Floats, shares: Floats, cut: float) -> Bools:
    """Where some direction between the class means is so small that it may be cut off."""
    with np.errstate(all="ignore"):
        between = inner + rest.T[:, :, None] * rest.T[:, None, :] / left[:, None, None]
    between = between * np.sqrt(np.outer(shares, shares))
    between[~np.isfinite(between).all(axis=(1, 2))] = 0.0
    values = np.linalg.eigvalsh(between)
    top = values[:, -1:]
    near = ((values > 1e-12 * top) & (values <= 1.02 * cut * top)).any(axis=1)
    return np.asarray(near | ~(top[:, 0] > 0.0))


@dataclass(eq=False)
class Borders:
    """Scores steps that add a column; ``bind`` makes the folds when they are first needed."""

    bind: Callable[[], list[BorderedFold] | None]
    table: Table
    metric: Metric

    @cached_property
    def folds(self) -> list[BorderedFold] | None:
        """The folds, None where the table cannot be taken."""
        return self.bind()

    @cached_property
    def truths(self) -> list[Truth]:
        """The test rows of each fold."""
        return [truth_of(self.table, fold, Weights()) for fold in self.folds or ()]

    def take(self, steps: Steps) -> bool:
        """Whether the steps only add, and all folds show what the metric needs."""
        if self.metric.asks not in ("labels", "numbers") or not (steps.gains > 0).all():
            return False
        return self.folds is not None and not any(map(self.metric.lacks, self.truths))

    def score(self, steps: Steps, slow: Callable[[NDArray[np.bool_]], Scores]) -> Scores:
        """The fold scores; steps in doubt are asked of ``slow``."""
        assert self.folds is not None
        return _scored(self.folds, self.truths, self.metric, steps, slow)


def _scored(
    folds: Sequence[BorderedFold],
    truths: Sequence[Truth],
    metric: Metric,
    steps: Steps,
    slow: Callable[[NDArray[np.bool_]], Scores],
) -> Scores:
    have, new = np.flatnonzero(steps.base), np.asarray(steps.units, dtype=np.intp)
    scores, doubts = np.empty((len(new), len(folds))), np.zeros(len(new), dtype=bool)
    for k, (fold, truth) in enumerate(zip(folds, truths, strict=True)):
        size = max(1, BLOCK // max(1, len(fold.right) * len(fold.rows)))
        for low in range(0, len(new), size):
            part = slice(low, low + size)
            scores[part, k], doubtful = fold.judge(have, new[part], metric, truth)
            doubts[part] |= doubtful
    for part in steps[np.flatnonzero(doubts)].parts() if doubts.any() else ():
        told = slow(np.asarray(part)).folds
        assert told is not None
        scores[np.flatnonzero(doubts)[: len(told)]] = told
        doubts[np.flatnonzero(doubts)[: len(told)]] = False
    return Scores(scores.mean(axis=1), scores)
