"""Least squares and ridge by one scan: squared errors follow from moments alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from ....data.moments import Moments
from ....errors import InputError
from ...base import Candidates, Scorer, Scores

if TYPE_CHECKING:
    from ....data.engine.rows import FoldedRows

Floats = NDArray[np.float64]


@dataclass(eq=False)
class MomentScorer(Scorer):
    """R² or squared errors of linear regression; no row is read after the first scan.

    ``trained`` and ``tested`` are moments of the features and the target, the last column.
    """

    trained: list[Moments]
    tested: list[Moments]
    alpha: float
    scaled: bool
    scoring: str

    def score(self, candidates: Candidates) -> Scores:
        """The fold scores of every candidate."""
        masks = np.asarray(candidates, dtype=bool)
        folds = np.array(
            [[self._fold(mask, f) for f in range(len(self.trained))] for mask in masks]
        )
        return Scores(folds.mean(axis=1), folds)

    def _fold(self, inside: NDArray[np.bool_], fold: int) -> float:
        train, test = self.trained[fold], self.tested[fold]
        own = np.flatnonzero(inside)
        gram, right = train.scatter[0][np.ix_(own, own)], train.scatter[0][own, -1]
        ridge = np.full(len(own), self.alpha)
        if self.scaled:
            ridge = self.alpha * np.diagonal(gram) / train.weight[0]
        rule = np.linalg.lstsq(gram + np.diag(ridge), right, rcond=1e-12)[0]
        away = test.about(train.mean[0])
        products = away[np.ix_(own, own)]
        squares = float(away[-1, -1] - 2.0 * rule @ away[own, -1] + rule @ products @ rule)
        squared = max(0.0, squares) / float(test.weight[0])
        if self.scoring == "neg_mean_squared_error":
            return -squared
        if self.scoring == "neg_root_mean_squared_error":
            return -float(np.sqrt(squared))
        whole = float(test.scatter[0][-1, -1] / test.weight[0])
        return 1.0 - squared / whole if whole > 0.0 else float(squared == 0.0)


def scanned_regression(
    rows: FoldedRows, estimator: Any, scaled: bool, scoring: str | None
) -> MomentScorer:
    """The scorer of LinearRegression or Ridge."""
    from ....data.engine.fold_sums import fold_moments

    if not estimator.fit_intercept or estimator.positive:
        raise InputError(
            f"{type(estimator).__name__} must have an intercept and no sign constraint for a "
            "table that stays where it is."
        )
    moments = fold_moments(rows, False)
    if len(moments) < rows.n_folds or not all(own.weight.all() for own in moments):
        raise InputError(f"Every one of the {rows.n_folds} folds must have rows; use fewer folds.")
    alpha = 0.0 if type(estimator) is LinearRegression else float(estimator.alpha)
    trained = [without(moments, fold) for fold in range(len(moments))]
    return MomentScorer(trained, moments, alpha, scaled, scoring or "r2")


def without(moments: list[Moments], fold: int) -> Moments:
    """The moments of all folds but one."""
    return reduce(add, (own for f, own in enumerate(moments) if f != fold))
