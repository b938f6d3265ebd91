"""Class probabilities from joint logarithms or decision values, and what they cost."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..exponentials import exponentials, logarithms

#: How probabilities are made: exp(value - logsumexp), or exp(value - largest) / sum.
LOGSUMEXP, ODDS = 0, 1
EPS = 2.220446049250313e-16
#: No two clipped logarithms of probabilities are farther apart.
FARTHEST = 37.0

#: For kernels that only other kernels call: see :mod:`..inner`.
_LOOPS = {
    "cache": True, "nogil": True, "error_model": "numpy", "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}  # fmt: skip


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
    many = models_at_once(m, n)
    # Rows of one matrix would not do: the compiler fears that they overlap.
    own, top = np.empty((outputs, many * n)), np.empty(many * n)
    whole, scratch = np.empty(many * n), np.empty(many * n)
    for low in range(0, m, many):
        size = n * min(many, m - low)
        _gather(values, low, own, size)
        if outputs == 1:
            _two_shares(own[0, :size], whole[:size], scratch[:size])
        else:
            _odds(own, top[:size], whole[:size], scratch[:size])
            if way == LOGSUMEXP:
                _log_sums(top[:size], whole[:size], scratch[:size])
                _gather(values, low, own, size)
            for c in range(outputs):
                _shares(own[c, :size], whole[:size], way, scratch[:size])
        for c in range(shares.shape[1]):
            part = own[c] if outputs > 1 else (own[0] if c == 1 else whole)
            for first in range(0, size, n):
                out, share = shares[low + first // n, c], part[first : first + n]
                for r in range(n):
                    out[r] = share[r]
    return shares


@njit(**_LOOPS)
def models_at_once(m, n):
    """How many models are reckoned together: few rows each would leave vectors unfilled."""
    return max(1, min(m, 1024 // max(n, 1)))


@njit(**_LOOPS)
def _gather(values, low, own, size):
    """Copy the values of some models, class by class."""
    n = values.shape[2]
    for c in range(values.shape[1]):
        for first in range(0, size, n):
            value, out = values[low + first // n, c], own[c, first : first + n]
            for r in range(n):
                out[r] = value[r]


@njit(**_LOOPS)
def _two_shares(value, no, scratch):
    """Probabilities of two classes from the logarithm of the odds of the second."""
    for r in range(len(value)):
        no[r] = -abs(value[r])
    exponentials(no, scratch)
    for r in range(len(value)):
        value[r] = (1.0 if value[r] >= 0.0 else no[r]) / (1.0 + no[r])
        no[r] = 1.0 - value[r]


@njit(**_LOOPS)
def _odds(own, top, whole, scratch):
    """Turn values into odds against the likeliest class, whose value is ``top``, and sum them."""
    # Slices of one row are contiguous to the compiler; those of a matrix are not.
    outputs, n = len(own), len(top)
    value = own[0, :n]
    for r in range(n):
        top[r] = value[r]
        whole[r] = 0.0
    for c in range(1, outputs):
        value = own[c, :n]
        for r in range(n):
            top[r] = value[r] if value[r] > top[r] else top[r]
    for c in range(outputs):
        value = own[c, :n]
        for r in range(n):
            value[r] -= top[r]
        exponentials(value, scratch)
        for r in range(n):
            whole[r] += value[r]


@njit(**_LOOPS)
def _log_sums(top, whole, scratch):
    """Turn the sums of odds into logarithms of sums of exponentials."""
    logarithms(whole, scratch)
    for r in range(len(top)):
        whole[r] += top[r]


@njit(**_LOOPS)
def _shares(own, whole, way, scratch):
    """Turn values and logarithms of sums, or odds and sums, into probabilities of a class."""
    if way == LOGSUMEXP:
        for r in range(len(own)):
            own[r] -= whole[r]
        exponentials(own, scratch)
    else:
        for r in range(len(own)):
            own[r] /= whole[r]


@njit(cache=True, nogil=True, error_model="numpy")
def log_losses(shares, target, weight):
    """Mean of -log of the probability of the true class, clipped by one unit in the last place.

    ``target`` numbers the outputs; every row's class must be one of them.
    """
    m, n = shares.shape[0], shares.shape[2]
    many = models_at_once(m, n)
    losses, logs, scratch = np.zeros(m), np.empty(many * n), np.empty(many * n)
    whole = weight.sum()
    for low in range(0, m, many):
        size = n * min(many, m - low)
        for first in range(0, size, n):
            for r in range(n):
                share = shares[low + first // n, target[r], r]
                logs[first + r] = min(max(share, EPS), 1.0 - EPS)
        logarithms(logs[:size], scratch[:size])
        for i in range(low, low + size // n):
            total, own = 0.0, logs[(i - low) * n :]
            for r in range(n):
                total -= weight[r] * own[r]
            losses[i] = total / whole
    return losses


@njit(cache=True, nogil=True, error_model="numpy")
def log_loss_errors(values, slack, way, shares, target, weight):
    """How far rounding may move log losses.

    Of two classes scikit-learn sees the probability of the second and takes it from 1. Of a row
    of the first class, little may be left there: a few units in the last place of 1, or of the
    largest value where its exponential is taken, or nothing at all.

    Parameters
    ----------
    values, way : see :func:`probabilities`
    slack : float64 (models, rows)
        How far rounding may move the differences of the values.
    shares : float64 (models, classes, rows)
        The probabilities.
    target, weight : see :func:`log_losses`
    """
    m, outputs, n = values.shape
    errors, whole, two = np.zeros(m), weight.sum(), shares.shape[1] == 2
    for i in range(m):
        own, total = values[i], 0.0
        for r in range(n):
            top = 1.0
            for c in range(outputs if way == LOGSUMEXP and outputs > 1 else 0):
                top = max(own[c, r], -1e300) if c == 0 else max(top, own[c, r])
            unit, loose = EPS * max(1.0, abs(top)), max(0.0, slack[i, r])
            share = shares[i, target[r], r]
            error = unit + 4.0 * EPS + loose * (1.0 - share) if share > 0.5 * EPS else 0.0
            if two and target[r] == 0:
                away = own[outputs - 1, r] - (own[0, r] if outputs == 2 else 0.0)
                rest = np.exp(-away) if away > 8.0 else 1.0
                error = loose + min(FARTHEST, (0.5 * unit + 2.0 * EPS) / rest)
                error = 0.0 if rest < 0.1 * unit * np.exp(-min(loose, 40.0)) else error
            total += weight[r] * error
        errors[i] = total / whole
    return errors


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
    shares, spread = np.empty((outputs, m, n)), np.empty((outputs, m, n))
    keys, many = np.zeros((outputs, m, n), dtype=np.uint64), models_at_once(m, n)
    odds, top, whole = np.empty((outputs, many * n)), np.empty(many * n), np.empty(many * n)
    sums, rest = np.empty(many * n), np.empty(many * n)
    value, scratch = np.empty(many * n), np.empty(many * n)
    for low in range(0, m, many):
        size = n * min(many, m - low)
        _gather(values, low, odds, size)
        _odds(odds, top[:size], whole[:size], scratch[:size])
        for r in range(size):
            sums[r] = whole[r]
        if way == LOGSUMEXP:
            _log_sums(top[:size], sums[:size], scratch[:size])
        for c in range(first, outputs):
            for r in range(size):
                rest[r] = 0.0
            for k in range(outputs):
                if k != c:
                    others = odds[k]
                    for r in range(size):
                        rest[r] += others[r]
            high = low + size // n
            own = shares[c, low:high].reshape(size)
            for at in range(0, size, n):
                given, copy = values[low + at // n, c], value[at : at + n]
                for r in range(n):
                    copy[r] = given[r]
            start = value if way == LOGSUMEXP else odds[c]
            for r in range(size):
                own[r] = start[r]
            _shares(own, sums[:size], way, scratch[:size])
            _ends(
                value, top, rest, whole, slack[low:high].reshape(size), way, own,
                spread[c, low:high].reshape(size), keys[c, low:high].reshape(size),
            )  # fmt: skip
    return shares, spread, keys


@njit(**_LOOPS)
def _ends(value, top, rest, whole, slack, way, shares, spread, keys):
    """How far rounding may move probabilities; those that are surely rounded to 1 or 0."""
    for r in range(len(shares)):
        below = value[r] - top[r]
        size = (abs(top[r]) if abs(top[r]) > 1.0 else 1.0) if way == LOGSUMEXP else 1.0
        loose = slack[r] if slack[r] > 0.0 else 0.0
        # Up to 1, probabilities move as values do; beyond it, only their ends are certain.
        vague, shrink = (0.0, 1.0) if loose < 1.0 else (np.inf, np.exp(-loose))
        error = rest[r] / whole[r] * loose + 2.0 * EPS * (1.0 + size) + vague
        # Numbers this small are rounded to whole multiples of the smallest one.
        error += 1.0 if below < -700.0 else 0.0
        one = below == 0.0 and rest[r] < EPS / 16.0 * size * shrink
        nothing = below < -760.0 - loose
        spread[r] = 0.0 if one or nothing else shares[r] * error
        shares[r] = 1.0 if one else (0.0 if nothing else shares[r])
        keys[r] = np.uint64(1) if one else (np.uint64(2) if nothing else np.uint64(0))
