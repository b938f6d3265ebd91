"""Linear discriminant analysis by scans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....data.moments import Moments
from ....errors import InputError
from .hits import Floats, HitScorer, Masks
from .regression import without

if TYPE_CHECKING:
    from ....data.engine.rows import FoldedRows


class DiscriminantHits(HitScorer):
    """Hits of LDA: the class with the largest linear rule, from moments of the other folds."""

    def __init__(self, rows: FoldedRows, moments: list[Moments]) -> None:
        super().__init__(rows, np.array([own.weight.sum() for own in moments]))
        self.trained = [without(moments, fold) for fold in range(len(moments))]
        self._rules: list[tuple[Floats, Floats]] = []

    def begin(self, candidates: Masks) -> None:
        """The rules of every candidate and fold."""
        self._rules = [_rules(trained, candidates) for trained in self.trained]

    def hits(self, candidates: Masks, fold: int, values: Floats, of: Floats, own: Floats) -> Floats:
        """Apply the rules."""
        weights, offsets = self._rules[fold]
        out = np.empty(len(candidates))
        for i, (rule, offset) in enumerate(zip(weights, offsets, strict=True)):
            inside = candidates[i]
            said = (values[:, inside] @ rule[:, inside].T + offset).argmax(axis=1)
            out[i] = own[said == of].sum()
        return out


def scanned_discriminant(rows: FoldedRows, estimator: Any) -> DiscriminantHits:
    """The scorer of LinearDiscriminantAnalysis without shrinkage."""
    from ....data.engine.fold_sums import fold_moments

    plain = estimator.shrinkage is None and estimator.priors is None
    if estimator.solver not in ("svd", "lsqr") or not plain:
        raise InputError(
            "`solver` of LinearDiscriminantAnalysis must be svd or lsqr, without shrinkage and "
            "priors, for a table that stays where it is."
        )
    return DiscriminantHits(rows, fold_moments(rows, True))


def _rules(train: Moments, candidates: Masks) -> tuple[Floats, Floats]:
    """Weights of shape (candidates, classes, features), and offsets."""
    share = train.weight / train.weight.sum()
    spread = train.within() / train.weight.sum()
    weights = np.zeros((len(candidates), *train.mean.shape))
    offsets = np.empty((len(candidates), len(share)))
    for i, inside in enumerate(candidates):
        own = np.ix_(inside, inside)
        mean = train.mean[:, inside]
        rule = np.linalg.lstsq(spread[own], mean.T, rcond=1e-12)[0].T if inside.any() else mean
        weights[i][:, inside] = rule
        offsets[i] = np.log(share) - 0.5 * (rule * mean).sum(axis=1)
    return weights, offsets
