"""IB4: nearest neighbours that learn weights of the features for each class in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ...data.feature_names import Features
from ...kernels.neighbours.nearest import EQUAL
from ..base import Floats, Rows, TableClassifier
from .ranges import class_rank, range_scale


@dataclass(eq=False)
class IB4(TableClassifier):
    """Nearest neighbours with weights of the features, learned for each class in one pass.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    weights_ : array of shape (n_classes, n_features)
        The weights of the features for each class, between 0 and 0.5.

    Notes
    -----
    The method is that of Aha (1992, "Tolerating noisy, irrelevant and novel attributes in
    instance-based learning algorithms", section 4), as Wettschereck, Aha and Mohri (1997, section
    3.1.2) also describe it. Neither is publicly available, so their formulas (how gains are
    weighed, the ½) are from memory, and no figure of theirs tests them. The text that was followed
    is Witten and Frank ("Data Mining", 2nd edition, section 6.4, "Weighting attributes"): weights
    for each class that tells its rows from all others, changed after every training row by its
    nearest row, up where the two agree and down where not, by more the smaller (or larger) the
    difference of the feature; a new row may be claimed by several classes or by none. Two
    departures are known.

    The rows come one after the other. For each class, the nearest of the rows before is found
    under the weights of that class. Where the two rows agree on being of the class, each feature
    gains 1 less their difference, else their difference; gains count the less the more frequent
    the commoner side is: 1 - the larger frequency. A weight is the mean gain less ½, at least 0,
    since irrelevant features gain ½ on average; a class that has lost all weights uses equal
    ones. The first departure: all rows are kept, the significance test by which IB3 keeps only
    good ones is not applied. The second: weights multiply squared differences, as in
    :class:`NearestNeighbor`; with weights that multiply the differences before they are squared,
    important features would count even more.

    A new row goes to the class that claims it (its nearest row under the weights of the class
    is of the class) at the smallest distance relative to the sum of the weights; if none does,
    to the nearest class. Among classes as near, that with more rows so near wins, then the more
    frequent one. Without weights this is :class:`IB1`.

    Examples
    --------
    >>> X = np.random.default_rng(0).random((200, 3))
    >>> model = IB4().fit(X, X[:, 0] > 0.5)
    >>> bool(model.weights_[0, 0] > model.weights_[0, 1:].max())
    True
    """

    def fit(  # type: ignore[override]
        self, X: Any, y: Any, *, nominal: Features | None = None
    ) -> Self:
        """Learn the weights from the rows in their order; rows have no weights here.

        Parameters
        ----------
        X : frame or array of shape (rows, features)
            Strings, categories and booleans are nominal; NaN and None are unknown.
        y : array of shape (rows,)
        nominal : numeric columns to treat as categories: names, positions, patterns, ...
        """
        return super().fit(X, y, nominal=nominal)

    def _learn(self, rows: Rows) -> None:
        self._rows, self._target = rows.values, rows.target
        self._nominal = rows.nominal
        self._scale = range_scale(rows.values, rows.nominal)[0]
        self._rank = class_rank(np.bincount(rows.target, minlength=rows.n_classes))
        self.weights_ = self._one_pass(rows.n_classes)

    def _one_pass(self, n_classes: int) -> Floats:
        n, d = self._rows.shape
        gained, counted = np.zeros((n_classes, d)), np.zeros(n_classes)
        weights = np.full((n_classes, d), 0.5)
        seen = np.zeros(n_classes)
        for i in range(n):
            if i:
                apart = self._differences(self._rows[i], self._rows[:i])
                nearest = (_usable(weights) @ (apart**2).T).argmin(axis=1)
                share = seen / i
                stake = 1.0 - np.maximum(share, 1.0 - share)
                for c in range(n_classes):
                    own = apart[nearest[c]]
                    same = (self._target[i] == c) == (self._target[nearest[c]] == c)
                    gained[c] += stake[c] * (1.0 - own if same else own)
                counted += stake
                mean = gained / np.where(counted > 0, counted, 1.0)[:, None]
                weights = np.where(counted[:, None] > 0, np.maximum(mean - 0.5, 0.0), weights)
            seen[self._target[i]] += 1
        return weights

    def _differences(self, row: Floats, others: Floats) -> Floats:
        """Differences between 0 and 1 of a row to others, shape (others, features)."""
        apart = np.abs((others - row) * self._scale)
        apart = np.where(self._nominal, (others != row).astype(np.float64), apart)
        return np.minimum(np.where(np.isnan(others) | np.isnan(row), 1.0, apart), 1.0)

    def _chances(self, values: Floats) -> Floats:
        chances = np.zeros((len(values), len(self.classes_)))
        chances[np.arange(len(values)), [self._class_of(row) for row in values]] = 1.0
        return chances

    def _class_of(self, row: Floats) -> int:
        squares = self._differences(row, self._rows) ** 2
        weights = _usable(self.weights_)
        total = weights.sum(axis=1)
        distance = weights @ squares.T / total[:, None]
        own = np.array([distance[c, self._target == c].min() for c in range(len(total))])
        least = distance.min(axis=1)
        claims = own <= least
        pool = np.flatnonzero(claims) if claims.any() else np.arange(len(total))
        limit = own[pool].min() * (1.0 + EQUAL)
        best = pool[own[pool] <= limit]
        near = distance[best] <= limit
        votes = [int((near[i] & (self._target == c)).sum()) for i, c in enumerate(best)]
        return int(best[np.lexsort((self._rank[best], votes))[-1]])


def _usable(weights: Floats) -> Floats:
    """The weights, equal ones for a class that has lost all of them."""
    return np.where(weights.any(axis=1, keepdims=True), weights, 1.0)
