"""Least squares over subsets, one fit after the other."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def naive_rss(X, y, members):
    """Residual sum of squares of a fit with an intercept."""
    A = np.column_stack([np.ones(len(y)), X[:, list(members)]])
    return float(np.sum((y - A @ np.linalg.lstsq(A, y, rcond=1e-9)[0]) ** 2))


def naive_best(X, y):
    """The smallest residual sum of squares of each size."""
    d = X.shape[1]
    every = (combinations(range(d), k) for k in range(d + 1))
    return np.array([min(naive_rss(X, y, members) for members in own) for own in every])


def naive_criteria(X, y, members):
    """The five criteria, from their definitions."""
    n, k, d = len(y), len(members), X.shape[1]
    rss, every = naive_rss(X, y, members), naive_rss(X, y, range(d))
    total = naive_rss(X, y, [])
    likelihood = -n / 2 * (np.log(2 * np.pi * rss / n) + 1)
    rank = np.linalg.matrix_rank(X - X.mean(axis=0))
    return {
        "rss": -rss,
        "aic": 2 * likelihood - 2 * (k + 2),
        "bic": 2 * likelihood - np.log(n) * (k + 2),
        "adjusted-r2": 1 - (rss / (n - k - 1)) / (total / (n - 1)),
        "mallows-cp": -(rss / (every / (n - rank - 1)) - n + 2 * (k + 1)),
    }
