"""Rules over nearly dependent columns: orthogonal transformations instead of cross products."""

from __future__ import annotations

import numpy as np
from numba import njit

from .factor import smallest_eigenvalue

EPS = 2.220446049250313e-16
#: A singular value this near to the cut, relative to it, may be on either side.
NEAR = 1e-4


@njit(cache=True, nogil=True, error_model="numpy")
def refine_rules(triangle, right, least_squares, relative, cut, dead, candidates, weights, error):
    """Coefficients of rules, by QR and singular values of the columns of each subset.

    Parameters
    ----------
    triangle : float64 (p, d)
        The columns, rotated: R of a QR factorisation of the training rows.
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
    candidates : bool (m, d)
    weights : float64 (m, rules, d)
        Where the coefficients go.
    error : float64 (m,)
        Where their relative errors go; infinite where an eigenvalue is too near to the cut.
    """
    m, d = candidates.shape
    p, rules = triangle.shape[0], len(right)
    ones = np.ones(d)
    column, members = np.empty(d), np.empty(d, dtype=np.int64)
    for i in range(m):
        count = 0
        for j in range(d):
            if candidates[i, j] and not dead[j]:
                members[count] = j
                count += 1
        block = np.empty((p, count + (rules if least_squares else 0)))
        trace = 0.0
        for a in range(count):
            for r in range(p):
                block[r, a] = triangle[r, members[a]]
                trace += block[r, a] * block[r, a]
        if least_squares:
            for k in range(rules):
                for r in range(p):
                    block[r, count + k] = right[k, r]
        _triangular(block, count)
        size = min(count, p)
        lower, order = np.zeros((count, count)), np.arange(count)
        full = p >= count
        for a in range(size):
            for b in range(a + 1):
                lower[a, b] = block[b, a]
            full = full and block[a, a] != 0.0
            lower[a, a] = 1.0 / block[a, a] if block[a, a] != 0.0 else 0.0
        limit = cut * trace if relative else cut
        floor = smallest_eigenvalue(lower, count, order, ones, column) if full else 0.0
        weights[i] = 0.0
        if floor > 1.01 * limit:
            error[i] = 16.0 * EPS * (count + 1) * np.sqrt(trace / floor)
            _back(block, lower, count, members, right, least_squares, column, weights[i])
        else:
            error[i] = _shortest(
                block, count, size, members, right, least_squares, relative, cut, weights[i]
            )
        if not least_squares:
            error[i] *= error[i] / (16.0 * EPS * (count + 1)) if error[i] < np.inf else 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def _triangular(block, count):
    """Householder reflections that clear the first ``count`` columns below the diagonal."""
    p, q = block.shape
    for a in range(min(count, p)):
        norm = 0.0
        for r in range(a, p):
            norm += block[r, a] * block[r, a]
        norm = np.sqrt(norm)
        if norm == 0.0:
            continue
        top = -norm if block[a, a] > 0.0 else norm
        first = block[a, a] - top
        scale = -1.0 / (top * first)
        for c in range(a + 1, q):
            inner = first * block[a, c]
            for r in range(a + 1, p):
                inner += block[r, a] * block[r, c]
            inner *= scale
            block[a, c] -= inner * first
            for r in range(a + 1, p):
                block[r, c] -= inner * block[r, a]
        block[a, a] = top
        for r in range(a + 1, p):
            block[r, a] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _back(block, lower, count, members, right, least_squares, column, weights):
    """Substitution in the triangle."""
    for k in range(len(right)):
        for a in range(count):
            if least_squares:
                column[a] = block[a, count + k]
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
    """The shortest solution without small singular values; returns its relative error."""
    left, values, turned = np.linalg.svd(np.ascontiguousarray(block[:size, :count]), False)
    limit = np.sqrt(cut) * values[0] if relative else np.sqrt(cut)
    rank, near = 0, False
    for a in range(len(values)):
        near = near or abs(values[a] - limit) <= NEAR * limit
        rank += values[a] > limit
    for k in range(len(right)):
        for a in range(rank):
            inner = 0.0
            if least_squares:
                for r in range(size):
                    inner += left[r, a] * block[r, count + k]
                inner /= values[a]
            else:
                for b in range(count):
                    inner += turned[a, b] * right[k, members[b]]
                inner /= values[a] * values[a]
            for b in range(count):
                weights[k, members[b]] += inner * turned[a, b]
    if near or rank == 0:
        return np.inf
    return 16.0 * EPS * (count + 1) * values[0] / values[rank - 1]
