"""Joint logarithms of naive Bayes for every row and class, for a batch of subsets."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..exponentials import logarithms


@njit(cache=True, nogil=True)
def evidence_totals(evidence, log_prior, prior_first, ahead, unit, candidates):
    """Sums of log-likelihoods over the features of each subset, in their order.

    Parameters
    ----------
    evidence : float64 (features, classes, rows)
    log_prior : float64 (classes,)
    prior_first : bool
        Whether the prior is added before the features or after them.
    ahead : float64 (features,)
        The largest positive log-likelihood of each feature, 0 if there is none.
    unit : float
        Relative error of a sum; negative where sums are those of the classifier to the last bit.
    candidates : bool (m, features)

    Returns
    -------
    totals : float64 (m, classes, rows)
    slack : float64 (m, rows)
        How far rounding may move the differences of the totals.
    """
    d, n_classes, n = evidence.shape
    m, size = len(candidates), n_classes * n
    totals, slack = np.empty((m, n_classes, n)), np.empty((m, n))
    flat, sums = evidence.reshape(d, size), totals.reshape(m, size)
    prior, members = np.empty(size), np.empty(d, dtype=np.int64)
    for r in range(size):
        prior[r] = log_prior[r // n]
    for i in range(m):
        count, positive, total = 0, 1.0, sums[i]
        for j in range(d):
            members[count] = j
            count += candidates[i, j]
            positive += 2.0 * ahead[j] if candidates[i, j] else 0.0
        for r in range(size):
            total[r] = prior[r] if prior_first else 0.0
        _add_rows(flat, members[:count], total)
        if not prior_first:
            for r in range(size):
                total[r] += prior[r]
        rounding_of(totals[i], positive, unit, slack[i])
    return totals, slack


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def rounding_of(totals, positive, unit, slack):
    """Error of the differences of some sums, from the magnitudes that were added."""
    n_classes, n = totals.shape
    for r in range(n):
        slack[r] = 0.0 if unit > 0.0 else -1.0
    if unit <= 0.0:
        return
    for c in range(n_classes):
        total = totals[c]
        for r in range(n):
            size = abs(total[r])
            slack[r] = size if size > slack[r] else slack[r]
    for r in range(n):
        slack[r] = unit * (positive + 2.0 * slack[r])


@njit(cache=True, nogil=True, error_model="numpy")
def normal_totals(x, log_prior, mean, variance, spread, smoothing, unit, shift, candidates):
    """Sums of normal log-densities whose variances grow with the largest spread of a subset.

    Parameters
    ----------
    x : float64 (features, rows)
    log_prior : float64 (classes,)
    mean, variance : float64 (classes, features)
    spread : float64 (features,)
        Variance over all classes; ``smoothing`` times the largest is added to the variances.
    unit : float
        Relative error of a sum and of a variance.
    shift : float64 (features,)
        Error of a mean.
    candidates : bool (m, features)

    Returns
    -------
    totals, slack : see :func:`evidence_totals`
    """
    d, n = x.shape
    n_classes, m = len(log_prior), len(candidates)
    totals, slack, far = np.empty((m, n_classes, n)), np.empty((m, n)), np.empty(n)
    half, logs, scratch = np.empty((n_classes, d)), np.empty((n_classes, d)), np.empty(d)
    members, largest = np.empty(d, dtype=np.int64), np.zeros(m)
    for i in range(m):
        for j in range(d):
            largest[i] = max(largest[i], spread[j]) if candidates[i, j] else largest[i]
    before = -1.0
    for i in np.argsort(largest):
        if largest[i] != before:
            before = largest[i]
            _smooth(variance, smoothing * before, half, logs, scratch)
        count, positive = 0, 1.0
        for j in range(d):
            members[count] = j
            count += candidates[i, j]
        for r in range(n):
            far[r] = 0.0
        for c in range(n_classes):
            start, sizes = log_prior[c], 0.0
            for j in members[:count]:
                start += logs[c, j]
                sizes += abs(logs[c, j])
            total = totals[i, c]
            for r in range(n):
                total[r] = 0.0
            _add_squares(x, members[:count], mean[c], half[c], shift, total, far)
            for r in range(n):
                total[r] += start
            positive = max(positive, 2.0 * sizes + abs(log_prior[c]) + 1.0)
        rounding_of(totals[i], positive, unit, slack[i])
        for r in range(n):
            slack[i, r] += far[r]
    return totals, slack


@njit(cache=True, nogil=True, error_model="numpy")
def _smooth(variance, more, half, logs, scratch):
    """Half the inverse of each variance, and the logarithm of the density at the mean."""
    for c in range(len(variance)):
        own = logs[c]
        for j in range(len(own)):
            full = variance[c, j] + more
            half[c, j], own[j] = 0.5 / full, 2.0 * np.pi * full
        logarithms(own, scratch)
        for j in range(len(own)):
            # Of nothing there is no logarithm; a density without variance is infinite.
            own[j] = -0.5 * own[j] if variance[c, j] + more > 0.0 else np.inf


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _add_squares(x, members, mean, half, shift, total, far):
    """Subtract squared distances from the mean, and add what an error of the mean may change."""
    n, a = len(total), 0
    while a + 2 <= len(members):
        j, k = members[a], members[a + 1]
        first, second, one, two = x[j], x[k], half[j], half[k]
        left, right = mean[j], mean[k]
        loose, looser = 4.0 * shift[j] * one, 4.0 * shift[k] * two
        for r in range(n):
            away, off = first[r] - left, second[r] - right
            total[r] -= away * away * one + off * off * two
            far[r] += loose * abs(away) + looser * abs(off)
        a += 2
    if a < len(members):
        j = members[a]
        first, one, left = x[j], half[j], mean[j]
        loose = 4.0 * shift[j] * one
        for r in range(n):
            away = first[r] - left
            total[r] -= away * away * one
            far[r] += loose * abs(away)
