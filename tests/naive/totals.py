"""Joint logarithms of naive Bayes, one number at a time."""

from __future__ import annotations

import math


def naive_totals(evidence, log_prior, members):
    """Prior and log-likelihoods of some features, shape (classes, rows)."""
    n = len(evidence[0][0])
    return [
        [prior + sum(float(evidence[j][c][r]) for j in members) for r in range(n)]
        for c, prior in enumerate(log_prior)
    ]


def naive_normal_totals(x, log_prior, mean, variance, spread, smoothing, members):
    """Normal log-densities with variances raised by a share of the largest spread."""
    more = smoothing * max(spread[j] for j in members)
    totals = []
    for c, prior in enumerate(log_prior):
        row = []
        for r in range(len(x[0])):
            total = prior
            for j in members:
                full = variance[c][j] + more
                total -= 0.5 * math.log(2 * math.pi * full)
                total -= 0.5 * (x[j][r] - mean[c][j]) ** 2 / full
            row.append(total)
        totals.append(row)
    return totals
