"""Linear and quadratic rules for a batch of subsets, from sub-blocks of cross products."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot

EPS = 2.220446049250313e-16
#: What is done about nearly dependent columns: nothing, cut small eigenvalues relative to the
#: largest, cut them below a fixed number.
REGULARISED, RELATIVE, ABSOLUTE = 0, 1, 2
#: A singular value this near to the cut, relative to it, may be on either side.
NEAR = 1e-4
#: A column whose rest is this small a share of it depends on the others: rounding is left.
DEPENDENT = 1e-13


@hot
def factor(gram, ridge, members, count, lower):
    """Factor the block of some columns, row by row.

    Parameters
    ----------
    gram : float64 (d, d)
    ridge : float64 (d,)
        Added to the diagonal.
    members : int64
        The first ``count`` are the columns of the block.
    lower : float64 (d, d)
        Where the factor goes; its diagonal holds inverses.

    Returns
    -------
    float
        The smallest share of a column that the columns before it do not explain; 0 where a
        column depends on them, and the factor is not complete.
    """
    smallest = 1.0
    for a in range(count):
        j = members[a]
        row, known = lower[a], gram[j]
        for b in range(a):
            value, other = known[members[b]], lower[b]
            for t in range(b):
                value -= row[t] * other[t]
            row[b] = value * other[b]
        full = known[j] + ridge[j]
        left = full
        for t in range(a):
            left -= row[t] * row[t]
        if not left > DEPENDENT * full:
            return 0.0
        smallest = min(smallest, left / full)
        row[a] = 1.0 / np.sqrt(left)
    return smallest


@hot
def forward(lower, count, values):
    """Solve L z = values in place."""
    for i in range(count):
        value, row = values[i], lower[i]
        for t in range(i):
            value -= row[t] * values[t]
        values[i] = value * row[i]


@hot
def backward(lower, count, values):
    """Solve L' w = values in place."""
    for i in range(count - 1, -1, -1):
        row = lower[i]
        values[i] *= row[i]
        value = values[i]
        for t in range(i):
            values[t] -= row[t] * value


@hot
def smallest_eigenvalues(lower, count, members, unit, column):
    """Lower bounds of the smallest eigenvalue of the block, at most ``count`` times less.

    One over the trace of the inverse: the first in units of which one of each column is
    ``unit``, the second in those of the block. ``column`` is room for d numbers.
    """
    trace, plain = 0.0, 0.0
    for c in range(count):
        column[c] = lower[c, c]
        square = column[c] * column[c]
        for i in range(c + 1, count):
            value, row = 0.0, lower[i]
            for t in range(c, i):
                value -= row[t] * column[t]
            column[i] = value * row[i]
            square += column[i] * column[i]
        trace += square / (unit[members[c]] * unit[members[c]])
        plain += square
    return (1.0 / trace if trace > 0.0 else np.inf), (1.0 / plain if plain > 0.0 else np.inf)


@njit(cache=True, nogil=True, error_model="numpy")
def solve_rules(
    gram, ridge, right, unit, rank_rule, cut, dead, precision, candidates, weights, error, unsure
):  # fmt: skip
    """Coefficients of linear rules for each subset.

    Parameters
    ----------
    gram : float64 (d, d)
        Cross products of the training rows.
    ridge : float64 (d,)
        Added to the diagonal.
    right : float64 (rules, d)
        Right-hand sides.
    unit : float64 (d,)
        What one of each column is in the units in which the rank is judged.
    rank_rule : int
        ``REGULARISED``, ``RELATIVE`` or ``ABSOLUTE``.
    cut : float
        Eigenvalues up to this (relative to the largest) are cut off.
    dead : bool (d,)
        Columns whose coefficient is zero.
    precision : float
        Relative rounding error of the numbers that the solution is compared with.
    candidates : bool (m, d)
    weights : float64 (m, rules, d)
        Where the coefficients go, zero outside the subset.
    error : float64 (m,)
        Where the relative errors of the coefficients go.
    unsure : bool (m,)
        Set where columns are so nearly dependent that cross products do not tell.
    """
    m, d = candidates.shape
    lower = np.empty((d, d))
    members, column = np.empty(d, dtype=np.int64), np.empty(d)
    for i in range(m):
        count, trace, least = np.int64(0), 0.0, np.inf
        for j in range(d):
            if candidates[i, j] and not dead[j]:
                members[count] = j
                count += 1
                own = gram[j, j] * unit[j] * unit[j]
                trace, least = trace + own, min(least, own)
        smallest = factor(gram, ridge, members, count, lower)
        error[i] = 16.0 * precision * (count + 1) / smallest if smallest > 0.0 else np.inf
        if rank_rule == REGULARISED:
            unsure[i] = smallest < 1e-11
        else:
            limit = cut * trace if rank_rule == RELATIVE else cut
            unsure[i] = smallest < 1e-5
            if not unsure[i] and (smallest < 1e-3 or least < 1e6 * limit):
                floor = smallest_eigenvalues(lower, count, members, unit, column)[0]
                unsure[i] = floor < 1.01 * limit
        if smallest > 0.0:
            for k in range(len(right)):
                for j in range(d):
                    weights[i, k, j] = 0.0
                for a in range(count):
                    column[a] = right[k, members[a]]
                forward(lower, count, column)
                backward(lower, count, column)
                for a in range(count):
                    weights[i, k, members[a]] = column[a]
        else:
            for k in range(len(right)):
                for j in range(d):
                    weights[i, k, j] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def refine_rules(
    columns, right, least_squares, relative, cut, dead, precision, candidates, weights, error
):  # fmt: skip
    """Coefficients over nearly dependent columns, by singular values instead of cross products.

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
    dead, precision, candidates, weights : as for :func:`solve_rules`
    error : float64 (m,)
        Where relative errors go; infinite where an eigenvalue is too near to the cut.
    """
    for i in range(len(candidates)):
        weights[i] = 0.0
        members = np.flatnonzero(candidates[i] & ~dead)
        turn, sizes, rows = np.linalg.svd(columns[members], False)
        limit = np.sqrt(cut) * (sizes[0] if relative else 1.0)
        kept = 0
        while kept < len(sizes) and sizes[kept] > limit:
            kept += 1
        error[i] = np.inf
        if kept == 0 or np.abs(sizes - limit).min() <= NEAR * limit:
            continue
        # Products square what columns lose.
        ratio = sizes[0] / sizes[kept - 1]
        ratio = ratio if least_squares else ratio * ratio
        error[i] = 16.0 * precision * (len(members) + 1) * ratio
        back = np.ascontiguousarray(turn[:, :kept].T)
        known = rows[:kept] * sizes[:kept].reshape(kept, 1)
        for k in range(len(right)):
            share = np.dot(known, right[k]) if least_squares else np.dot(back, right[k][members])
            share /= sizes[:kept] * sizes[:kept]
            part = np.dot(share, back)
            for a in range(len(members)):
                weights[i, k, members[a]] = part[a]


@njit(cache=True, nogil=True, error_model="numpy")
def cut_directions(weights, right, share, cut, unsure):
    """Mark the subsets in which some direction between the class means is nearly nothing.

    Parameters
    ----------
    weights, right : float64 (m, classes, d) and (classes, d)
        Rules and class means about the common mean, as in :func:`solve_rules`.
    share : float64 (classes,)
        Weights of the classes.
    cut : float
        Squared singular values up to this, relative to the largest, would be cut off.
    unsure : bool (m,)
        Set where one may be.

    Notes
    -----
    Cholesky with the largest pivot first: the smallest pivot is near the smallest eigenvalue.
    Where a factor of a thousand between "near" and the cut is not left, eigenvalues are computed.
    """
    m, n_classes, d = weights.shape
    inner = np.empty((n_classes, n_classes))
    for i in range(m):
        rank = 0
        for j in range(d):
            rank += weights[i, 0, j] != 0.0 or weights[i, n_classes - 1, j] != 0.0
        rank = min(rank, n_classes - 1)
        trace = 0.0
        for a in range(n_classes):
            for b in range(n_classes):
                value = 0.0
                for j in range(d):
                    value += weights[i, a, j] * right[b, j]
                inner[a, b] = value * np.sqrt(share[a] * share[b])
            trace += inner[a, a]
        if _smallest_pivot(inner.copy(), rank) <= 1e3 * cut * trace:
            values = np.linalg.eigvalsh(inner)
            for a in range(n_classes):
                # What is nothing up to rounding is cut off for certain, and changes nothing.
                low, high = 1e-12 * values[-1], 1.02 * cut * values[-1]
                unsure[i] = unsure[i] or low < values[a] <= high
            unsure[i] = unsure[i] or not values[-1] > 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _smallest_pivot(inner, rank):
    """The last of some pivots, the largest first, of a symmetric matrix that is overwritten."""
    n = len(inner)
    pivot = np.inf
    for step in range(rank):
        best = step
        for a in range(step, n):
            best = a if inner[a, a] > inner[best, best] else best
        for a in range(n):
            inner[a, step], inner[a, best] = inner[a, best], inner[a, step]
        for a in range(n):
            inner[step, a], inner[best, a] = inner[best, a], inner[step, a]
        pivot = inner[step, step]
        if not pivot > 0.0:
            return 0.0
        for a in range(step + 1, n):
            for b in range(step + 1, n):
                inner[a, b] -= inner[a, step] * inner[step, b] / pivot
    return pivot


@njit(cache=True, nogil=True, error_model="numpy")
def quadratic_values(
    covariance, ridge, mean, log_prior, x, unit, cut, drift, precision, candidates, values,
    slack, unsure,
):  # fmt: skip
    """Log-densities of some rows in each class, up to a constant, for each subset.

    Parameters
    ----------
    covariance : float64 (classes, d, d)
    ridge : float64 (d,)
        Added to the diagonals.
    mean : float64 (classes, d)
    log_prior : float64 (classes,)
    x : float64 (d, rows)
    unit : float64 (d,)
        What one of each column is in the units in which the rank is judged.
    cut : float
        An eigenvalue up to this makes a matrix singular.
    drift : float64 (d,)
        How far rounding may move a value of each column.
    precision : float
        Relative rounding error of the numbers that the values are compared with.
    candidates : bool (m, d)
    values : float64 (m, classes, rows)
        Where the values go.
    slack : float64 (m, rows)
        Where bounds of their errors go.
    unsure : bool (m,)
        Set where a matrix is nearly singular.
    """
    m, d = candidates.shape
    n = x.shape[1]
    lower, rows = np.empty((d, d)), np.empty((d, n))
    members, column = np.empty(d, dtype=np.int64), np.empty(d)
    for i in range(m):
        count, moved = np.int64(0), 0.0
        for j in range(d):
            if candidates[i, j]:
                members[count] = j
                count += 1
                moved += drift[j] * drift[j]
        for r in range(n):
            slack[i, r] = 0.0
        for c in range(len(mean)):
            smallest = factor(covariance[c], ridge, members, count, lower)
            floor, least = 0.0, 0.0
            if smallest > 0.0:
                floor, least = smallest_eigenvalues(lower, count, members, unit, column)
            if floor <= 1.01 * cut:
                unsure[i] = True
                break
            start = log_prior[c]
            for a in range(count):
                start += np.log(lower[a, a])
            own = values[i, c]
            for r in range(n):
                own[r] = start
            _subtract_distances(lower, count, members, mean[c], x, rows, own)
            share = 32.0 * precision * (count + 1) / smallest
            # No value moves further than rounding over the least spread.
            step = np.sqrt(moved / least)
            share += step
            known = share * (1.0 + abs(start))
            near = slack[i]
            for r in range(n):
                near[r] = max(near[r], known + share * abs(own[r]))


@njit(cache=True, nogil=True, error_model="numpy")
def _subtract_distances(lower, count, members, mean, x, rows, own):
    """Subtract half the squared distances, one column after the other."""
    n = len(own)
    for a in range(count):
        j = members[a]
        row, value, centre = rows[a], x[j], mean[j]
        for r in range(n):
            row[r] = value[r] - centre
        for t in range(a):
            weight, known = lower[a, t], rows[t]
            for r in range(n):
                row[r] -= weight * known[r]
        inverse = lower[a, a]
        for r in range(n):
            row[r] *= inverse
            own[r] -= 0.5 * row[r] * row[r]
