"""Margins of additive classifiers: how far the true class of a row is ahead of each other one.

The sum of a row's margins over the features of a subset says whether an additive classifier
(naive Bayes) is right there: it is if the true class is ahead of every other one. Rows are
sorted by their class; ``bounds[t]`` to ``bounds[t + 1]`` are those of class t, and the o-th
rival of class t is class o, or o + 1 from t on.

A margin within its tolerance of zero is doubtful: rounding could turn it. Such rows are
counted, and decided elsewhere.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot

#: Sums that are held at once.
HELD = 1 << 17
#: Rows that are read together: one line of the cache of every column of the answer.
TOGETHER = 8


@hot
def count_rows(total, tolerance, rivals, n, first, last, sure, lost):
    """How many rows from ``first`` to ``last`` are surely right, and how many are doubtful.

    ``total`` and ``tolerance`` have ``n`` rows for each rival.
    """
    # Numbers, not flags, no branches and no signs: so these loops compile to vector code.
    begin, end = np.uint64(first), np.uint64(last)
    for r in range(begin, end):
        sure[r] = 1.0 if total[r] > tolerance[r] else 0.0
        lost[r] = 1.0 if total[r] < -tolerance[r] else 0.0
    for o in range(1, rivals):
        other = np.uint64(o * n)
        for r in range(begin, end):
            ahead, slack = total[other + r], tolerance[other + r]
            sure[r] = sure[r] if ahead > slack else 0.0
            lost[r] = 1.0 if ahead < -slack else lost[r]
    certain, wrong = 0, 0
    for r in range(begin, end):
        certain += sure[r] > 0.0
        wrong += lost[r] > 0.0
    return certain, last - first - certain - wrong


@njit(cache=True, nogil=True, error_model="numpy")
def judge(margins, start, tolerance, rivals, bounds, members, gains, ends, right, doubtful):
    """Count, for some candidates, the rows that are surely right and the doubtful ones.

    Parameters
    ----------
    margins : float64 (features, rivals * rows)
        For each rival one after the other, the margins of the rows.
    start, tolerance : float64 (rivals * rows,)
        The margin that all candidates begin with, and how close to zero is too close.
    rivals : int
    bounds : int64 (parts + 1,)
        Where the parts of the rows begin and end that are counted apart.
    members : int64
        The features of one candidate after the other.
    gains : float64, one per member
        1 where the margins of a feature are added, -1 where they are subtracted.
    ends : int64 (candidates + 1,)
        Where those of each candidate begin.
    right, doubtful : int64 (parts, candidates)
        Where the counts are added.
    """
    size = margins.shape[1]
    n = size // rivals
    total, sure, lost = np.empty(size), np.empty(n), np.empty(n)
    for i in range(len(ends) - 1):
        for r in range(size):
            total[r] = start[r]
        for k in range(ends[i], ends[i + 1]):
            own, gain = margins[members[k]], gains[k]
            for r in range(size):
                total[r] += gain * own[r]
        for f in range(len(bounds) - 1):
            certain, open_rows = count_rows(
                total, tolerance, rivals, n, bounds[f], bounds[f + 1], sure, lost
            )
            right[f, i] += certain
            doubtful[f, i] += open_rows


@njit(cache=True, nogil=True, error_model="numpy")
def judge_masks(margins, start, tolerance, rivals, bounds, masks, right, doubtful):
    """Do the same for candidates with many features, float64 (candidates, features): by products.

    Margins must be finite.
    """
    size = margins.shape[1]
    n, step = size // rivals, max(1, HELD // max(1, size))
    total, sure, lost = np.empty((step, size)), np.empty(n), np.empty(n)
    for low in range(0, len(masks), step):
        count = min(step, len(masks) - low)
        np.dot(masks[low : low + count], margins, total[:count])
        for i in range(count):
            own = total[i]
            for r in range(size):
                own[r] += start[r]
            for f in range(len(bounds) - 1):
                certain, open_rows = count_rows(
                    own, tolerance, rivals, n, bounds[f], bounds[f + 1], sure, lost
                )
                right[f, low + i] += certain
                doubtful[f, low + i] += open_rows


@njit(cache=True, nogil=True, error_model="numpy")
def value_margins(
    x, columns, bounds, log_prior, nominal, levels, mean, variance, more, unit, rough, shift,
    margins, base, tolerance,
):  # fmt: skip
    """Write the margins of some rows, and how close to zero is too close.

    Parameters
    ----------
    x : float64 (chosen columns, rows), NaN where unknown
        Rows are sorted by class.
    columns : intp (chosen columns,)
        Their places in what was learned.
    bounds : int64 (classes + 1,)
        Where the rows of each class begin; rows of other models are left as they are.
    log_prior : float64 (classes,)
    nominal : bool (columns,)
    levels : float64 (columns, levels, classes)
        Log-probabilities of the levels of nominal columns; -inf rules a class out.
    mean, variance : float64 (classes, columns)
        Of continuous columns; one of infinite variance says nothing.
    more : float
        What is added to every variance.
    unit : float
        Relative error of a sum of log-likelihoods, and of a variance.
    rough : float
        Further relative error of the variances.
    shift : float64 (columns,)
        Error of the means.
    margins : float64 (chosen columns, rivals * rows)
        Zeros, where the margins go.
    base, tolerance : float64 (rivals * rows,)
        Where the margins without any column and the errors go.

    Notes
    -----
    A column that rules a class out gives a margin that no others outweigh together. Some class
    must be left for every row, whatever the columns: one that is ruled out is then behind it.
    """
    n, rivals = x.shape[1], len(bounds) - 2
    for t in range(rivals + 1):
        for o in range(rivals):
            c, at = o + (o >= t), o * n
            start = unit * (1.0 + abs(log_prior[t]) + abs(log_prior[c]))
            for r in range(bounds[t], bounds[t + 1]):
                base[at + r] = log_prior[t] - log_prior[c]
                tolerance[at + r] = start
    ruled = 0
    for k in range(len(columns)):
        j = columns[k]
        for t in range(rivals + 1):
            first, last = bounds[t], bounds[t + 1]
            for o in range(rivals if first < last else 0):
                c, at = o + (o >= t), o * n
                if nominal[j]:
                    ruled += _level_margins(
                        x, levels, k, j, t, c, first, last, at, unit, margins, tolerance
                    )
                elif variance[t, j] < np.inf:
                    _density_margins(
                        x, k, mean[t, j], mean[c, j], variance[t, j] + more, variance[c, j] + more,
                        first, last, at, unit, rough, shift[j], margins, tolerance,
                    )  # fmt: skip
    if ruled > 0:
        for o in range(rivals):
            _outweigh(margins, base, tolerance, o * n + bounds[0], o * n + bounds[-1], unit)


@hot
def _level_margins(x, levels, k, j, t, c, first, last, at, unit, margins, tolerance):
    """Margins of class ``t`` over class ``c`` for codes; levels beyond the last say nothing.

    Returns how many of them are infinite; two classes that are both ruled out are equal.
    """
    ruled = 0
    for r in range(first, last):
        if x[k, r] < levels.shape[1]:
            value = np.int64(x[k, r])
            own, other = levels[j, value, t], levels[j, value, c]
            size = abs(own) + abs(other)
            margins[k, at + r] = own - other if own != other else 0.0
            tolerance[at + r] += unit * size if size < np.inf else 0.0
            ruled += size == np.inf
    return ruled


@hot
def _outweigh(margins, base, tolerance, first, last, unit):
    """Replace infinite margins by finite ones that all others of the row cannot outweigh."""
    for r in range(first, last):
        whole, ruled = 1.0 + abs(base[r]) + tolerance[r], 0
        for k in range(len(margins)):
            finite = abs(margins[k, r]) < np.inf
            whole += abs(margins[k, r]) if finite else 0.0
            ruled += not finite
        if ruled > 0:
            heavy = 4.0 * whole
            tolerance[r] += unit * ruled * heavy
            for k in range(len(margins)):
                margins[k, r] = min(max(margins[k, r], -heavy), heavy)


@hot
def _density_margins(
    x, k, mean_t, mean_c, variance_t, variance_c, first, last, at, unit, rough, shift, margins,
    tolerance,
):  # fmt: skip
    """Margins of one normal density over another."""
    half_t, half_c = 0.5 / variance_t, 0.5 / variance_c
    log_t, log_c = -0.5 * np.log(2.0 * np.pi * variance_t), -0.5 * np.log(2.0 * np.pi * variance_c)
    ahead = log_t - log_c
    # An error of the mean changes the variance by its square.
    loose = unit + rough + shift * shift * 2.0 * max(half_t, half_c)
    fixed = loose + unit * (1.0 + abs(log_t) + abs(log_c))
    # Without signs, positions need no check and the loop becomes vector code.
    row, place = np.uint64(k), np.uint64(at)
    for r in range(np.uint64(first), np.uint64(last)):
        away_t, away_c = x[row, r] - mean_t, x[row, r] - mean_c
        far_t, far_c = away_t * half_t, away_c * half_c
        near_t, near_c = away_t * far_t, away_c * far_c
        found = ahead - near_t + near_c
        more = fixed + 2.0 * loose * (near_t + near_c) + 2.0 * shift * (abs(far_t) + abs(far_c))
        # What is unknown is no number, and unequal to itself.
        margins[row, place + r] = found if found == found else 0.0
        tolerance[place + r] += more if found == found else 0.0


@njit(cache=True, nogil=True)
def gather_columns(values, rows, columns, out):
    """Write some columns of some rows to ``out``, without an array between.

    Parameters
    ----------
    values : float64 or float32 (all rows, all columns)
    rows, columns : intp
    out : float64 (columns, rows)
    """
    n = len(rows)
    for low in range(0, n, TOGETHER):
        for k in range(len(columns)):
            for r in range(low, min(low + TOGETHER, n)):
                out[k, r] = values[rows[r], columns[k]]
