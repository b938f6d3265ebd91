"""Logistic regression at its optimum for a batch of subsets, by damped Newton steps."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..exponentials import exponentials, summed_exponentials

_LOOPS = {"cache": True, "nogil": True, "error_model": "numpy"}
#: Sums may be added in any order: they are compared with tolerances only.
_SUMS = {**_LOOPS, "fastmath": {"reassoc", "contract"}}
#: The same for kernels that only other kernels call: they compile sooner.
_INNER = {**_SUMS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

#: Rows that are read together.
ROWS = 512
#: Newton decrement at which the last step is made, and the largest number of steps.
CLOSE, STEPS = 1e-10, 300
#: A pivot that is this small a share of its diagonal: columns depend on each other.
DEPENDENT = 1e-12
#: How far a step may pass the minimum along its line, as a share of the slope at its start.
PAST = 0.5
#: Steps that correct the second derivatives.
MEMORY = 10
#: A new factor of the second derivatives is worth its own cost and this many further steps.
MORE = 4.0
#: Steps with the first factor by classes; with each later one there are twice as many.
FEW = 8.0
#: Up to this many coefficients of several classes all second derivatives are used; beyond it
#: those within each class.
LARGEST = 192


@njit(**_LOOPS)
def solve_logistic(
    x, code, weight, penalty, shared, candidates, start, whole, weights, moves, solved
):
    """Find the optimum of penalised softmax regression for each subset.

    Parameters
    ----------
    x : float64 (columns, rows)
        Columns of training rows; an intercept is a column of ones.
    code : int64 (rows,)
        The class of each row.
    weight : float64 (rows,)
    penalty : float64 (columns,)
    shared : float
        0 for two classes; one over the number of classes if there are more.
    candidates : bool (m, columns)
    start : float64 (classes - 1, columns)
        Where the steps begin.
    whole : float64 ((classes - 1) * columns, the same)
        If ``start`` is the optimum over all columns, the second derivatives there: steps then
        begin at the minimum, over the subset, of the quadratic that they give. Else empty.
    weights : float64 (m, classes - 1, columns)
        Where the coefficients go: those of each class but the first, less those of the first.
    moves : float64 (m, classes - 1, columns)
        Where the last steps go; the coefficients are right up to about these.
    solved : bool (m,)
        Where it goes whether the steps ended.

    Notes
    -----
    The loss is the weighted sum of -log p(class) plus half the sum over the columns of
    penalty (sum of u² - shared (sum of u)²) for the coefficients u of a column: what the L2
    penalty of one coefficient per class leaves when only differences of classes count.

    Steps solve with a factor of the second derivatives, corrected by the steps since it was made
    (BFGS; Nocedal, 1980); it is made anew where that shortens the way. For many classes and
    columns the derivatives within each class stand for all of them. The length of a step is
    found by the slope along it alone: the loss is convex.
    """
    m, d = candidates.shape
    outputs, n = len(start), x.shape[1]
    members = np.empty(d, dtype=np.int64)
    for i in range(m):
        count = 0
        for j in range(d):
            if candidates[i, j]:
                members[count] = j
                count += 1
        solved[i] = False
        for t in range(outputs):
            for j in range(d):
                weights[i, t, j] = moves[i, t, j] = 0.0
        if count == 0:
            continue
        rows = np.empty((count, n))
        own, point = np.empty(count), np.empty((outputs, count))
        for a in range(count):
            given, column = x[members[a]], rows[a]
            for r in range(n):
                column[r] = given[r]
            own[a] = penalty[members[a]]
            for t in range(outputs):
                point[t, a] = start[t, members[a]]
        if len(whole):
            _project(whole, start, candidates[i], members[:count], point)
        move = np.zeros((outputs, count))
        solved[i] = _descend(rows, code, weight, own, shared, point, move)
        for a in range(count):
            for t in range(outputs):
                weights[i, t, members[a]] = point[t, a]
                moves[i, t, members[a]] = move[t, a]


@njit(**_INNER)
def _project(whole, start, candidate, members, point):
    """Move to the minimum over a subset of the quadratic about the optimum over all columns."""
    outputs, d = start.shape
    count = len(members)
    lower, right = np.empty((outputs * count, outputs * count)), np.zeros(outputs * count)
    for s in range(outputs):
        for a in range(count):
            row = whole[s * d + members[a]]
            for t in range(outputs):
                for b in range(count):
                    lower[s * count + a, t * count + b] = row[t * d + members[b]]
                for j in range(d):
                    if not candidate[j]:
                        right[s * count + a] += row[t * d + j] * start[t, j]
    if factor(lower):
        solve(lower, right)
        for s in range(outputs):
            for a in range(count):
                point[s, a] += right[s * count + a]


@njit(**_INNER)
def _descend(rows, code, weight, penalty, shared, point, move):
    """Minimise from ``point``, in place; return whether the steps became small."""
    outputs, count = point.shape
    size, n = outputs * count, rows.shape[1]
    exact = outputs == 1 or size <= LARGEST
    parts, wide = (1, size) if exact else (outputs + 1, count)
    lower = np.empty((parts, wide, wide))
    share, slope, steep = np.empty((outputs, n)), np.empty(point.shape), np.empty(point.shape)
    trial, flat = np.empty(point.shape), move.ravel()
    past, turns, scales = np.empty((MEMORY, size)), np.empty((MEMORY, size)), np.empty(MEMORY)
    patience = MORE + _cost_of_factor(n, count, outputs) if exact else FEW
    slopes(rows, code, weight, penalty, shared, point, share, slope)
    if not _refresh(rows, weight, penalty, shared, share, lower):
        return False
    kept, taken, first, straight = np.int64(0), np.int64(0), 0.0, np.bool_(True)
    for _ in range(STEPS):
        fall = _direct(lower, past, turns, scales, kept, slope, flat)
        if taken and not _worth(fall, first, taken, straight, patience, exact):
            if not _refresh(rows, weight, penalty, shared, share, lower):
                return False
            kept, taken = np.int64(0), np.int64(0)
            patience = patience if exact else 2.0 * patience
            fall = _direct(lower, past, turns, scales, kept, slope, flat)
        if not 0.0 <= fall < np.inf:
            return False
        first = fall if taken == 0 else first
        if fall <= CLOSE * CLOSE:
            add(point.ravel(), -1.0, flat)
            return True
        length = 1.0
        while True:
            for t in range(outputs):
                for a in range(count):
                    trial[t, a] = point[t, a] - length * move[t, a]
            slopes(rows, code, weight, penalty, shared, trial, share, steep)
            left = inner(steep.ravel(), flat)
            if left >= -PAST * fall:
                break
            # Where the slope along the line would vanish if it were straight.
            length *= max(0.1, fall / (fall - left))
            if length < 1e-8:
                return False
        kept += _remember(point, trial, slope, steep, past, turns, scales, kept)
        taken, straight = taken + 1, length == 1.0
    return False


@njit(**_INNER)
def _cost_of_factor(n, count, outputs):
    """Return how many gradients cost as much as all second derivatives and their factor."""
    wide, pairs = outputs * count, outputs * (outputs + 1) / 2
    derivatives = 0.5 * n * count * count * pairs + wide * wide * wide / 3.0
    return derivatives / (n * outputs * (2.0 * count + 10.0))


@njit(**_INNER)
def _worth(fall, first, taken, straight, patience, exact):
    """Whether the factor may stay: steps shrink quickly, or it is new if it is not exact."""
    if fall <= CLOSE * CLOSE:
        return True
    if not exact:
        return taken < patience
    if not straight or not fall < first:
        return False
    rate = np.log(first / fall) / taken
    return np.log(fall / (CLOSE * CLOSE)) <= patience * rate


@njit(**_INNER)
def _remember(point, trial, slope, steep, past, turns, scales, kept):
    """Go on to the trial, and keep the step and how it turned the slope; 1 if it was kept."""
    k, bend = kept % MEMORY, 0.0
    here, there, before, after = point.ravel(), trial.ravel(), slope.ravel(), steep.ravel()
    for p in range(len(here)):
        past[k, p] = there[p] - here[p]
        turns[k, p] = after[p] - before[p]
        bend += past[k, p] * turns[k, p]
        here[p], before[p] = there[p], after[p]
    if not bend > 0.0:
        return 0
    scales[k] = 1.0 / bend
    return 1


@njit(**_INNER)
def _direct(lower, past, turns, scales, kept, slope, flat):
    """Write the step; return how much the loss falls along it, to first order."""
    share = np.empty(MEMORY)
    steep = slope.ravel()
    for p in range(len(flat)):
        flat[p] = steep[p]
    for back in range(min(kept, MEMORY)):
        k = (kept - 1 - back) % MEMORY
        share[k] = scales[k] * inner(past[k], flat)
        add(flat, -share[k], turns[k])
    if len(lower) == 1:
        solve(lower[0], flat)
    else:
        _solve_by_class(lower, flat)
    for back in range(min(kept, MEMORY) - 1, -1, -1):
        k = (kept - 1 - back) % MEMORY
        add(flat, share[k] - scales[k] * inner(turns[k], flat), past[k])
    return inner(steep, flat)


@njit(**_INNER)
def _solve_by_class(lower, flat):
    """Solve with one factor per class, the first included, in differences from the first."""
    classes, count = len(lower), lower.shape[1]
    first, values = np.zeros(count), flat.reshape(classes - 1, count)
    for t in range(classes - 1):
        add(first, -1.0, values[t])
        solve(lower[t + 1], values[t])
    solve(lower[0], first)
    for t in range(classes - 1):
        add(values[t], -1.0, first)


@njit(**_INNER)
def _refresh(rows, weight, penalty, shared, share, lower):
    """Write the factor of the second derivatives; False where columns depend on each other."""
    if len(lower) == 1:
        curvature(rows, weight, penalty, shared, share, lower[0])
        return factor(lower[0])
    for c in range(len(lower)):
        if c == 0:
            own = np.ones((1, share.shape[1]))
            for t in range(len(share)):
                add(own[0], -1.0, share[t])
        else:
            own = share[c - 1 : c]
        curvature(rows, weight, penalty, 0.0, own, lower[c])
        if not factor(lower[c]):
            return False
    return True


@njit(**_SUMS)
def slopes(rows, code, weight, penalty, shared, point, share, slope):
    """Write the probabilities of each class but the first, and the gradient."""
    outputs, n = share.shape
    whole, scratch = np.empty(n), np.empty(n)
    np.dot(point, rows, share)
    if outputs == 1:
        _two_shares(share[0], whole, scratch)
    else:
        _shares(share, whole, scratch)
    away = np.empty((outputs, n))
    for t in range(outputs):
        part, out = share[t], away[t]
        for r in range(n):
            out[r] = weight[r] * (part[r] - (1.0 if code[r] == t + 1 else 0.0))
    np.dot(away, rows.T, slope)
    for a in range(point.shape[1]):
        total = 0.0
        for t in range(outputs):
            total += point[t, a]
        for t in range(outputs):
            slope[t, a] += penalty[a] * (point[t, a] - shared * total)


@njit(**_INNER)
def _two_shares(own, small, scratch):
    """Turn the logarithms of odds into probabilities."""
    for r in range(len(own)):
        small[r] = -abs(own[r])
    exponentials(small, scratch)
    for r in range(len(own)):
        own[r] = (1.0 if own[r] >= 0.0 else small[r]) / (1.0 + small[r])


@njit(**_INNER)
def _shares(share, whole, scratch):
    """Turn margins against the first class, whose own is 0, into probabilities."""
    top = np.zeros(share.shape[1])
    for t in range(len(share)):
        own = share[t]
        for r in range(len(top)):
            top[r] = own[r] if own[r] > top[r] else top[r]
    for r in range(len(top)):
        whole[r] = -top[r]
    exponentials(whole, scratch)
    for t in range(len(share)):
        add(share[t], -1.0, top)
        summed_exponentials(share[t], scratch, whole)
    for t in range(len(share)):
        own = share[t]
        for r in range(len(top)):
            own[r] /= whole[r]


@njit(**_SUMS)
def curvature(rows, weight, penalty, shared, share, lower):
    """Write the second derivatives: classes first, then columns.

    Between classes they are products of columns weighted by the probabilities of both.
    """
    outputs, count = len(share), len(rows)
    for p in range(len(lower)):
        for q in range(len(lower)):
            lower[p, q] = 0.0
    for low in range(0, len(weight), ROWS):
        part = np.ascontiguousarray(rows[:, low : low + ROWS])
        _add_curvature(part, weight[low : low + ROWS], share[:, low : low + ROWS], lower)
    for s in range(outputs):
        for t in range(s + 1):
            for a in range(count):
                lower[s * count + a, t * count + a] += penalty[a] * ((s == t) - shared)
    for p in range(len(lower)):
        for q in range(p):
            lower[q, p] = lower[p, q]


@njit(**_INNER)
def _add_curvature(rows, weight, share, lower):
    """Add the lower half of the second derivatives of some rows."""
    count, n = rows.shape
    bent, within, bend = np.empty((len(lower), n)), np.empty((count, n)), np.empty((2, n))
    own = np.empty((count, count))
    for s in range(len(share)):
        first, last = s * count, (s + 1) * count
        for r in range(n):
            bend[0, r] = np.sqrt(weight[r]) * share[s, r]
            bend[1, r] = weight[r] * share[s, r] * (1.0 - share[s, r])
        for a in range(count):
            row, out, other = rows[a], bent[first + a], within[a]
            for r in range(n):
                out[r], other[r] = bend[0, r] * row[r], bend[1, r] * row[r]
        np.dot(within, rows.T, own)
        _add_block(own, 1.0, lower, first, first)
        if s:
            _add_block(np.dot(bent[first:last], bent[:first].T), -1.0, lower, first, np.int64(0))


@njit(**_INNER)
def _add_block(block, sign, whole, first, low):
    """Add a block to a part of a matrix; see :mod:`..inner` on sums of slices."""
    for p in range(block.shape[0]):
        for q in range(block.shape[1]):
            whole[first + p, low + q] += sign * block[p, q]


@njit(**_INNER)
def factor(lower):
    """Turn a matrix into its Cholesky factor, in place, with inverses on the diagonal.

    False where a column depends on those before it.
    """
    for a in range(len(lower)):
        row, full = lower[a], lower[a, a]
        for b in range(a):
            other, value = lower[b], row[b]
            for t in range(b):
                value -= row[t] * other[t]
            row[b] = value * other[b]
        left = full
        for t in range(a):
            left -= row[t] * row[t]
        if not left > DEPENDENT * full:
            return False
        row[a] = 1.0 / np.sqrt(left)
    return True


@njit(**_INNER)
def solve(lower, values):
    """Solve L L' z = values in place."""
    for i in range(len(values)):
        value, row = values[i], lower[i]
        for t in range(i):
            value -= row[t] * values[t]
        values[i] = value * row[i]
    for i in range(len(values) - 1, -1, -1):
        row = lower[i]
        value = values[i] * row[i]
        values[i] = value
        for t in range(i):
            values[t] -= row[t] * value


@njit(**_INNER)
def inner(a, b):
    """Return the sum of products."""
    total = 0.0
    for p in range(len(a)):
        total += a[p] * b[p]
    return total


@njit(**_INNER)
def add(values, factor, others):
    """Add a multiple of some numbers to others, in place."""
    for p in range(len(values)):
        values[p] += factor * others[p]
