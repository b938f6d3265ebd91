"""Nearest neighbours for tables as they are, with a weight for every feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...data.feature_names import Features
from ...errors import InputError
from ...parameters import whole
from ..base import Floats, Rows, TableClassifier
from .blocks import Blocks, Queries, find_neighbours
from .ranges import class_rank, range_scale


class KeptRows(TableClassifier):
    """Base of :class:`NearestNeighbor` and :class:`~fewest.classifiers.IB1`: the rows are kept."""

    #: How many neighbours vote, and the weights of the features: parameters of NearestNeighbor.
    k = 1
    weights = None

    def fit(  # type: ignore[override]
        self, X: Any, y: Any, *, nominal: Features | None = None
    ) -> Self:
        """Keep the rows of a frame or an array; rows have no weights here.

        Parameters
        ----------
        X : frame or array of shape (rows, features)
            Strings, categories and booleans are nominal; NaN and None are unknown.
        y : array of shape (rows,)
        nominal : numeric columns to treat as categories: names, positions, patterns, ...
        """
        return super().fit(X, y, nominal=nominal)

    def _learn(self, rows: Rows) -> None:
        d = rows.values.shape[1]
        self.weights_ = checked_feature_weights(self.weights, d)
        _refuse_too_few(self.k, len(rows.values))
        self._laid = Blocks.of(rows.values, rows.nominal)
        scale, self.range_ = range_scale(rows.values, rows.nominal)
        self._scale = scale
        self._target = rows.target
        self._rank = class_rank(np.bincount(rows.target, minlength=rows.n_classes))

    def _chances(self, values: Floats) -> Floats:
        laid, n = self._laid, len(values)
        found = find_neighbours(
            laid,
            Queries(
                np.ascontiguousarray(values),
                np.full(n, -2, dtype=np.int64),
                np.zeros(n, dtype=np.int64),
                np.tile(self._scale, (n, 1)),
                np.tile(self._rank, (n, 1)),
            ),
            self.weights_[None],
            self.k,
            group=np.where(laid.row < 0, -1, 0),
            target=laid.spread(self._target, 0),
        )
        chances = np.zeros((n, len(self.classes_)))
        chances[np.arange(n), found.predicted[0]] = 1.0
        return chances


@dataclass(eq=False)
class NearestNeighbor(KeptRows):
    """The class of the nearest training rows, under a weighted distance.

    Parameters
    ----------
    k : int, default=1
        How many neighbours vote.
    weights : array of shape (n_features,) or None
        The weight of each feature, at least 0; None is 1 for all.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    weights_ : array of shape (n_features,)
    range_ : array of shape (n_features,)
        Largest minus smallest training value of each continuous feature; 0 for nominal ones.

    Notes
    -----
    The squared distance is the sum of weight times squared difference (Inza, 2002, chapter 7).
    The difference of two numbers is divided by the range of the feature in the training rows,
    that of two labels is 0 or 1, and it is 1 where a value is unknown or a label was never
    seen. Training rows exactly as far as the k-th neighbour vote too. Among classes with as many
    votes the one that is more frequent in the training rows wins, then the first in order.

    Examples
    --------
    >>> X = [[1.0, "a"], [2.0, "b"], [9.0, "a"]]
    >>> model = NearestNeighbor(weights=[0.0, 1.0]).fit(X, ["low", "low", "high"])
    >>> model.predict([[9.0, "b"]]).tolist()
    ['low']
    """

    k: int = whole(1, low=1)
    weights: Any = None


def checked_feature_weights(weights: Any, n_features: int) -> Floats:
    """Weights of features as an array; a sentence for what is none."""
    if weights is None:
        return np.ones(n_features)
    try:
        given: NDArray[np.float64] = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.shape != (n_features,) or not np.isfinite(given).all() or (given < 0).any():
        raise InputError(
            f"`weights` must hold {n_features} finite numbers of at least 0 (one per feature), "
            f"but is {weights!r}."
        )
    return given


def _refuse_too_few(k: int, n_rows: int) -> None:
    if k > n_rows:
        raise InputError(
            f"`k` must be at most the number of training rows (n_samples = {n_rows}), but is {k}; "
            "use a smaller k."
        )
