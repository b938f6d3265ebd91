"""Joint logarithms of naive Bayes for every row and class, for a batch of subsets."""

from __future__ import annotations

import numpy as np
from numba import njit


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
    m = len(candidates)
    totals, slack = np.empty((m, n_classes, n)), np.empty((m, n))
    for i in range(m):
        positive = 1.0
        for c in range(n_classes):
            total = totals[i, c]
            start = log_prior[c] if prior_first else 0.0
            for r in range(n):
                total[r] = start
            for j in range(d):
                if candidates[i, j]:
                    own = evidence[j, c]
                    for r in range(n):
                        total[r] += own[r]
            if not prior_first:
                for r in range(n):
                    total[r] += log_prior[c]
        for j in range(d):
            positive += 2.0 * ahead[j] if candidates[i, j] else 0.0
        rounding_of(totals[i], positive, unit, slack[i])
    return totals, slack


@njit(cache=True, nogil=True)
def rounding_of(totals, positive, unit, slack):
    """Error of the differences of some sums, from the magnitudes that were added."""
    n_classes, n = totals.shape
    for r in range(n):
        largest = 0.0
        for c in range(n_classes):
            largest = max(largest, abs(totals[c, r]))
        slack[r] = unit * (positive + 2.0 * largest) if unit > 0.0 else -1.0


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
    for i in range(m):
        largest, positive = 0.0, 1.0
        for j in range(d):
            largest = max(largest, spread[j]) if candidates[i, j] else largest
        for r in range(n):
            far[r] = 0.0
        for c in range(n_classes):
            total = totals[i, c]
            start = log_prior[c]
            sizes = 0.0
            for r in range(n):
                total[r] = 0.0
            for j in range(d):
                if candidates[i, j]:
                    full = variance[c, j] + smoothing * largest
                    log = -0.5 * np.log(2.0 * np.pi * full)
                    start += log
                    sizes += abs(log)
                    half, centre, own = 0.5 / full, mean[c, j], x[j]
                    error = 4.0 * shift[j] * half
                    for r in range(n):
                        away = own[r] - centre
                        total[r] -= away * away * half
                        far[r] += error * abs(away)
            for r in range(n):
                total[r] += start
            positive = max(positive, 2.0 * sizes + abs(log_prior[c]) + 1.0)
        rounding_of(totals[i], positive, unit, slack[i])
        for r in range(n):
            slack[i, r] += far[r]
    return totals, slack
