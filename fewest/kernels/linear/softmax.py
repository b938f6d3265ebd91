"""The penalised loss of softmax regression and its gradient, in one reading of the rows."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..exponentials import exponentials, logarithms, summed_exponentials

#: Sums may be added in any order: they are compared with tolerances only.
SUMS = {"reassoc", "contract"}
#: Rows that are read together.
ROWS = 256
#: Sums of odds above this need the largest margin taken away; eight of them below it multiply.
WILD, EIGHT = 1e37, 8

_INNER = {"cache": True, "nogil": True, "error_model": "numpy"}


@njit(cache=True, nogil=True, error_model="numpy", fastmath=SUMS)
def losses(x, code, weight, penalty, members, count, point, margin, slope):
    """Penalised loss of softmax regression, and its gradient.

    Parameters
    ----------
    x : float64 (d, rows)
    code : int64 (rows,)
        The class of each row.
    weight : float64 (rows,)
    penalty : float64 (d,)
        Half of it times the squared coefficient is added to the loss.
    members : int64
        The first ``count`` are the columns in use.
    point : float64 (outputs, count + 1)
        The coefficients, the intercepts last. One output stands for class 1 against class 0.
    margin : float64 (outputs, rows)
        Space for weight times (probability less truth) of all classes but the last.
    slope : float64 (outputs, count + 1)
        Where the gradient goes.
    """
    outputs, n = margin.shape
    rivals = max(1, outputs - 1)
    whole, scratch, last = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS)
    # Columns are taken four at a time; the last four may hold one that counts nothing.
    fours = (count + 3) // 4 * 4
    places, steep = np.zeros(fours, dtype=np.int64), np.zeros((outputs, fours + 1))
    # Only differences count: those to the last class, whose residual is what the others leave.
    ahead = np.zeros((outputs, fours + 1))
    for a in range(count + 1):
        for t in range(outputs):
            place = a if a < count else fours
            ahead[t, place] = point[t, a] - (point[outputs - 1, a] if outputs > 1 else 0.0)
        if a < count:
            places[a] = members[a]
    total = 0.0
    for low in range(0, n, ROWS):
        high = min(n, low + ROWS)
        own, rest = weight[low:high], high - low
        _margins(x, places, ahead, rivals, margin, low, high)
        if outputs == 1:
            total += _logistic(
                margin[0, low:high], code[low:high], own, whole[:rest], scratch[:rest]
            )
        else:
            part = _tame_softmax(
                margin, code, own, low, high, whole[:rest], scratch[:rest], last[:rest]
            )
            if not part < np.inf:
                _margins(x, places, ahead, rivals, margin, low, high)
                part = _softmax(
                    margin, code, own, low, high, whole[:rest], scratch[:rest], last[:rest]
                )
            total += part
        _add_slopes(x, places, rivals, margin, low, high, steep)
    for a in range(count + 1):
        place = a if a < count else fours
        for t in range(outputs - 1):
            steep[outputs - 1, place] -= steep[t, place]
        for t in range(outputs):
            slope[t, a] = steep[t, place]
    for t in range(outputs):
        for a in range(count):
            value, extra = point[t, a], penalty[members[a]]
            total += 0.5 * extra * value * value
            slope[t, a] += extra * value
    return total


@njit(**_INNER, fastmath=SUMS)
def _margins(x, places, ahead, rivals, margin, low, high):
    """Sums of coefficients times columns, of two outputs and four columns at a time."""
    rest, count = high - low, len(places)
    for t in range(rivals):
        own, start = margin[t, low:high], ahead[t, count]
        for r in range(rest):
            own[r] = start
    for a in range(0, count, 4):
        first, second = x[places[a], low:high], x[places[a + 1], low:high]
        third, fourth = x[places[a + 2], low:high], x[places[a + 3], low:high]
        t = 0
        while t + 2 <= rivals:
            own, other = margin[t, low:high], margin[t + 1, low:high]
            p, q, u, v = ahead[t, a], ahead[t, a + 1], ahead[t, a + 2], ahead[t, a + 3]
            e, f, g, h = (
                ahead[t + 1, a], ahead[t + 1, a + 1], ahead[t + 1, a + 2], ahead[t + 1, a + 3]
            )  # fmt: skip
            for r in range(rest):
                one, two, three, four = first[r], second[r], third[r], fourth[r]
                own[r] += p * one + q * two + u * three + v * four
                other[r] += e * one + f * two + g * three + h * four
            t += 2
        if t < rivals:
            own = margin[t, low:high]
            p, q, u, v = ahead[t, a], ahead[t, a + 1], ahead[t, a + 2], ahead[t, a + 3]
            for r in range(rest):
                own[r] += p * first[r] + q * second[r] + u * third[r] + v * fourth[r]


@njit(**_INNER, fastmath=SUMS)
def _add_slopes(x, places, rivals, margin, low, high, slope):
    """Add the residuals times columns, of two outputs and four columns at a time."""
    rest, count = high - low, len(places)
    for t in range(rivals):
        own, whole = margin[t, low:high], 0.0
        for r in range(rest):
            whole += own[r]
        slope[t, count] += whole
    for a in range(0, count, 4):
        first, second = x[places[a], low:high], x[places[a + 1], low:high]
        third, fourth = x[places[a + 2], low:high], x[places[a + 3], low:high]
        t = 0
        while t + 2 <= rivals:
            own, other = margin[t, low:high], margin[t + 1, low:high]
            p, q, u, v, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for r in range(rest):
                left, right = own[r], other[r]
                p += left * first[r]
                q += left * second[r]
                u += left * third[r]
                v += left * fourth[r]
                e += right * first[r]
                f += right * second[r]
                g += right * third[r]
                h += right * fourth[r]
            _add_four(slope[t], a, p, q, u, v)
            _add_four(slope[t + 1], a, e, f, g, h)
            t += 2
        if t < rivals:
            own = margin[t, low:high]
            p, q, u, v = 0.0, 0.0, 0.0, 0.0
            for r in range(rest):
                p += own[r] * first[r]
                q += own[r] * second[r]
                u += own[r] * third[r]
                v += own[r] * fourth[r]
            _add_four(slope[t], a, p, q, u, v)


@njit(**_INNER)
def _add_four(slope, a, p, q, u, v):
    slope[a] += p
    slope[a + 1] += q
    slope[a + 2] += u
    slope[a + 3] += v


@njit(**_INNER, fastmath=SUMS)
def _logistic(own, code, weight, small, scratch):
    """Loss of one output; its margins become weighted residuals."""
    total = 0.0
    for r in range(len(own)):
        small[r] = -abs(own[r])
    exponentials(small, scratch)
    for r in range(len(own)):
        value, one = own[r], 1.0 + small[r]
        total += weight[r] * (max(value, 0.0) - code[r] * value)
        own[r] = weight[r] * ((1.0 if value >= 0.0 else small[r]) / one - code[r])
    return total + _sum_of_logs(small, weight, scratch)


@njit(**_INNER, fastmath=SUMS)
def _sum_of_logs(small, weight, scratch):
    """The weighted sum of log(1 + small), with what rounding 1 + small takes away."""
    total = 0.0
    for r in range(len(small)):
        total += weight[r] * _lost(small[r])
        small[r] = 1.0 + small[r]
    logarithms(small, scratch)
    for r in range(len(small)):
        total += weight[r] * small[r]
    return total


@njit(**_INNER)
def _lost(small):
    """log(1 + small) less the logarithm of the rounded sum."""
    one = 1.0 + small
    return (small - (one - 1.0)) / one


@njit(**_INNER, fastmath=SUMS)
def _softmax(margin, code, weight, low, high, whole, scratch, last):
    """Loss of several outputs; their margins become weighted residuals, the last one's not.

    Margins are those against the last class, whose own is 0.
    """
    rivals, rest = margin.shape[0] - 1, high - low
    truth, total = code[low:high], 0.0
    for r in range(rest):
        whole[r] = 0.0
    for t in range(rivals):
        own = margin[t, low:high]
        for r in range(rest):
            whole[r] = max(whole[r], own[r])
            total -= weight[r] * own[r] if truth[r] == t else 0.0
    for r in range(rest):
        total += weight[r] * whole[r]
        last[r] = -whole[r]
    for t in range(rivals):
        own = margin[t, low:high]
        for r in range(rest):
            own[r] += last[r]
    exponentials(last, scratch)
    for r in range(rest):
        whole[r] = last[r]
    for t in range(rivals):
        own = margin[t, low:high]
        exponentials(own, scratch)
        for r in range(rest):
            whole[r] += own[r]
    for r in range(rest):
        last[r] = weight[r] / whole[r]
    for t in range(rivals):
        own = margin[t, low:high]
        for r in range(rest):
            own[r] = own[r] * last[r] - (weight[r] if truth[r] == t else 0.0)
    logarithms(whole, scratch)
    for r in range(rest):
        total += weight[r] * whole[r]
    return total


@njit(**_INNER, fastmath=SUMS)
def _tame_softmax(margin, code, weight, low, high, whole, scratch, last):
    """The same in fewer steps, where no margin is large; infinite where one is."""
    rivals, rest = margin.shape[0] - 1, high - low
    truth, total, wild = code[low:high], 0.0, 0
    for r in range(rest):
        whole[r] = 1.0
    for t in range(rivals):
        own = margin[t, low:high]
        for r in range(rest):
            total -= weight[r] * own[r] if truth[r] == t else 0.0
        summed_exponentials(own, scratch, whole)
    for r in range(rest):
        wild += not whole[r] < WILD
        last[r] = weight[r] / whole[r]
    if wild:
        return np.inf
    for t in range(rivals):
        own = margin[t, low:high]
        for r in range(rest):
            own[r] = own[r] * last[r] - (weight[r] if truth[r] == t else 0.0)
    return total + _logs(whole, weight, scratch)


@njit(**_INNER, fastmath=SUMS)
def _logs(whole, weight, scratch):
    """The weighted sum of logarithms; of eight rows with the same weight from their product."""
    rest, first, other, total = len(whole), weight[0], 0, 0.0
    for r in range(rest):
        other += weight[r] != first
    if other or rest % EIGHT:
        logarithms(whole, scratch)
        for r in range(rest):
            total += weight[r] * whole[r]
        return total
    few = rest // EIGHT
    product = whole[:few]
    for k in range(1, EIGHT):
        part = whole[k * few : (k + 1) * few]
        for r in range(few):
            product[r] *= part[r]
    logarithms(product, scratch[:few])
    for r in range(few):
        total += product[r]
    return first * total
