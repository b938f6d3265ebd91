"""Joint logarithms of naive Bayes for every row and class, for a batch of subsets."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot


@njit(cache=True, nogil=True)
def evidence_totals(evidence, size, log_prior, unit, members, ends):
    """Return sums of log-likelihoods over the columns of each subset, in their order.

    Parameters
    ----------
    evidence : float64 (columns, classes, rows)
    size : float64 (columns,)
        The largest magnitude of finite evidence of each column.
    log_prior : float64 (classes,)
    unit : float
        Relative error of a sum; negative where sums are those of the classifier to the last bit.
    members : int64
        The columns of one subset after the other.
    ends : int64 (m + 1,)
        Where those of each subset begin.

    Returns
    -------
    totals : float64 (m, classes, rows)
    slack : float64 (m, rows)
        How far rounding may move the differences of the totals; -1 where it does not.
    """
    n_classes, n = evidence.shape[1:]
    m, flat = len(ends) - 1, evidence.reshape(len(evidence), n_classes * n)
    totals, slack = np.empty((m, n_classes, n)), np.empty((m, n))
    for i in range(m):
        own, loose = members[ends[i] : ends[i + 1]], 1.0 + np.abs(log_prior).max()
        for c in range(n_classes):
            for r in range(n):
                totals[i, c, r] = log_prior[c]
        _add_rows(flat, own, totals[i].reshape(n_classes * n))
        for j in own:
            loose += size[j]
        for r in range(n):
            slack[i, r] = 2.0 * unit * loose if unit > 0.0 else -1.0
    return totals, slack


@hot
def _add_rows(rows, members, total):
    """Add some rows one after the other; four in one go, which changes no sum."""
    a = 0
    while a + 4 <= len(members):
        first, second = rows[members[a]], rows[members[a + 1]]
        third, fourth = rows[members[a + 2]], rows[members[a + 3]]
        for r in range(len(total)):
            total[r] = (((total[r] + first[r]) + second[r]) + third[r]) + fourth[r]
        a += 4
    while a < len(members):
        first = rows[members[a]]
        for r in range(len(total)):
            total[r] += first[r]
        a += 1


@njit(cache=True, nogil=True, error_model="numpy")
def normal_totals(x, log_prior, mean, variance, more, unit, shift, members, ends):
    """Return sums of normal log-densities whose variances are widened for each subset.

    Parameters
    ----------
    x : float64 (columns, rows)
    log_prior : float64 (classes,)
    mean, variance : float64 (classes, columns)
        A column of infinite variance says nothing.
    more : float64 (m,)
        What is added to every variance of a subset.
    unit : float
        Relative error of a sum and of a variance.
    shift : float64 (columns,)
        Error of a mean.
    members, ends : see :func:`evidence_totals`

    Returns
    -------
    totals, slack : see :func:`evidence_totals`
    """
    n, n_classes, m = x.shape[1], len(log_prior), len(ends) - 1
    totals, slack = np.empty((m, n_classes, n)), np.zeros((m, n))
    half, loose = np.empty(len(x)), np.empty(len(x))
    for i in range(m):
        own, fixed = members[ends[i] : ends[i + 1]], 0.0
        for c in range(n_classes):
            start = log_prior[c]
            fixed += unit * (1.0 + abs(start))
            for j in own:
                full = variance[c, j] + more[i]
                log = -0.5 * np.log(2.0 * np.pi * full) if full < np.inf else 0.0
                off = shift[j] / np.sqrt(full)
                # An error of the mean moves a square distance s by at most off * (s + 1 / 2), and
                # the variance by its own square.
                half[j], loose[j] = 0.5 / full, 2.0 * unit + off + 2.0 * off * off
                start += log
                fixed += 0.5 * (unit + off) + 2.0 * off * off + unit * abs(log)
            _add_squares(x, own, mean[c], half, loose, start, totals[i, c], slack[i])
        for r in range(n):
            slack[i, r] += fixed
    return totals, slack


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _add_squares(x, members, mean, half, loose, start, total, slack):
    """Subtract squared distances from the means, and add what errors may change; two at once."""
    for r in range(len(total)):
        total[r] = start
    a = 0
    while a + 2 <= len(members):
        j, k = members[a], members[a + 1]
        first, second, left, right = x[j], x[k], mean[j], mean[k]
        one, two, own, other = half[j], half[k], loose[j], loose[k]
        for r in range(len(total)):
            away, off = first[r] - left, second[r] - right
            near, nearer = away * away * one, off * off * two
            total[r] -= near + nearer
            slack[r] += own * near + other * nearer
        a += 2
    if a < len(members):
        j = members[a]
        first, left, one, own = x[j], mean[j], half[j], loose[j]
        for r in range(len(total)):
            away = first[r] - left
            near = away * away * one
            total[r] -= near
            slack[r] += own * near
