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
ROWS = 256
#: Newton decrement at which the last step is made, and the largest number of steps.
CLOSE, STEPS = 1e-10, 300
#: A pivot that is this small a share of its diagonal: columns depend on each other.
DEPENDENT = 1e-12
#: How far a step may pass the minimum along its line, as a share of the slope at its start.
PAST = 0.5
#: With this many rows the steps begin at the optimum of about ``THIN`` of them.
LONG, THIN = 1 << 13, 1 << 11
#: Steps that correct the second derivatives.
MEMORY = 10
#: A new factor of the second derivatives is worth its own cost and this many further steps.
MORE = 4.0
#: Steps with the first factor by classes; with each later one there are twice as many.
FEW = 4.0
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
        rows = np.zeros(((count + 3) // 4 * 4, n))
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
        if n >= LONG:
            _approach(rows, code, weight, own, shared, point, move)
        solved[i] = _descend(rows, code, weight, own, shared, point, move)
        for a in range(count):
            for t in range(outputs):
                weights[i, t, members[a]] = point[t, a]
                moves[i, t, members[a]] = move[t, a]


@njit(**_SUMS)
def decide(weights, moves, centre, rounding, x, values, slack, loose):
    """Write decision values of some rows, and how far they may be off.

    Parameters
    ----------
    weights, moves : float64 (m, outputs, columns)
        Coefficients, and how far they may be off.
    centre : float64 (columns,)
        What was taken from each column, in its own units.
    rounding : float
        Relative rounding error of a sum over the columns as the estimator takes it.
    x : float64 (columns, rows)
    values : float64 (m, outputs, rows)
        Where the decision values go.
    slack : float64 (m, rows)
        Where it goes how far differences of them may be off.
    loose : float64 (m,)
        Where the largest part of that which is not rounding goes.
    """
    m, outputs, d = weights.shape
    n = x.shape[1]
    off, near = np.empty(n), np.empty(n)
    for i in range(m):
        loose[i] = 0.0
        for r in range(n):
            slack[i, r] = 0.0
        for t in range(outputs):
            own, fixed = values[i, t], 0.0
            for r in range(n):
                own[r] = off[r] = near[r] = 0.0
            for j in range(d):
                weight, move = weights[i, t, j], abs(moves[i, t, j])
                if weight != 0.0 or move != 0.0:
                    column, close = x[j], rounding * abs(weight)
                    fixed += close * centre[j]
                    for r in range(n):
                        own[r] += weight * column[r]
                        off[r] += move * abs(column[r])
                        near[r] += close * abs(column[r])
            for r in range(n):
                # Not max: NaN must stay.
                slack[i, r] += off[r] + near[r] + fixed
                loose[i] = loose[i] if loose[i] > off[r] else off[r]


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
def _approach(rows, code, weight, penalty, shared, point, move):
    """Go to the optimum of every few rows, which is near that of all of them, if there is one."""
    step = rows.shape[1] // THIN
    n = (rows.shape[1] - 1) // step + 1
    some, codes, weights = np.empty((len(rows), n)), np.empty(n, dtype=np.int64), np.empty(n)
    for r in range(n):
        codes[r], weights[r] = code[r * step], step * weight[r * step]
        for a in range(len(rows)):
            some[a, r] = rows[a, r * step]
    trial = point.copy()
    if _descend(some, codes, weights, penalty, shared, trial, move):
        for t in range(len(point)):
            for a in range(point.shape[1]):
                point[t, a] = trial[t, a]


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
    if not _refresh(rows, weight, penalty, shared, share, count, lower):
        return False
    kept, taken, first, straight = np.int64(0), np.int64(0), 0.0, True
    for _ in range(STEPS):
        fall = _direct(lower, past, turns, scales, kept, slope, flat)
        if taken and not _worth(fall, first, taken, straight, patience, exact):
            if not _refresh(rows, weight, penalty, shared, share, count, lower):
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
def _refresh(rows, weight, penalty, shared, share, count, lower):
    """Write the factor of the second derivatives; False where columns depend on each other."""
    if len(lower) == 1:
        curvature(rows, weight, penalty, shared, share, count, lower[0])
        return factor(lower[0])
    for c in range(len(lower)):
        if c == 0:
            own = np.ones((1, share.shape[1]))
            for t in range(len(share)):
                add(own[0], -1.0, share[t])
        else:
            own = share[c - 1 : c]
        curvature(rows, weight, penalty, 0.0, own, count, lower[c])
        if not factor(lower[c]):
            return False
    return True


@njit(**_SUMS)
def slopes(rows, code, weight, penalty, shared, point, share, slope):
    """Write the probabilities of each class but the first, and the gradient.

    ``rows`` has columns first, a multiple of four of them: those beyond ``point`` are zero.
    """
    outputs, count = point.shape
    n, fours = rows.shape[1], len(rows)
    ahead, steep = np.zeros((outputs, fours)), np.zeros((outputs, fours))
    for t in range(outputs):
        for a in range(count):
            ahead[t, a] = point[t, a]
    away, top, whole, scratch = (
        np.empty((outputs, ROWS)), np.empty(ROWS), np.empty(ROWS), np.empty(ROWS)
    )  # fmt: skip
    for low in range(0, n, ROWS):
        high = min(n, low + ROWS)
        rest = high - low
        _margins(rows, ahead, share, low, high)
        if outputs == 1:
            _two_shares(share[0, low:high], whole[:rest], scratch[:rest])
        else:
            _shares(share, low, high, top[:rest], whole[:rest], scratch[:rest])
        own, truth = weight[low:high], code[low:high]
        for t in range(outputs):
            part, out = share[t, low:high], away[t]
            for r in range(rest):
                out[r] = own[r] * (part[r] - (1.0 if truth[r] == t + 1 else 0.0))
        _add_products(away, rows, low, high, steep)
    for a in range(count):
        total = 0.0
        for t in range(outputs):
            total += point[t, a]
        for t in range(outputs):
            slope[t, a] = steep[t, a] + penalty[a] * (point[t, a] - shared * total)


@njit(**_INNER)
def _margins(rows, ahead, share, low, high):
    """Sums of coefficients times columns, of two classes and four columns at a time."""
    rest = high - low
    for t in range(len(ahead)):
        own = share[t, low:high]
        for r in range(rest):
            own[r] = 0.0
    for a in range(0, len(rows), 4):
        first, second = rows[a, low:high], rows[a + 1, low:high]
        third, fourth = rows[a + 2, low:high], rows[a + 3, low:high]
        for t in range(0, len(ahead) - 1, 2):
            own, other = share[t, low:high], share[t + 1, low:high]
            p, q, u, v = ahead[t, a], ahead[t, a + 1], ahead[t, a + 2], ahead[t, a + 3]
            e, f, g, h = (
                ahead[t + 1, a], ahead[t + 1, a + 1], ahead[t + 1, a + 2], ahead[t + 1, a + 3]
            )  # fmt: skip
            for r in range(rest):
                one, two, three, four = first[r], second[r], third[r], fourth[r]
                own[r] += p * one + q * two + u * three + v * four
                other[r] += e * one + f * two + g * three + h * four
        if len(ahead) % 2:
            t = len(ahead) - 1
            own = share[t, low:high]
            p, q, u, v = ahead[t, a], ahead[t, a + 1], ahead[t, a + 2], ahead[t, a + 3]
            for r in range(rest):
                own[r] += p * first[r] + q * second[r] + u * third[r] + v * fourth[r]


@njit(**_INNER)
def _add_products(left, right, low, high, sums):
    """Add inner products of two rows of ``left`` and four of ``right`` at a time.

    Rows of ``left`` start at ``low`` of those of ``right``; an odd last one is taken alone.
    """
    rest = high - low
    for b in range(0, len(right), 4):
        first, second = right[b, low:high], right[b + 1, low:high]
        third, fourth = right[b + 2, low:high], right[b + 3, low:high]
        for a in range(0, len(left) - 1, 2):
            one, two = left[a], left[a + 1]
            p, q, u, v, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for r in range(rest):
                mine, other = one[r], two[r]
                p += mine * first[r]
                q += mine * second[r]
                u += mine * third[r]
                v += mine * fourth[r]
                e += other * first[r]
                f += other * second[r]
                g += other * third[r]
                h += other * fourth[r]
            _add_four(sums[a], b, p, q, u, v)
            _add_four(sums[a + 1], b, e, f, g, h)
        if len(left) % 2:
            one = left[len(left) - 1]
            p, q, u, v = 0.0, 0.0, 0.0, 0.0
            for r in range(rest):
                p += one[r] * first[r]
                q += one[r] * second[r]
                u += one[r] * third[r]
                v += one[r] * fourth[r]
            _add_four(sums[len(left) - 1], b, p, q, u, v)


@njit(**_INNER)
def _add_four(sums, b, p, q, u, v):
    sums[b] += p
    sums[b + 1] += q
    sums[b + 2] += u
    sums[b + 3] += v


@njit(**_INNER)
def _two_shares(own, small, scratch):
    """Turn the logarithms of odds into probabilities."""
    for r in range(len(own)):
        small[r] = -abs(own[r])
    exponentials(small, scratch)
    for r in range(len(own)):
        own[r] = (1.0 if own[r] >= 0.0 else small[r]) / (1.0 + small[r])


@njit(**_INNER)
def _shares(share, low, high, top, whole, scratch):
    """Turn margins against the first class, whose own is 0, into probabilities."""
    rest = high - low
    for r in range(rest):
        top[r] = 0.0
    for t in range(len(share)):
        own = share[t, low:high]
        for r in range(rest):
            top[r] = own[r] if own[r] > top[r] else top[r]
    for r in range(rest):
        whole[r] = -top[r]
    exponentials(whole, scratch)
    for t in range(len(share)):
        own = share[t, low:high]
        for r in range(rest):
            own[r] -= top[r]
        summed_exponentials(own, scratch, whole)
    for r in range(rest):
        whole[r] = 1.0 / whole[r]
    for t in range(len(share)):
        own = share[t, low:high]
        for r in range(rest):
            own[r] *= whole[r]


@njit(**_SUMS)
def curvature(rows, weight, penalty, shared, share, count, lower):
    """Write the second derivatives: the lower half, classes first, then columns."""
    outputs, n = share.shape
    fours = len(rows)
    bend, bent, block = np.empty(n), np.empty((fours, ROWS)), np.empty((fours, fours))
    for s in range(outputs):
        for t in range(s + 1):
            first, second, same = share[s], share[t], 1.0 if s == t else 0.0
            for r in range(n):
                bend[r] = weight[r] * first[r] * (same - second[r])
            for a in range(fours):
                for b in range(fours):
                    block[a, b] = 0.0
            for low in range(0, n, ROWS):
                high = min(n, low + ROWS)
                for a in range(fours):
                    own, out = rows[a, low:high], bent[a]
                    for r in range(high - low):
                        out[r] = bend[low + r] * own[r]
                for a in range(0, fours, 4):
                    # Each with the columns up to its own.
                    part = slice(a, a + 4)
                    _add_products(bent[part], rows[: a + 4], low, high, block[part])
            coupled = (1.0 if s == t else 0.0) - shared
            for a in range(count):
                for b in range(a + 1):
                    value = block[a, b] + (coupled * penalty[a] if a == b else 0.0)
                    lower[s * count + a, t * count + b] = value
                    lower[s * count + b, t * count + a] = value


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
