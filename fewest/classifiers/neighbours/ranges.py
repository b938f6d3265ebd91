"""Ranges of features, of all rows and of all rows but some, and the order of classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def range_scale(values: Floats, nominal: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """What differences are multiplied by (1 / range, 0 for constants), and the ranges.

    >>> range_scale(np.array([[1.0, 0.0], [5.0, 1.0]]), np.array([False, True]))
    (array([0.25, 0.  ]), array([4., 0.]))
    """
    known = ~np.isnan(values)
    high = np.where(known, values, -np.inf).max(axis=0)
    low = np.where(known, values, np.inf).min(axis=0)
    width = np.where(nominal | ~known.any(axis=0), 0.0, high - low)
    return inverse(width), width


def inverse(width: Floats) -> Floats:
    """1 / range; 0 for a range of 0."""
    scale: Floats = np.divide(1.0, width, out=np.zeros_like(width), where=width > 0.0)
    return scale


def scales_without_own(values: Floats, nominal: NDArray[np.bool_]) -> Floats:
    """The scale of every row when it is left out, shape (rows, features).

    >>> scales_without_own(np.array([[0.0], [1.0], [5.0]]), np.array([False])).ravel()
    array([0.25, 0.2 , 1.  ])
    """
    high = _without_own(values, nominal)
    low = -_without_own(-values, nominal)
    width = np.where(nominal | ~np.isfinite(high - low), 0.0, high - low)
    return inverse(width)


def _without_own(values: Floats, nominal: NDArray[np.bool_]) -> Floats:
    """The largest of the other rows' values."""
    filled = np.where(np.isnan(values), -np.inf, values)
    order = np.sort(filled, axis=0)
    first, second = order[-1], order[-2]
    with np.errstate(invalid="ignore"):
        largest: Floats = np.where(filled == first, second, first)
    return largest


def class_rank(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each class, larger for the more frequent and, of equals, for the earlier.

    >>> class_rank(np.array([3, 7, 3]))
    array([1, 2, 0])
    """
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.lexsort((-np.arange(len(counts)), counts))] = np.arange(len(counts))
    return rank
