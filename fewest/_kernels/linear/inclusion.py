"""Posterior inclusion probabilities of blocks of columns in linear models, from cross products.

One matrix of cross products, swept for the columns of a model (Goodnight, 1979), holds all that
adding or removing one more block needs. The columns are about their means and of length 1, the
targets orthonormal, so that the block of the targets is what the model leaves unexplained.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot

#: Of a column that may join a model, at least this share must be unexplained by the model.
DEPENDENT = 1e-7
#: After so many sweeps the matrix is made again, so that rounding does not add up.
FRESH = 5


@hot
def _sweep(a, k, sign):
    """Sweep one column into a matrix (sign 1), or out of it (sign -1)."""
    pivot, size = a[k, k], len(a)
    for i in range(size):
        share = a[i, k] / pivot
        if i != k and share != 0.0:
            for j in range(size):
                if j != k:
                    a[i, j] -= share * a[k, j]
    for i in range(size):
        if i != k:
            a[i, k] *= sign / pivot
            a[k, i] = a[i, k]
    a[k, k] = -1.0 / pivot


@hot
def _log_determinant(a, size, sign, least):
    """Return the log determinant of ``sign * a``, or NaN; ``a`` is overwritten."""
    total = 0.0
    for k in range(size):
        if not sign * a[k, k] > least:
            return np.nan
        total += np.log(sign * a[k, k])
        for i in range(k + 1, size):
            share = a[i, k] / a[k, k]
            for j in range(k + 1, size):
                a[i, j] -= share * a[k, j]
    return total


@hot
def _gain(a, low, high, sign, rows, g, inverse, plain, moved):
    """Return by how much the log likelihood rises if a block joins (sign 1) or leaves (-1).

    By the matrix determinant lemma: the determinant of W - c C S⁻¹ C' over that of W, for the
    block W of the columns, their products C with the targets and the shrunken products S that are
    unexplained. -inf where the columns depend on those of the model.
    """
    q, size, shrink = len(inverse), high - low, g / (1.0 + g)
    first = len(a) - q
    for i in range(size):
        for j in range(i + 1):
            value = 0.0
            for s in range(q):
                for t in range(q):
                    value += a[low + i, first + s] * inverse[s, t] * a[low + j, first + t]
            plain[i, j] = plain[j, i] = a[low + i, low + j]
            moved[i, j] = moved[j, i] = plain[i, j] + shrink * value
    # The block of the columns of a model is minus an inverse.
    ratio = _log_determinant(moved, size, sign, 0.0) - _log_determinant(
        plain, size, sign, DEPENDENT
    )
    if np.isnan(ratio):
        return -np.inf
    return -0.5 * sign * size * q * np.log1p(g) - 0.5 * (rows - 1.0) * ratio


@hot
def _unexplained(a, g, inverse):
    """Put minus the inverse of what is unexplained, shrunken, into ``inverse``."""
    q, shrink = len(inverse), g / (1.0 + g)
    first = len(a) - q
    for i in range(q):
        for j in range(q):
            inverse[i, j] = shrink * a[first + i, first + j]
        inverse[i, i] += 1.0 - shrink
    for k in range(q):
        _sweep(inverse, k, 1.0)


@hot
def _move(a, low, high, sign, g, inverse):
    """Let a block join the model (sign 1), or leave it (-1)."""
    for k in range(low, high):
        _sweep(a, k, sign)
    _unexplained(a, g, inverse)


@njit(cache=True, nogil=True, error_model="numpy")
def enumerated_inclusion(cross, starts, rows, g, prior, most):
    """Return the inclusion probability of every block, from all models.

    cross: float64 (columns + targets, columns + targets); cross products; the columns of length 1
        first, then the orthonormal targets.
    starts: int64 (blocks + 1,); where each block begins.
    rows, g: number of rows, and the factor of the g-prior.
    prior: float64 (blocks + 1,); log prior probability of one model with so many blocks.
    most: models with more columns do not count, nor those whose columns depend on each other.

    Zellner's g-prior for several targets: log p(Y | model) = -k q/2 log(1 + g) - (n - 1)/2
    log det((1 - c) I + c R), with c = g/(1 + g), k columns, q targets and the unexplained
    products R of orthonormal targets (Brown, Vannucci and Fearn, 1998; for one target Liang et
    al., 2008, equation 6).
    """
    d, q = len(starts) - 1, len(cross) - starts[-1]
    widest = _widest(starts)
    plain, moved = np.empty((widest, widest)), np.empty((widest, widest))
    stack, inverse = np.empty((d + 1, len(cross), len(cross))), np.empty((d + 1, q, q))
    value, size = np.zeros(d + 1), np.zeros(d + 1, dtype=np.int64)
    columns = np.zeros(d + 1, dtype=np.int64)
    _copy(cross, stack[0])
    _unexplained(stack[0], g, inverse[0])
    logs = np.empty(1 << d)
    for model in range(1 << d):
        # The models count up in binary, the last block fastest: what is before stays.
        first = 0
        while model and (model >> (d - 1 - first)) == ((model - 1) >> (d - 1 - first)):
            first += 1
        for f in range(first, d):
            low, high = starts[f], starts[f + 1]
            _copy(stack[f], stack[f + 1])
            _copy(inverse[f], inverse[f + 1])
            value[f + 1], size[f + 1], columns[f + 1] = value[f], size[f], columns[f]
            if (model >> (d - 1 - f)) & 1 and value[f] > -np.inf:
                gain = _gain(stack[f], low, high, 1.0, rows, g, inverse[f], plain, moved)
                size[f + 1] += 1
                columns[f + 1] += high - low
                value[f + 1] += gain if columns[f + 1] <= most else -np.inf
                if value[f + 1] > -np.inf:
                    _move(stack[f + 1], low, high, 1.0, g, inverse[f + 1])
        logs[model] = value[d] + prior[size[d]]
    return _shares(logs, d)


@njit(cache=True, nogil=True)
def _shares(logs, d):
    """Return the share of the weight of the models that hold each block."""
    total, found, highest = 0.0, np.zeros(d), logs.max()
    for model in range(len(logs)):
        weight = np.exp(logs[model] - highest)
        total += weight
        for f in range(d):
            if (model >> (d - 1 - f)) & 1:
                found[f] += weight
    return found / total


@njit(cache=True, nogil=True, error_model="numpy")
def sampled_inclusion(cross, starts, rows, g, prior, most, uniform, burn):
    """Return estimates of the same probabilities by Gibbs sampling.

    A sweep flips every block by its conditional probability, then lets blocks of the model change
    places with one outside by theirs, as often as the model has blocks, so that correlated blocks
    stand in for each other. The estimate is the mean of the conditional probabilities of the flips
    (Rao and Blackwell).

    cross, starts, rows, g, prior, most: as for :func:`enumerated_inclusion`.
    uniform: float64 (sweeps, 3, blocks); random numbers for the flips, and for what leaves and what
        joins in the exchanges.
    burn: so many sweeps at the start do not count.
    """
    d, q = len(starts) - 1, len(cross) - starts[-1]
    widest = _widest(starts)
    plain, moved = np.empty((widest, widest)), np.empty((widest, widest))
    a, inverse, logs = np.empty(cross.shape), np.empty((q, q)), np.empty(d)
    inside, found = np.zeros(d, dtype=np.bool_), np.zeros(d)
    for sweep in range(len(uniform)):
        if sweep % FRESH == 0:
            _copy(cross, a)
            _unexplained(a, g, inverse)
            for f in range(d):
                if inside[f]:
                    _move(a, starts[f], starts[f + 1], 1.0, g, inverse)
        first = uniform[sweep, 0]
        _flip(a, starts, rows, g, prior, most, first, inverse, plain, moved, inside, logs)
        if sweep >= burn:
            for f in range(d):
                found[f] += logs[f]
        size, _ = _count(starts, inside)
        for turn in range(size):
            # Any block of the model is as likely to leave: exchanges must be reversible.
            go = _member(inside, int(uniform[sweep, 1, turn] * size))
            _move(a, starts[go], starts[go + 1], -1.0, g, inverse)
            inside[go] = False
            other = uniform[sweep, 2, turn]
            come = _draw(a, starts, rows, g, most, other, inverse, plain, moved, inside, logs)
            _move(a, starts[come], starts[come + 1], 1.0, g, inverse)
            inside[come] = True
    for f in range(d):
        found[f] /= len(uniform) - burn
    return found


@hot
def _copy(source, target):
    """Copy a matrix."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@hot
def _widest(starts):
    """Return the number of columns of the widest block."""
    widest = 0
    for f in range(len(starts) - 1):
        widest = max(widest, starts[f + 1] - starts[f])
    return widest


@hot
def _member(inside, place):
    """Return the block at a place among those of the model."""
    for f in range(len(inside)):
        place -= inside[f]
        if place < 0:
            return f
    return -1


@hot
def _flip(a, starts, rows, g, prior, most, uniform, inverse, plain, moved, inside, chance):
    """Draw every block anew given the others; ``chance`` gets their probabilities."""
    size, columns = _count(starts, inside)
    for f in range(len(inside)):
        low, high = starts[f], starts[f + 1]
        sign = -1 if inside[f] else 1
        gain = _gain(a, low, high, float(sign), rows, g, inverse, plain, moved)
        gain += prior[size + sign] - prior[size]
        if sign == 1 and columns + high - low > most:
            gain = -np.inf
        chance[f] = 1.0 / (1.0 + np.exp(-sign * gain))
        if (uniform[f] < chance[f]) != inside[f]:
            _move(a, low, high, float(sign), g, inverse)
            inside[f] = not inside[f]
            size += sign
            columns += sign * (high - low)


@hot
def _draw(a, starts, rows, g, most, uniform, inverse, plain, moved, inside, logs):
    """Return a block outside the model, drawn by the likelihood of the model with it."""
    _, columns = _count(starts, inside)
    highest = -np.inf
    for h in range(len(inside)):
        low, high = starts[h], starts[h + 1]
        logs[h] = -np.inf
        if not inside[h] and columns + high - low <= most:
            logs[h] = _gain(a, low, high, 1.0, rows, g, inverse, plain, moved)
        highest = max(highest, logs[h])
    total = 0.0
    for h in range(len(inside)):
        total += np.exp(logs[h] - highest)
    left, last = uniform * total, 0
    for h in range(len(inside)):
        if logs[h] > -np.inf:
            left -= np.exp(logs[h] - highest)
            last = h
            if left < 0.0:
                break
    return last


@hot
def _count(starts, inside):
    """Return the number of blocks and of columns in the model."""
    size, columns = 0, 0
    for f in range(len(inside)):
        if inside[f]:
            size += 1
            columns += starts[f + 1] - starts[f]
    return size, columns
