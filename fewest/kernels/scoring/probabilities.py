"""Class probabilities from joint logarithms or decision values, and what they cost."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

#: How probabilities are made: exp(value - logsumexp), or exp(value - largest) / sum.
LOGSUMEXP, ODDS = 0, 1


@njit(cache=True, nogil=True, error_model="numpy")
def probabilities(values, way):
    """Probability of each class, shape (models, classes, rows).

    Parameters
    ----------
    values : float64 (models, outputs, rows)
        With one output it is the logarithm of the odds of class 1 against class 0.
    way : int
        ``LOGSUMEXP`` or ``ODDS``: they differ in how they round near 0 and 1.
    """
    m, outputs, n = values.shape
    shares = np.empty((m, max(outputs, 2), n))
    for i in range(m):
        if outputs == 1:
            for r in range(n):
                value = values[i, 0, r]
                small = math.exp(-abs(value))
                share = (1.0 if value >= 0.0 else small) / (1.0 + small)
                shares[i, 1, r] = share
                shares[i, 0, r] = 1.0 - share
            continue
        for r in range(n):
            top = values[i, 0, r]
            for c in range(1, outputs):
                top = max(top, values[i, c, r])
            if way == LOGSUMEXP:
                rest = 0.0
                for c in range(outputs):
                    rest += math.exp(values[i, c, r] - top)
                whole = top + math.log1p(rest - 1.0)
                for c in range(outputs):
                    shares[i, c, r] = math.exp(values[i, c, r] - whole)
            else:
                whole = 0.0
                for c in range(outputs):
                    shares[i, c, r] = math.exp(values[i, c, r] - top)
                    whole += shares[i, c, r]
                for c in range(outputs):
                    shares[i, c, r] /= whole
    return shares


@njit(cache=True, nogil=True, error_model="numpy")
def log_losses(shares, target, weight):
    """Mean of -log of the probability of the true class, clipped by one unit in the last place.

    ``target`` numbers the outputs; every row's class must be one of them.
    """
    m, n = shares.shape[0], shares.shape[2]
    eps = 2.220446049250313e-16
    losses = np.zeros(m)
    for i in range(m):
        total, whole = 0.0, 0.0
        for r in range(n):
            share = min(max(shares[i, target[r], r], eps), 1.0 - eps)
            total -= weight[r] * math.log(share)
            whole += weight[r]
        losses[i] = total / whole
    return losses


@njit(cache=True, nogil=True, error_model="numpy")
def brier_losses(shares, target, weight):
    """Mean squared distance of the probabilities from the true class, over all classes."""
    m, outputs, n = shares.shape
    losses = np.zeros(m)
    for i in range(m):
        total, whole = 0.0, 0.0
        for r in range(n):
            far = 0.0
            for c in range(outputs):
                away = shares[i, c, r] - (1.0 if target[r] == c else 0.0)
                far += away * away
            total += weight[r] * far
            whole += weight[r]
        losses[i] = total / whole
    return losses


@njit(cache=True, nogil=True, error_model="numpy")
def ranked_shares(values, slack, way, first):
    """Probabilities, how far rounding may move them, and keys of certain ties.

    Parameters
    ----------
    values, way : see :func:`probabilities`, at least two outputs
    slack : float64 (models, rows)
        How far rounding may move the differences of the values.
    first : int
        Of two classes, those from this one on are looked at.

    Returns
    -------
    shares, spread : float64 (classes, models, rows)
    keys : uint64 (classes, models, rows)
        1 where the share is rounded to 1 for certain, 2 where it is rounded to 0, else 0.
    """
    m, outputs, n = values.shape
    eps = 2.220446049250313e-16
    shares, spread = np.empty((outputs, m, n)), np.zeros((outputs, m, n))
    keys = np.zeros((outputs, m, n), dtype=np.uint64)
    odds = np.empty(outputs)
    for i in range(m):
        for r in range(n):
            top = values[i, 0, r]
            for c in range(1, outputs):
                top = max(top, values[i, c, r])
            whole = 0.0
            for c in range(outputs):
                odds[c] = math.exp(values[i, c, r] - top)
                whole += odds[c]
            size = max(abs(top), 1.0) if way == LOGSUMEXP else 1.0
            for c in range(first, outputs):
                rest = 0.0
                for k in range(outputs):
                    rest += odds[k] if k != c else 0.0
                below = values[i, c, r] - top
                if below == 0.0 and rest < eps / 16.0 * size:
                    shares[c, i, r], keys[c, i, r] = 1.0, 1
                elif below < -760.0:
                    shares[c, i, r], keys[c, i, r] = 0.0, 2
                else:
                    share = odds[c] / whole
                    if way == LOGSUMEXP:
                        share = math.exp(values[i, c, r] - (top + math.log1p(whole - 1.0)))
                    error = rest / whole * max(slack[i, r], 0.0) + 2.0 * eps * (1.0 + size)
                    # Numbers this small are rounded to whole multiples of the smallest one.
                    error += 1.0 if below < -700.0 else 0.0
                    shares[c, i, r], spread[c, i, r] = share, share * error
    return shares, spread, keys
