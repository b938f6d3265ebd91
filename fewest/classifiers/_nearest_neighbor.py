"""Nearest neighbours with a weight for every feature, and IB1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.neighbours.nearest import ALL_EQUALS, answers_by_differences
from .._parameters import one_of, whole
from ._base import Rows, UnweightedClassifier

Floats = NDArray[np.float64]


def range_scale(values: Floats, nominal: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the factors of differences (1 / range, 0 for constants), and the ranges."""
    known = ~np.isnan(values)
    high = np.where(known, values, -np.inf).max(axis=0)
    low = np.where(known, values, np.inf).min(axis=0)
    width = np.where(nominal | ~known.any(axis=0), 0.0, high - low)
    return inverse(width), width


def inverse(width: Floats) -> Floats:
    """Return 1 / range; 0 for a range of 0."""
    scale: Floats = np.divide(1.0, width, out=np.zeros_like(width), where=width > 0.0)
    return scale


def scales_without_own(values: Floats, nominal: NDArray[np.bool_]) -> Floats:
    """Return the scale of every row when it is left out, shape (rows, features)."""
    high = _without_own(values, nominal)
    low = -_without_own(-values, nominal)
    width = np.where(nominal | ~np.isfinite(high - low), 0.0, high - low)
    return inverse(width)


def _without_own(values: Floats, nominal: NDArray[np.bool_]) -> Floats:
    """Return the largest of the other rows' values."""
    filled = np.where(np.isnan(values), -np.inf, values)
    order = np.sort(filled, axis=0)
    first, second = order[-1], order[-2]
    with np.errstate(invalid="ignore"):
        largest: Floats = np.where(filled == first, second, first)
    return largest


def class_rank(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank the classes: larger for the more frequent and, of equals, for the earlier."""
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.lexsort((-np.arange(len(counts)), counts))] = np.arange(len(counts))
    return rank


#: Sums of differences that are held at once.
MOST_SUMS = 1 << 24


class KeptRows(UnweightedClassifier):
    """Base of :class:`NearestNeighbor` and :class:`~fewest.classifiers.IB1`: the rows are kept."""

    #: Parameters of NearestNeighbor.
    k = 1
    weights = None
    prototypes = "all"

    def _learn(self, rows: Rows) -> None:
        d = rows.values.shape[1]
        self.weights_: Floats = checked_feature_weights(self.weights, d)
        _refuse_too_few(self.k, len(rows.values))
        self._nominal = rows.nominal
        self.range_: Floats
        self._scale, self.range_ = range_scale(rows.values, rows.nominal)
        self._rank = class_rank(np.bincount(rows.target, minlength=rows.n_classes))
        kept = np.arange(len(rows.values))
        if self.prototypes == "edited":
            kept = edited_rows(
                rows.values, kept, self._scale, rows.nominal, self.weights_, self.k, rows.target,
                self._rank,
            )  # fmt: skip
        self._rows, self._target = rows.values[kept], rows.target[kept]

    def _chances(self, values: Floats) -> Floats:
        n, both = len(self._rows), np.concatenate([self._rows, values])
        votes = neighbour_votes(
            both, np.arange(n), np.arange(n, len(both)), self._scale[None], self._nominal,
            self.weights_[None], self.k, self._target, self._rank[None],
        )  # fmt: skip
        return np.ascontiguousarray(votes[0].T)


@dataclass(eq=False)
class NearestNeighbor(KeptRows):
    """Class of the nearest training rows, under a weighted distance.

    Parameters
    ----------
    k : int, default=1
        Number of neighbours that vote.
    weights : array of shape (n_features,) or None
        Weight of each feature, at least 0; None is 1 for all.
    prototypes : "all" or "edited"
        The training rows that vote: all, or those whose k nearest other rows vote for their class
        (Wilson, 1972).

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
    prototypes: str = one_of("all", "edited")


def checked_feature_weights(weights: Any, n_features: int) -> Floats:
    """Return the weights of features as an array, or raise an error."""
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


def neighbour_votes(
    values: Floats,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    scale: Floats,
    nominal: NDArray[np.bool_],
    weights: Floats,
    k: int,
    target: NDArray[np.int64],
    rank: NDArray[np.int64],
    own: NDArray[np.int64] | None = None,
) -> Floats:
    """Return what training rows vote for under many weights, as :class:`NearestNeighbor` does.

    values (rows, features): NaN is unknown; labels are codes.
    train, test: arrays of row positions.
    scale (1 or test rows, features): what differences of numbers are multiplied by.
    nominal (features,)
    weights (candidates, features)
    target (training rows,)
    rank (1 or test rows, classes): which class wins among those with equally many votes.
    own (test rows,): the place of each test row among the training rows, where it is one of them:
        it is no neighbour of its own.

    Returns float64 array of shape (candidates, classes, test rows): 1 for the class that wins, 0
        for the others.
    """
    used = np.flatnonzero(weights.any(axis=0))
    given = np.ascontiguousarray(weights[:, used])
    largest = given.max(axis=1, initial=0.0)
    unit = np.divide(1.0, largest, out=np.ones(len(given)), where=largest > 0.0)
    near, own_scale = (
        (given * unit[:, None]).astype(np.float32),
        np.ascontiguousarray(scale[:, used]),
    )
    rows = np.ascontiguousarray(values[:, used])
    out = np.zeros((len(given), rank.shape[1], len(test)))
    slack = np.empty((len(given), len(test)))
    nobody = np.full(len(test), -1) if own is None else own
    step = max(1, MOST_SUMS // len(train))
    for low in range(0, len(given), step):
        part = slice(low, low + step)
        answers_by_differences(
            rows, train, test, nobody, own_scale, own_scale, np.ascontiguousarray(nominal[used]),
            2.0, near[part], given[part], 0.0, k, ALL_EQUALS, False,
            target.astype(np.float64), False, rank, out[part], slack[part],
        )  # fmt: skip
    return out


def edited_rows(
    values: Floats,
    rows: NDArray[np.intp],
    scale: Floats,
    nominal: NDArray[np.bool_],
    weights: Floats,
    k: int,
    target: NDArray[np.int64],
    rank: NDArray[np.int64],
) -> NDArray[np.intp]:
    """Return the rows whose k nearest others vote for their class; all if fewer than k do.

    The arguments are those of :func:`neighbour_votes`, for one vector of weights.
    """
    if k >= len(rows):
        return rows
    votes = neighbour_votes(
        values, rows, rows, scale[None], nominal, weights[None], k, target, rank[None],
        np.arange(len(rows)),
    )  # fmt: skip
    kept = rows[votes[0].argmax(axis=0) == target]
    return kept if len(kept) >= k else rows


@dataclass(eq=False)
class IB1(KeptRows):
    """Class of the nearest training row; all features count the same.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    range_ : array of shape (n_features,)
        Largest minus smallest training value of each continuous feature; 0 for nominal ones.

    Notes
    -----
    The text followed is Aha, Kibler and Albert (1991, "Instance-based learning algorithms",
    section 3) after Inza (2002, section 2.4): the overlap metric for nominal features, the
    Euclidean one for continuous ones, scaled by their ranges, and one neighbour. An unknown value
    is as far from any other as can be. Where several rows are equally near, they vote here, and
    the more frequent class wins a tie; Weka takes the first of them. It is
    ``NearestNeighbor(k=1)`` without parameters.

    Examples
    --------
    >>> model = IB1().fit([[1.0, "a"], [2.0, "b"], [9.0, "a"]], ["low", "low", "high"])
    >>> model.predict([[8.0, "a"], [1.5, None]]).tolist()
    ['high', 'low']
    """
