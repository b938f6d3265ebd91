"""Judge labels and ranks."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import hot


@njit(cache=True, nogil=True, error_model="numpy")
def confusions(values, slack, labels, target, weight, n_classes):
    """Weight of the rows of each class that each model gives each class.

    Parameters
    ----------
    values : float64 (models, outputs, rows)
        The predicted class has the largest value, the first of them where they are equal. With
        one output it is class 1 where the value is positive, else class 0.
    slack : float64 (models, rows)
        A lead up to this much is doubtful: rounding could turn it. Negative where the values
        are known to the last bit.
    labels : int64 (outputs, or 2)
        The class that each output stands for.
    target : int64 (rows,)
    weight : float64 (rows,)
    n_classes : int

    Returns
    -------
    counts : float64 (models, n_classes, n_classes)
        True class first, then predicted class.
    doubtful : int64 (models,)
        Number of rows in doubt.
    """
    m, outputs, n = values.shape
    counts = np.zeros((m, n_classes, n_classes))
    doubtful = np.zeros(m, dtype=np.int64)
    top, second = np.empty(n), np.empty(n)
    best = np.empty(n, dtype=np.int64)
    for i in range(m):
        count = counts[i]
        doubts = 0
        if outputs == 1:
            value, near = values[i, 0], slack[i]
            no, yes = labels[0], labels[1]
            for r in range(n):
                doubts += abs(value[r]) <= near[r]
                count[target[r], yes if value[r] > 0.0 else no] += weight[r]
        else:
            _two_largest(values[i], top, second, best)
            near = slack[i]
            for r in range(n):
                # Not "<=": NaN is in doubt too.
                doubts += not (top[r] - second[r] > near[r])
            for r in range(n):
                count[target[r], labels[best[r]]] += weight[r]
        doubtful[i] = doubts
    return counts, doubtful


@hot
def _two_largest(values, top, second, best):
    """Return the largest value of each row, the next one, and whose the largest is.

    Class by class and without branches, so that several rows are compared at once. Rows with
    NaN have an infinite second value.
    """
    outputs, n = values.shape
    own = values[0]
    for r in range(n):
        value = own[r]
        top[r] = value
        second[r] = -np.inf if value == value else np.inf
        best[r] = 0
    for c in range(1, outputs):
        own = values[c]
        for r in range(n):
            value, largest = own[r], top[r]
            wins = value > largest
            less = largest if wins else value
            next_one = second[r]
            next_one = less if less > next_one else next_one
            second[r] = next_one if value == value else np.inf
            top[r] = value if wins else largest
            best[r] = c if wins else best[r]


#: Up to so many rows all pairs are compared, or rows are sorted one by one.
PAIRS, SORTED = 200, 64


@njit(cache=True, nogil=True, error_model="numpy")
def rank_scores(scores, spread, keys, positive, weight, precision):
    """Area under the ROC curve, or average precision, of one ranking per model.

    Parameters
    ----------
    scores : float64 (models, rows)
        Rows with a larger score should be positive.
    spread : float64 (models, rows)
        How far rounding could move a score.
    keys : uint64 (models, rows)
        Rows with the same key (other than 0) have the same score for certain.
    positive : bool (rows,)
    weight : float64 (rows,)
    precision : bool
        Whether to return average precisions.

    Returns
    -------
    areas : float64 (models,)
        NaN where all rows are of one kind (average precision: 0 without positive rows).
    doubtful : int64 (models,)
        Number of neighbours in rank, one positive and one not (or both positive, of average
        precision), that rounding could swap, join or part.

    Notes
    -----
    Equal scores are one step of the curve (Fawcett, 2006, section 5). Average precision is the
    sum of precisions weighted by the steps in recall, without interpolation.
    """
    m, n = scores.shape
    areas = np.empty(m)
    doubtful = np.zeros(m, dtype=np.int64)
    few = np.empty(n, dtype=np.int64)
    yeses, noes, wide_yes, wide_no = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    by_pairs = not precision and n <= PAIRS
    for r in range(n):
        by_pairs = by_pairs and weight[r] == 1.0
    for i in range(m):
        own = scores[i]
        if by_pairs:
            area = _area_by_pairs(own, spread[i], positive, yeses, noes, wide_yes, wide_no)
            if area >= 0.0:
                areas[i] = area
                continue
        if n <= SORTED:
            order = few
            _sort(own, order)
        else:
            order = np.argsort(own)
        yes, no, area, steps = 0.0, 0.0, 0.0, 0.0
        end = n
        while end > 0:
            start = end - 1
            value = own[order[start]]
            while start > 0 and own[order[start - 1]] == value:
                start -= 1
            more_yes, more_no = 0.0, 0.0
            for k in range(start, end):
                r = order[k]
                more_yes += weight[r] if positive[r] else 0.0
                more_no += 0.0 if positive[r] else weight[r]
            area += more_no * (yes + 0.5 * more_yes)
            yes += more_yes
            no += more_no
            if more_yes > 0.0:
                steps += more_yes * (yes / (yes + no))
            end = start
        doubtful[i] = _doubts(own, spread[i], keys[i], positive, order, precision)
        if precision:
            areas[i] = steps / yes if yes > 0.0 else 0.0
        else:
            areas[i] = area / (yes * no) if yes > 0.0 and no > 0.0 else np.nan
    return areas, doubtful


@hot
def _area_by_pairs(scores, spread, positive, yeses, noes, wide_yes, wide_no):
    """Return the area from all pairs of a positive and a negative row; -1 where one is in doubt.

    The share of pairs in which the positive row is above, and half of those that are equal (Mann
    and Whitney, 1947). A negative spread says that equal scores are equal.
    """
    yes, no = 0, 0
    for r in range(len(scores)):
        if positive[r]:
            yeses[yes], wide_yes[yes] = scores[r], spread[r]
            yes += 1
        else:
            noes[no], wide_no[no] = scores[r], spread[r]
            no += 1
    if yes == 0 or no == 0:
        return -1.0
    halves, near = 0, 0
    for a in range(yes):
        score, wide = yeses[a], wide_yes[a]
        for b in range(no):
            halves += 2 * (score > noes[b]) + (score == noes[b])
            near += not (abs(score - noes[b]) > wide + wide_no[b])
    return -1.0 if near else halves / (2.0 * yes * no)


@hot
def _sort(values, order):
    """Positions by rising value, for few of them."""
    for r in range(len(values)):
        place, value = r, values[r]
        while place > 0 and values[order[place - 1]] > value:
            order[place] = order[place - 1]
            place -= 1
        order[place] = r


@njit(cache=True, nogil=True)
def _doubts(scores, spread, keys, positive, order, precision):
    """Count the rows that rounding could move past a lower row of the other kind.

    For average precision also positive ones count: it matters whether they are one step or two.
    """
    doubts = 0
    # By kind: how far up the rows so far may reach, which key that row has, and how far up those
    # with other keys may reach.
    reach, rest = np.full(2, -np.inf), np.full(2, -np.inf)
    tops = np.zeros(2, dtype=np.uint64)
    for k in range(len(order)):
        r = order[k]
        own, key = int(positive[r]), keys[r]
        low, high = scores[r] - spread[r], scores[r] + spread[r]
        for kind in range(2):
            if kind != own or (precision and own == 1):
                same = key != 0 and key == tops[kind]
                doubts += not (low > (rest[kind] if same else reach[kind]))
        if high != high:
            high = np.inf
        if key != 0 and key == tops[own]:
            reach[own] = max(reach[own], high)
        elif high > reach[own]:
            reach[own], rest[own], tops[own] = high, reach[own], key
        else:
            rest[own] = max(rest[own], high)
    return doubts


@njit(cache=True, nogil=True)
def join_equals(scores, keys):
    """Give rows with the same key (other than 0) the same score, in place.

    Products round the same numbers otherwise at the end of a block of rows.

    Parameters
    ----------
    scores : float64 (models, rows)
    keys : uint64 (models, rows)
    """
    for i in range(len(scores)):
        order = np.argsort(keys[i])
        for k in range(1, len(order)):
            before, r = order[k - 1], order[k]
            if keys[i, r] != 0 and keys[i, r] == keys[i, before]:
                scores[i, r] = scores[i, before]


@njit(cache=True, nogil=True)
def row_keys(values, candidates):
    """One number per candidate and row, equal for rows that are equal in its columns.

    Parameters
    ----------
    values : int64 (columns, rows)
        The bits of the values.
    candidates : bool (m, columns)

    Returns
    -------
    uint64 (m, rows)
        Never 0, 1 or 2. Different rows have the same key with a chance near 2 ** -62.

    Notes
    -----
    Sums over the columns of the mixing function of SplitMix64 (Steele et al., 2014).
    """
    d, n = values.shape
    keys = np.zeros((len(candidates), n), dtype=np.uint64)
    golden = np.uint64(0x9E3779B97F4A7C15)
    first, second = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
    for i in range(len(candidates)):
        own = keys[i]
        salt = golden
        for j in range(d):
            salt = salt * second + golden
            if candidates[i, j]:
                for r in range(n):
                    z = np.uint64(values[j, r]) + salt
                    z = (z ^ (z >> np.uint64(30))) * first
                    z = (z ^ (z >> np.uint64(27))) * second
                    own[r] += z ^ (z >> np.uint64(31))
        for r in range(n):
            own[r] |= np.uint64(4)
    return keys
