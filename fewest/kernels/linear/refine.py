"""Rules over nearly dependent columns: orthogonal transformations instead of cross products."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot
from .factor import smallest_eigenvalues

#: A singular value this near to the cut, relative to it, may be on either side.
NEAR = 1e-4


@njit(cache=True, nogil=True, error_model="numpy")
def refine_rules(
    columns, right, least_squares, relative, cut, dead, precision, candidates, weights, error
):  # fmt: skip
    """Coefficients of rules, by QR and singular values of the columns of each subset.

    Parameters
    ----------
    columns : float64 (d, p)
        The columns, rotated: R' of a QR factorisation of the training rows.
    right : float64 (rules, p) or (rules, d)
        Rotated targets for least squares; else right-hand sides b, and the rules are W⁻¹b with
        W = R'R.
    least_squares : bool
    relative : bool
        Whether ``cut`` is relative to the largest eigenvalue.
    cut : float
        Eigenvalues of R'R up to this are cut off; the solution is the shortest one.
    dead : bool (d,)
        Columns whose coefficient is zero.
    precision : float
        Relative rounding error of the numbers that the solution is compared with.
    candidates : bool (m, d)
    weights : float64 (m, rules, d)
        Where the coefficients go.
    error : float64 (m,)
        Where their relative errors go; infinite where an eigenvalue is too near to the cut.
    """
    m, d = candidates.shape
    p, rules = columns.shape[1], len(right)
    ones = np.ones(d)
    column, members = np.empty(d), np.empty(d, dtype=np.int64)
    for i in range(m):
        count = 0
        for j in range(d):
            if candidates[i, j] and not dead[j]:
                members[count] = j
                count += 1
        block = np.empty((count + (rules if least_squares else 0), p))
        trace = 0.0
        for a in range(count):
            for r in range(p):
                block[a, r] = columns[members[a], r]
                trace += block[a, r] * block[a, r]
        if least_squares:
            for k in range(rules):
                for r in range(p):
                    block[count + k, r] = right[k, r]
        _triangular(block, count, members)
        size = min(count, p)
        lower, order = np.zeros((count, count)), np.arange(count)
        full = p >= count
        for a in range(size):
            for b in range(a + 1):
                lower[a, b] = block[a, b]
            full = full and block[a, a] != 0.0
            lower[a, a] = 1.0 / block[a, a] if block[a, a] != 0.0 else 0.0
        limit = cut * trace if relative else cut
        floor = smallest_eigenvalues(lower, count, order, ones, column)[0] if full else 0.0
        weights[i] = 0.0
        if floor > 1.01 * limit:
            error[i] = np.sqrt(trace / floor)
            _back(block, lower, count, members, right, least_squares, column, weights[i])
        else:
            error[i] = _shortest(
                block, count, size, members, right, least_squares, relative, cut, weights[i]
            )
        # Products square what columns lose.
        ratio = error[i] if least_squares else error[i] * error[i]
        error[i] = 16.0 * precision * (count + 1) * ratio


@hot
def _triangular(block, count, members):
    """Householder reflections that clear the first ``count`` columns below the diagonal.

    ``block`` holds one column in each row. The longest column comes next, so that the diagonal
    tells the rank; ``members`` are put in the same order.
    """
    q, p = block.shape
    for a in range(min(count, p)):
        longest, norm = a, -1.0
        for c in range(a, count):
            length = 0.0
            for r in range(a, p):
                length += block[c, r] * block[c, r]
            if length > norm:
                longest, norm = c, length
        if norm == 0.0:
            return
        if longest != a:
            members[a], members[longest] = members[longest], members[a]
            for r in range(p):
                block[a, r], block[longest, r] = block[longest, r], block[a, r]
        own = block[a]
        norm = np.sqrt(norm)
        top = -norm if own[a] > 0.0 else norm
        first = own[a] - top
        scale = -1.0 / (top * first)
        for c in range(a + 1, q):
            other = block[c]
            inner = first * other[a]
            for r in range(a + 1, p):
                inner += own[r] * other[r]
            inner *= scale
            other[a] -= inner * first
            for r in range(a + 1, p):
                other[r] -= inner * own[r]
        own[a] = top
        for r in range(a + 1, p):
            own[r] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _back(block, lower, count, members, right, least_squares, column, weights):
    """Substitution in the triangle."""
    for k in range(len(right)):
        for a in range(count):
            if least_squares:
                column[a] = block[count + k, a]
            else:
                value = right[k, members[a]]
                for t in range(a):
                    value -= lower[a, t] * column[t]
                column[a] = value * lower[a, a]
        for a in range(count - 1, -1, -1):
            column[a] *= lower[a, a]
            for t in range(a):
                column[t] -= lower[a, t] * column[a]
        for a in range(count):
            weights[k, members[a]] = column[a]


@njit(cache=True, nogil=True, error_model="numpy")
def _shortest(block, count, size, members, right, least_squares, relative, cut, weights):
    """The shortest solution without small singular values; returns the ratio of those kept.

    The rows of the triangle are turned until they are orthogonal: their lengths are then the
    singular values σ, their directions the right singular vectors. Targets turn with them.
    """
    rules = len(right)
    turned = np.zeros((size, count + rules))
    for a in range(size):
        for b in range(a, count):
            turned[a, b] = block[b, a]
        for k in range(rules if least_squares else 0):
            turned[a, count + k] = block[count + k, a]
    _orthogonal(turned, count)
    squares, largest = np.empty(size), 0.0
    for a in range(size):
        value = 0.0
        for b in range(count):
            value += turned[a, b] * turned[a, b]
        squares[a] = value
        largest = max(largest, value)
    limit = np.sqrt(cut * largest) if relative else np.sqrt(cut)
    near, smallest = False, np.inf
    for a in range(size):
        own = np.sqrt(squares[a])
        near = near or abs(own - limit) <= NEAR * limit
        smallest = min(smallest, own) if own > limit else smallest
    for k in range(rules):
        for a in range(size):
            if np.sqrt(squares[a]) > limit:
                inner = turned[a, count + k]
                if not least_squares:
                    for b in range(count):
                        inner += turned[a, b] * right[k, members[b]]
                    inner /= squares[a]
                inner /= squares[a]
                for b in range(count):
                    weights[k, members[b]] += inner * turned[a, b]
    if near or smallest == np.inf:
        return np.inf
    return np.sqrt(largest) / smallest


@hot
def _orthogonal(rows, count):
    """Turn pairs of rows until all are orthogonal in their first ``count`` entries.

    One-sided rotations (Hestenes, 1958) on the transposed triangle of a factorisation with the
    longest column first, where few of them are needed (Drmač and Veselić, 2008).
    """
    size, whole = rows.shape
    for _ in range(60):
        done = True
        for a in range(size - 1):
            first = rows[a]
            for b in range(a + 1, size):
                second = rows[b]
                alpha, beta, gamma = 0.0, 0.0, 0.0
                for r in range(count):
                    alpha += first[r] * first[r]
                    beta += second[r] * second[r]
                    gamma += first[r] * second[r]
                if gamma * gamma <= 1e-31 * alpha * beta:
                    continue
                done = False
                zeta = (beta - alpha) / (2.0 * gamma)
                root = abs(zeta) + np.sqrt(1.0 + zeta * zeta)
                tangent = 1.0 / root if zeta >= 0.0 else -1.0 / root
                cosine = 1.0 / np.sqrt(1.0 + tangent * tangent)
                sine = cosine * tangent
                for r in range(whole):
                    x, y = first[r], second[r]
                    first[r], second[r] = cosine * x - sine * y, sine * x + cosine * y
        if done:
            break
