"""Values of linear rules for a batch of subsets, from sub-blocks of cross products."""

from __future__ import annotations

import numpy as np
from numba import njit

from .factor import backward, factor, forward, smallest_eigenvalues

EPS = 2.220446049250313e-16
#: What is done about nearly dependent columns: nothing, cut small eigenvalues relative to the
#: largest, cut them below a fixed number.
REGULARISED, RELATIVE, ABSOLUTE = 0, 1, 2


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
        count, trace, least = 0, 0.0, np.inf
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
def apply_rules(weights, middle, offset, x, reach, error, values, slack):
    """Values of linear rules for some rows.

    Parameters
    ----------
    weights : float64 (m, rules, d)
    middle : float64 (rules, d)
        Half of the product with it is subtracted.
    offset : float64 (rules,)
    x : float64 (d, rows)
    reach : float64 (d,)
        The largest magnitude of each column of ``x``.
    error : float64 (m,)
        Relative errors of the coefficients.
    values : float64 (m, rules, rows)
        Where the values go.
    slack : float64 (m, rows)
        Where a bound of their errors goes.
    """
    m, rules, d = weights.shape
    n = x.shape[1]
    members = np.empty(d, dtype=np.int64)
    for i in range(m):
        largest = 0.0
        for k in range(rules):
            start, size, count = offset[k], abs(offset[k]), 0
            for j in range(d):
                weight = weights[i, k, j]
                if weight != 0.0:
                    members[count] = j
                    count += 1
                    start -= 0.5 * weight * middle[k, j]
                    size += abs(weight) * (reach[j] + abs(middle[k, j]))
            largest = max(largest, size)
            own = values[i, k]
            for r in range(n):
                own[r] = start
            a = 0
            while a + 4 <= count:
                p, q, s, t = members[a], members[a + 1], members[a + 2], members[a + 3]
                first, second, third, fourth = x[p], x[q], x[s], x[t]
                wp, wq, ws, wt = (
                    weights[i, k, p],
                    weights[i, k, q],
                    weights[i, k, s],
                    weights[i, k, t],
                )
                for r in range(n):
                    own[r] += wp * first[r] + wq * second[r] + ws * third[r] + wt * fourth[r]
                a += 4
            while a < count:
                first, wp = x[members[a]], weights[i, k, members[a]]
                for r in range(n):
                    own[r] += wp * first[r]
                a += 1
        for r in range(n):
            slack[i, r] = 2.0 * error[i] * largest


@njit(cache=True, nogil=True, error_model="numpy")
def rule_sizes(weights, reach, middle, offset, drift, unit, square, sizes):
    """How large the terms of linear rules are: the largest of each over the rules.

    Parameters
    ----------
    weights, reach, middle, offset : as for :func:`apply_rules`
    drift : float64 (d,)
        How far rounding may move a value of each column.
    unit : float64 (d,)
        What one of each column is.
    square : float64 (d,)
        Sums of squares of the columns in these units.
    sizes : float64 (4, m)
        Where the sums of magnitudes go, then how far rounding of the columns moves the values,
        then the lengths of the rules in these units, then the squares of their columns.
    """
    m, rules, d = weights.shape
    for i in range(m):
        far, moved, long, wide = 0.0, 0.0, 0.0, 0.0
        for k in range(rules):
            size, step, length, width = abs(offset[k]), 0.0, 0.0, 0.0
            for j in range(d):
                weight = abs(weights[i, k, j])
                if weight != 0.0:
                    size += weight * (reach[j] + abs(middle[k, j]))
                    step += weight * drift[j]
                    length += (weight / unit[j]) ** 2
                    width += square[j]
            # Not max(): NaN must show.
            far = size if not size <= far else far
            moved, long, wide = max(moved, step), max(long, length), max(wide, width)
        sizes[0, i], sizes[1, i], sizes[2, i], sizes[3, i] = far, moved, np.sqrt(long), wide


@njit(cache=True, nogil=True, error_model="numpy")
def squared_errors(weights, products, with_target, of_target, sums, error):
    """Sums of squared errors of one linear rule per subset, from cross products alone.

    Parameters
    ----------
    weights : float64 (m, 1, d)
    products : float64 (d, d)
        Of the columns of the test rows, all about the training means.
    with_target : float64 (d,)
        Products with the target.
    of_target : float
        Square of the target.
    sums, error : float64 (m,)
        Where the sums go, and bounds of their errors.
    """
    m, _, d = weights.shape
    members = np.empty(d, dtype=np.int64)
    for i in range(m):
        count = 0
        for j in range(d):
            if weights[i, 0, j] != 0.0:
                members[count] = j
                count += 1
        total, size = of_target, of_target
        for a in range(count):
            j = members[a]
            own, part = products[j], 0.0
            for b in range(a):
                part += own[members[b]] * weights[i, 0, members[b]]
            part = 2.0 * part + own[j] * weights[i, 0, j] - 2.0 * with_target[j]
            total += weights[i, 0, j] * part
            size += abs(weights[i, 0, j]) * (abs(part) + 2.0 * abs(with_target[j]))
        sums[i] = max(total, 0.0)
        error[i] = 16.0 * EPS * (count + 1) * size


@njit(cache=True, nogil=True, error_model="numpy")
def rotated_errors(weights, columns, target, sums):
    """The same sums without products, where their large terms would cancel.

    Parameters
    ----------
    weights : float64 (m, 1, d)
    columns, target : float64 (d, p) and (p,)
        The test rows, rotated: R' of a QR factorisation of columns and target.
    sums : float64 (m,)
        Where the sums go.
    """
    m, _, d = weights.shape
    rest = np.empty(len(target))
    for i in range(m):
        for r in range(len(target)):
            rest[r] = target[r]
        for j in range(d):
            weight, own = weights[i, 0, j], columns[j]
            if weight != 0.0:
                for r in range(len(target)):
                    rest[r] -= weight * own[r]
        sums[i] = 0.0
        for r in range(len(target)):
            sums[i] += rest[r] * rest[r]


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
