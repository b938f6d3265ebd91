"""Tests that compare two methods on the same splits, and over several data sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats


def f_test_5x2cv(a: ArrayLike, b: ArrayLike) -> float:
    """p value of the combined 5×2cv F test (Alpaydin, 1999) that two methods are equally good.

    Parameters
    ----------
    a, b : ten scores each, the two folds of the first repetition first

    Notes
    -----
    f = Σᵢ Σⱼ pᵢⱼ² / (2 Σᵢ sᵢ²) with the differences pᵢⱼ and their variances sᵢ² in repetition
    i; F distributed with 10 and 5 degrees of freedom.

    Examples
    --------
    >>> f_test_5x2cv([0.9] * 10, [0.9] * 10)
    1.0
    """
    p = (np.asarray(a, dtype=float) - np.asarray(b, dtype=float)).reshape(5, 2)
    squares = float((p**2).sum())
    variances = float(((p - p.mean(axis=1, keepdims=True)) ** 2).sum())
    if squares == 0:
        return 1.0
    if variances == 0:
        return 0.0
    return float(stats.f.sf(squares / (2 * variances), 10, 5))


def paired_t_test(a: ArrayLike, b: ArrayLike, test_share: float | None = None) -> float:
    """Two-sided p value of the paired t test over folds.

    With ``test_share`` (test rows over training rows) the variance is corrected for the overlap
    of the training parts (Nadeau and Bengio, 2003); without it, it is the plain k-fold test.
    """
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    k = len(difference)
    variance = float(difference.var(ddof=1))
    if variance == 0:
        return 1.0 if difference.mean() == 0 else 0.0
    factor = 1 / k if test_share is None else 1 / k + test_share
    t = float(difference.mean()) / np.sqrt(factor * variance)
    return float(2 * stats.t.sf(abs(t), k - 1))


def wilcoxon(a: ArrayLike, b: ArrayLike) -> float:
    """Two-sided p value of the Wilcoxon signed-rank test over data sets or splits."""
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    if not np.any(difference):
        return 1.0
    return float(stats.wilcoxon(difference).pvalue)
