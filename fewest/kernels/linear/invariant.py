"""The invariant space of the small eigenvalues of X'X, X = [B, C] with C nearly in the span of B.

With C = BT + E, E at right angles to B, it is spanned by N = [-U; I] where U = T + (B'B)⁻¹UK and
K = (I + T'U)⁻¹E'E: then X'XN = NK. Matrices are held as rows of T' and U'; sizes are ``kept``
columns in B and ``rest`` columns in C.
"""

from __future__ import annotations

import numpy as np

from ..inner import hot
from .factor import backward, factor, forward

#: Rounds that turn N; each shrinks its error by the ratio of the eigenvalues.
ROUNDS = 2
#: Times that a matrix is squared to find its largest eigenvalue.
SQUARES = 7


@hot
def combinations(gram, unit, columns, free, kept, bound, rest, lower, across, away, room):
    """The rows of T', in the units of ``columns``, and those of E'.

    From cross products, then corrected by what the columns themselves leave along B.
    """
    p = columns.shape[1]
    for k in range(rest):
        own, left, known = across[k], away[k], gram[bound[k]]
        for b in range(kept):
            value, row = known[free[b]], lower[b]
            for t in range(b):
                value -= own[t] * row[t]
            own[b] = value * row[b]
        backward(lower, kept, own)
        for r in range(p):
            left[r] = columns[bound[k], r]
        for b in range(kept):
            own[b] *= unit[bound[k]] / unit[free[b]]
            _take(left, own[b], columns[free[b]])
        for b in range(kept):
            value, other = 0.0, columns[free[b]]
            for r in range(p):
                value += left[r] * other[r]
            room[b] = value
        solve_block(lower, kept, free, unit, room)
        for b in range(kept):
            own[b] += room[b]
            _take(left, room[b], columns[free[b]])


@hot
def _take(left, share, other):
    for r in range(len(left)):
        left[r] -= share * other[r]


@hot
def solve_block(lower, kept, free, unit, values):
    """Apply (B'B)⁻¹ in the units of the columns."""
    for b in range(kept):
        values[b] /= unit[free[b]]
    forward(lower, kept, values)
    backward(lower, kept, values)
    for b in range(kept):
        values[b] /= unit[free[b]]


@hot
def turn(columns, unit, free, kept, rest, lower, across, away, turned, first, second, room):
    """The rows of U', from T; those of E' become those of (XN)'."""
    for k in range(rest):
        for b in range(kept):
            turned[k, b] = across[k, b]
    for _ in range(ROUNDS):
        one_plus(across, turned, kept, rest, first, second)
        inner_products(away, rest, second)
        for s in range(rest):
            for b in range(kept):
                room[s, b] = 0.0
            for k in range(rest):
                value = 0.0
                for t in range(rest):
                    value += first[k, t] * second[t, s]
                for b in range(kept):
                    room[s, b] += turned[k, b] * value
        for s in range(rest):
            solve_block(lower, kept, free, unit, room[s])
            for b in range(kept):
                turned[s, b] = across[s, b] + room[s, b]
    for k in range(rest):
        for b in range(kept):
            _take(away[k], turned[k, b] - across[k, b], columns[free[b]])


@hot
def inner_products(rows, size, out):
    """Of the first rows."""
    for k in range(size):
        for s in range(k + 1):
            value = 0.0
            for r in range(rows.shape[1]):
                value += rows[k, r] * rows[s, r]
            out[k, s] = out[s, k] = value


@hot
def one_plus(first, second, kept, size, inverse, room):
    """The inverse of I + FS by elimination, F and S' by rows; it is nearly symmetric."""
    for k in range(size):
        for s in range(size):
            value = 1.0 if s == k else 0.0
            for b in range(kept):
                value += first[k, b] * second[s, b]
            room[k, s] = value
            inverse[k, s] = 1.0 if s == k else 0.0
    for k in range(size):
        pivot = 1.0 / room[k, k]
        for s in range(size):
            room[k, s] *= pivot
            inverse[k, s] *= pivot
        for t in range(size):
            share = room[t, k]
            if t != k and share != 0.0:
                for s in range(size):
                    room[t, s] -= share * room[k, s]
                    inverse[t, s] -= share * inverse[k, s]


@hot
def small_directions(turned, kept, rest, away, nothing, order, values, vectors, first, second):
    """Eigenvalues of the small space, and its eigenvectors, of length 1, in terms of N (rows).

    Rotations (Jacobi, 1846) of the inner products of XN, about those of N.
    """
    for k in range(rest):
        for s in range(rest):
            value = 1.0 if s == k else 0.0
            for b in range(kept):
                value += turned[k, b] * turned[s, b]
            first[k, s] = value
    factor(first, nothing, order, rest, second)
    # The rows of the inverse of the factor are an orthonormal basis.
    for k in range(rest):
        for s in range(rest):
            vectors[k, s] = 0.0
        vectors[k, k] = second[k, k]
        for t in range(k):
            share = second[k, t] * second[k, k]
            for s in range(t + 1):
                vectors[k, s] -= share * vectors[t, s]
    inner_products(away, rest, first)
    for k in range(rest):
        for s in range(rest):
            value = 0.0
            for t in range(rest):
                for u in range(rest):
                    value += vectors[k, t] * first[t, u] * vectors[s, u]
            second[k, s] = value
    _rotate(second, rest, vectors)
    for k in range(rest):
        values[k] = max(second[k, k], 0.0)


@hot
def _rotate(matrix, size, vectors):
    """Make a symmetric matrix diagonal by rotations, which the rows of ``vectors`` follow."""
    for _ in range(30):
        done = True
        for a in range(size - 1):
            for b in range(a + 1, size):
                off = matrix[a, b]
                if off * off <= 1e-32 * abs(matrix[a, a] * matrix[b, b]):
                    continue
                done = False
                zeta = (matrix[b, b] - matrix[a, a]) / (2.0 * off)
                root = abs(zeta) + np.sqrt(1.0 + zeta * zeta)
                tangent = 1.0 / root if zeta >= 0.0 else -1.0 / root
                cosine = 1.0 / np.sqrt(1.0 + tangent * tangent)
                sine = cosine * tangent
                for t in range(size):
                    x, y = matrix[a, t], matrix[b, t]
                    matrix[a, t], matrix[b, t] = cosine * x - sine * y, sine * x + cosine * y
                    x, y = vectors[a, t], vectors[b, t]
                    vectors[a, t], vectors[b, t] = cosine * x - sine * y, sine * x + cosine * y
                for t in range(size):
                    x, y = matrix[t, a], matrix[t, b]
                    matrix[t, a], matrix[t, b] = cosine * x - sine * y, sine * x + cosine * y
        if done:
            return


@hot
def parted(values, rest, cut, near, matrix, size, room):
    """The largest eigenvalue of a matrix, as far as a cut relative to it needs it; 0 if in doubt.

    ``matrix`` is symmetric and positive; it and ``room`` are overwritten. With traces t(q) of its
    powers the largest eigenvalue is at most t(2q) ** (1 / 2q), and at least
    (t(2q) / t(q)) ** (1 / q).
    """
    trace = 0.0
    for a in range(size):
        trace += matrix[a, a]
    power, last = 1.0, 1.0
    for a in range(size):
        for b in range(size):
            matrix[a, b] /= trace
    for _ in range(SQUARES):
        total = 0.0
        for a in range(size):
            for b in range(size):
                total += matrix[a, b] * matrix[a, b]
        high, low = trace * total ** (0.5 / power), trace * (total / last) ** (1.0 / power)
        clear = True
        for k in range(rest):
            kept = values[k] > (1.0 + near) * cut * high
            clear = clear and (kept or values[k] < (1.0 - near) * cut * low)
        if clear:
            return 0.5 * (low + high)
        for a in range(size):
            for b in range(size):
                room[a, b] = 0.0
            for t in range(size):
                share = matrix[a, t]
                for b in range(size):
                    room[a, b] += share * matrix[t, b]
        for a in range(size):
            for b in range(size):
                matrix[a, b] = room[a, b]
        power, last = 2.0 * power, total
    return 0.0
