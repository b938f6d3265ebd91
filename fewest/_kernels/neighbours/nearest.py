"""The k nearest training rows of test rows under many candidates, and what they answer.

Distances in single precision find who can be among the nearest: for many candidates at once they
are one product of matrices, and the error of a product is known. Rows that this error leaves open
are compared in double precision. Among equally near rows the earlier one is nearer. Where
another way to compute distances would round them otherwise, and distances that are not equal are
so near to each other that the answer depends on it, the slack says so.

Euclidean distances are products of rows (:func:`answers_by_products`). All others are sums over
the features of weight times difference, so that a product of weights and differences gives the
distances of one test row under all candidates (:func:`answers_by_differences`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..counting.bitplanes import popcount
from ..inner import _ONLY

#: Rows are compared in so many lanes; their number is filled up to a multiple of it.
LANES = 64
#: Up to so many neighbours the smallest of each lane bounds the distance of the last one.
FEW = 16
#: Beyond the sum of any differences (each at most LARGE): the distance of rows that are none.
NOWHERE, LARGE = np.float32(1e37), np.float32(1e30)
#: How neighbours vote: k of them, k of them by their distance, or all as near as the k-th.
UNIFORM, BY_DISTANCE, ALL_EQUALS = 0, 1, 2
#: Relative error of single precision, and of double precision.
SINGLE, EPS = 2.0**-24, 2.0**-52
#: Distances that differ by less, relative to them, are equal where all equals vote.
EQUAL = 1e-12

ZERO, ONE = np.uint64(0), np.uint64(1)

hot = njit(**_ONLY, _nrt=False, error_model="numpy")


@hot
def push(value, k, heap):
    """Replace the largest of k numbers, which stands first, by a smaller one."""
    at = 0
    while True:
        child = 2 * at + 1
        if child >= k:
            break
        if child + 1 < k and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= value:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = value


@hot
def last_of_smallest(values, count, k, best):
    """Return the k-th smallest of some numbers."""
    for i in range(k):
        best[i] = np.inf
    if k > FEW:
        for i in range(count):
            if values[i] < best[0]:
                push(values[i], k, best)
        return best[0]
    for i in range(count):
        # Without branches: where a number belongs is not to be foreseen.
        value = values[i]
        for t in range(k):
            other = best[t]
            best[t] = other if other < value else value
            value = value if other < value else other
    return best[k - 1]


@hot
def fill_lanes(row, lanes):
    """Find the smallest number of each lane."""
    size = len(lanes)
    for r in range(size):
        lanes[r] = row[r]
    b = size
    while b + 4 * size <= len(row):
        one, two = row[b : b + size], row[b + size : b + 2 * size]
        three, four = row[b + 2 * size : b + 3 * size], row[b + 3 * size : b + 4 * size]
        for r in range(size):
            low = one[r] if one[r] < two[r] else two[r]
            high = three[r] if three[r] < four[r] else four[r]
            low = low if low < high else high
            lanes[r] = low if low < lanes[r] else lanes[r]
        b += 4 * size
    while b < len(row):
        one = row[b : b + size]
        for r in range(size):
            lanes[r] = one[r] if one[r] < lanes[r] else lanes[r]
        b += size


@hot
def bound_of_last(lanes, pairs, k, best):
    """Return a bound of the k-th smallest number: of few neighbours, by lanes put together."""
    if k > len(pairs) // 3 or len(lanes) != LANES:
        return last_of_smallest(lanes, len(lanes), k, best)
    size = len(pairs)
    for r in range(size):
        low = lanes[r] if lanes[r] < lanes[r + size] else lanes[r + size]
        other, last = lanes[r + 2 * size], lanes[r + 3 * size]
        high = other if other < last else last
        pairs[r] = low if low < high else high
    return last_of_smallest(pairs, size, k, best)


@hot
def lanes_within(lanes, limit):
    """Return the lanes with a number up to a limit, as the bits of a word."""
    word = ZERO
    for r in range(np.uint64(len(lanes))):
        word |= np.uint64(lanes[r] <= limit) << np.uint64(r)
    return word


@hot
def rows_within(row, lanes, limit, found):
    """Find the rows up to a limit, lane by lane; return how many there are."""
    count = 0
    if len(lanes) != LANES:
        return rows_in_order(row, limit, found)
    left = lanes_within(lanes, limit)
    while left != ZERO:
        lane = np.int64(popcount(~left & (left - ONE)))
        left &= left - ONE
        for r in range(lane, len(row), LANES):
            found[count] = r
            count += row[r] <= limit
    return count


@hot
def rows_in_order(row, limit, found):
    """Find the rows up to a limit in their order; return how many there are."""
    count = 0
    for r in range(len(row)):
        found[count] = r
        count += row[r] <= limit
    return count


@hot
def put_in_order(row, limit, found, count):
    """Put rows that were found lane by lane in their order."""
    if count > LANES:
        rows_in_order(row, limit, found)
        return
    for i in range(1, count):
        r, t = found[i], i
        while t > 0 and found[t - 1] > r:
            found[t] = found[t - 1]
            t -= 1
        found[t] = r


@hot
def limit_of(bound, length, error, relative, absolute):
    """Return how large a product can be that is among the nearest, if one of k is ``bound``.

    Products are squared distances less the length of the test row, at most: ``error`` is that of
    single precision, relative to the lengths of both rows, and has been subtracted.
    """
    everything = np.float32(1e36)  # below NOWHERE
    if bound >= LARGE:
        # Differences were cut off.
        return everything
    less = (1.0 - error) * length
    reach = max(bound + less, 0.0) + 6.0 * error * length
    reach *= 1.0 + 6.0 * error + 2.0 * relative
    return min(max(np.float32(reach + 2.0 * absolute + 1e-30 - less), bound), everything)


@hot
def near_rows(row, lanes, pairs, some, best, k, length, error, relative, absolute, found):
    """Find the rows that can be among the k nearest, in their order; return how many there are.

    See :func:`limit_of`; the rest is room.
    """
    fill_lanes(row, lanes)
    bound = bound_of_last(lanes, pairs, k, best)
    limit = limit_of(bound, length, error, relative, absolute)
    count = rows_within(row, lanes, limit, found)
    if count > k:
        for i in range(count):
            some[i] = row[found[i]]
        bound = last_of_smallest(some, count, k, best)
        limit = limit_of(bound, length, error, relative, absolute)
        kept = 0
        for i in range(count):
            r = found[i]
            found[kept] = r
            kept += row[r] <= limit
        count = kept
    put_in_order(row, limit, found, count)
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def difference(a, b, scale, overlap, power):
    """Return the difference of two values to a power: 0 or 1 for labels, 1 if one is unknown.

    >>> float(difference(1.0, 3.0, 0.5, False, 2.0))
    1.0
    """
    if overlap:
        return 0.0 if a == b else 1.0
    scaled = abs((a - b) * scale)
    if scaled != scaled:
        return 1.0
    if power == 2.0:
        return scaled * scaled
    return scaled if power == 1.0 else scaled**power


@njit(cache=True, nogil=True, error_model="numpy")
def exact_distance(one, other, chosen, weight, scale, overlap, power):
    """Sum weight times difference over the chosen features, in double precision."""
    total = 0.0
    for j in chosen:
        total += weight[j] * difference(one[j], other[j], scale[j], overlap[j], power)
    return total


@hot
def squared_distance(one, other, chosen):
    """Sum the squared differences of the chosen columns, in double precision."""
    total = 0.0
    for j in chosen:
        apart = one[j] - other[j]
        total += apart * apart
    return total


@hot
def take_nearest(found, exact, count, k, far, near, ties, target):
    """Keep the k nearest of some rows; of equals the earlier ones.

    Parameters
    ----------
    found, exact : the rows in their order and their distances; the first k become the nearest
    far : float64
        The distance of the k-th.
    near : float64
        Distances that differ from it by less may be nearer or farther.
    ties : bool
        Whether equal distances, too, leave open who is nearer.
    target : float64
        The answer of each row.

    Returns
    -------
    int
        How many of the k are open, because rows with other answers may be as near.
    """
    sure, zone, first = 0, 0, -1
    equal, same = True, True
    for i in range(count):
        if exact[i] < far - near:
            sure += 1
        elif exact[i] <= far + near:
            zone += 1
            equal = equal and exact[i] == far
            first = i if first < 0 else first
            same = same and target[found[i]] == target[found[first]]
    places, kept = k, 0
    for i in range(count):
        places -= exact[i] < far
    for i in range(count):
        tied = exact[i] == far and places > 0
        if exact[i] < far or tied:
            places -= tied
            found[kept], exact[kept] = found[i], exact[i]
            kept += 1
    return 0 if (equal and not ties) or same or zone == k - sure else k - sure


@hot
def vote_by_distance(found, exact, k, power, target, numeric, out, q):
    """Add up the answers of k rows, each by the inverse of its distance.

    Rows at no distance, if there are any, answer alone.
    """
    zero = False
    for i in range(k):
        exact[i] = 1.0 / exact[i] ** (1.0 / power)
        zero = zero or exact[i] == np.inf
    total = 0.0
    for i in range(k):
        share = exact[i]
        if zero:
            share = 1.0 if share == np.inf else 0.0
        total += share
        answer = target[found[i]]
        if numeric:
            out[0, q] += share * answer
        else:
            out[int(answer), q] += share
    for c in range(len(out)):
        out[c, q] /= total
    return zero


@hot
def vote(found, count, target, numeric, out, q):
    """Add up the answers of some rows that count the same."""
    for i in range(count):
        answer = target[found[i]]
        if numeric:
            out[0, q] += answer
        else:
            out[int(answer), q] += 1.0
    for c in range(len(out)):
        out[c, q] /= count


@hot
def elect(rank, out, q):
    """Give the whole vote to the class with the most votes; of equals, to that with most rank."""
    best = 0
    for c in range(1, len(out)):
        more = out[c, q] > out[best, q]
        if more or (out[c, q] == out[best, q] and rank[c] > rank[best]):
            best = c
    for c in range(len(out)):
        out[c, q] = 1.0 if c == best else 0.0


@hot
def keep_equals(found, exact, count, far):
    """Keep the rows up to a distance, those as far as it included; return how many."""
    kept = 0
    for i in range(count):
        if exact[i] <= far * (1.0 + EQUAL):
            found[kept] = found[i]
            kept += 1
    return kept


@hot
def answer(found, count, exact, heap, k, power, way, ties, relative, absolute, target, numeric,
           rank, out, q):  # fmt: skip
    """Let the nearest of some rows vote, whose exact distances are known; return the slack.

    Distances may be moved by ``relative``, relative to them, and by ``absolute``. The slack is
    how far differences of votes may move: negative where they are known to the last bit, infinite
    where other rows may be the nearest and the votes depend on how near they are.
    """
    far = last_of_smallest(exact, count, k, heap)
    if way == ALL_EQUALS:
        vote(found, keep_equals(found, exact, count, far), target, numeric, out, q)
        elect(rank, out, q)
        return -1.0
    places = take_nearest(found, exact, count, k, far, relative * far + absolute, ties, target)
    if way == UNIFORM:
        vote(found, k, target, numeric, out, q)
        return -1.0 if places == 0 else 2.0 * places / k
    nearest, same = exact[0], True
    for i in range(1, k):
        nearest = exact[i] if exact[i] < nearest else nearest
        same = same and target[found[i]] == target[found[0]]
    zero = vote_by_distance(found, exact, k, power, target, numeric, out, q)
    moved = relative * nearest + absolute
    if places > 0 or (1e6 * moved > nearest and not same):
        return np.inf
    if zero or same:
        return -1.0
    return 4.0 * moved / (power * nearest) + 8.0 * k * EPS


@njit(cache=True, nogil=True, error_model="numpy")
def answers_by_products(
    units, rows, train, test, masks, factor, unit, error, relative, lengths, k, way, ties, target,
    numeric, out, slack,
):  # fmt: skip
    """What the k nearest training rows answer for each test row, by Euclidean distance.

    Parameters
    ----------
    units : float32 (columns, rows)
        The values, centred, and divided by a power of two that makes them at most 1.
    rows : float64 (rows, columns)
        The values as they are.
    train, test : int64
        Which rows are training rows, in their order, and which are test rows.
    masks : bool (candidates, columns)
    factor : float32 (candidates, columns)
        What the units of a column are multiplied by to have those of the widest column.
    unit : float64 (candidates,)
        What squared distances are multiplied by to be in these units.
    error : float64 (candidates,)
        Error of a squared distance in single precision, relative to the squared lengths of both
        rows; 0 where there is none.
    relative, lengths : float64 (candidates,)
        How far rounding may move squared distances, relative to them and to the squared length
        of a test row; 0 where they are what they are.
    k, way : int
        How many neighbours vote, and how: ``UNIFORM`` or ``BY_DISTANCE``.
    ties : bool
        Whether equal distances leave open who is nearer; else the earlier row is.
    target : float64 (training rows,)
        The answers: numbers where ``numeric``, else places of classes in ``out``.
    out : float64 (candidates, classes or 1, test rows)
        Shares of the votes, or the mean answer; zeros before.
    slack : float64 (candidates, test rows)
        See :func:`answer`.
    """
    n, t, d = len(train), len(test), masks.shape[1]
    width = -(-n // LANES) * LANES
    near, far = np.empty((d, width), np.float32), np.empty((d, t), np.float32)
    for j in range(d):
        gather(units[j], train, near[j])
        gather(units[j], test, far[j])
    flat_b, flat_a = np.empty((d + 1) * width, np.float32), np.empty(t * (d + 1), np.float32)
    many = min(t, max(32, min(256, (1 << 17) // width)))
    products, lanes = np.empty(many * width, np.float32), room_for_lanes(width, k)
    pairs, best, exact_best = np.empty(LANES // 4, np.float32), np.empty(k, np.float32), np.empty(k)
    some, chosen = np.empty(width, np.float32), np.empty(d, np.int64)
    found, exact = np.empty(width + 1, np.int64), np.empty(width)
    length, base = np.empty(t), np.empty(width)
    rank = np.empty(0, np.int64)
    for s in range(len(masks)):
        size = 0
        for j in range(d):
            if masks[s, j]:
                chosen[size] = j
                size += 1
        a = flat_a[: t * (size + 1)].reshape(t, size + 1)
        b = flat_b[: (size + 1) * width].reshape(size + 1, width)
        fill_products(near, far, chosen[:size], factor[s], n, error[s], a, b, length, base)
        for low in range(0, t, many):
            high = min(t, low + many)
            part = products[: (high - low) * width].reshape(high - low, width)
            begin = flat_a[low * (size + 1) : high * (size + 1)]
            np.dot(begin.reshape(high - low, size + 1), b, part)
            for q in range(low, high):
                row, one, absolute = part[q - low], rows[test[q]], 0.0
                if lengths[s] > 0.0:
                    for i in range(size):
                        absolute += lengths[s] * one[chosen[i]] * one[chosen[i]]
                count = near_rows(
                    row, lanes, pairs, some, best, k, length[q], error[s], relative[s],
                    unit[s] * absolute, found,
                )  # fmt: skip
                if way == UNIFORM and count == k:
                    vote(found, k, target, numeric, out[s], q)
                    slack[s, q] = -1.0
                    continue
                for i in range(count):
                    exact[i] = squared_distance(one, rows[train[found[i]]], chosen[:size])
                slack[s, q] = answer(
                    found, count, exact, exact_best, k, 2.0, way, ties, relative[s], absolute,
                    target, numeric, rank, out[s], q,
                )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def room_for_lanes(width, k):
    """Make room for the smallest of each lane; of many neighbours each row is one."""
    return np.empty(min(width, LANES) if k <= FEW else width, np.float32)


@hot
def gather(column, rows, out):
    """Copy some rows of a column, and fill up with zeros."""
    for i in range(len(rows)):
        out[i] = column[rows[i]]
    for i in range(len(rows), len(out)):
        out[i] = 0.0


@hot
def fill_products(near, far, chosen, factor, n, error, a, b, length, base):
    """Fill the matrices whose product is the squared distance without the length of test rows."""
    size = len(chosen)
    for r in range(len(base)):
        base[r] = 0.0
    for q in range(len(length)):
        length[q] = 0.0
        a[q, size] = 1.0
    for c in range(size):
        f, column, to, queries = factor[chosen[c]], near[chosen[c]], b[c], far[chosen[c]]
        for r in range(len(base)):
            value = f * column[r]
            to[r] = value
            base[r] += np.float64(value) * np.float64(value)
        for q in range(len(length)):
            value = f * queries[q]
            a[q, c] = np.float32(-2.0) * value
            length[q] += np.float64(value) * value
    last = b[size]
    for r in range(n):
        last[r] = np.float32(base[r] * (1.0 - error))
    for r in range(n, len(base)):
        last[r] = NOWHERE


@njit(cache=True, nogil=True, error_model="numpy")
def answers_by_differences(
    rows, train, test, own, near_scale, scale, overlap, power, near_weights, weights, relative,
    k, way, ties, target, numeric, rank, out, slack,
):  # fmt: skip
    """What the k nearest training rows answer for each test row, by sums of differences.

    Parameters
    ----------
    rows : float64 (rows, columns)
        The values; NaN is unknown.
    train, test : int64
        Which rows are training rows, in their order, and which are test rows.
    own : int64 (test rows,)
        The place among the training rows that is no neighbour of a test row; -1 for none.
    near_scale, scale : float64 (1 or test rows, columns)
        What differences of numbers are multiplied by, in single and in double precision.
    overlap : bool (columns,)
        Whether a column holds labels.
    power : float64
        The power of differences.
    near_weights : float32 (candidates, columns), weights : float64 (candidates, columns)
        The weights of the columns, in single and in double precision.
    relative : float64
        How far rounding may move distances, relative to them.
    rank : int64 (1 or test rows, classes)
        For ``ALL_EQUALS``: which class wins among those with equally many votes.
    k, way, ties, target, numeric, out, slack
        See :func:`answers_by_products`.
    """
    n, m, d = len(train), len(weights), weights.shape[1]
    width = -(-n // LANES) * LANES
    columns, values = np.empty((d, width)), np.empty((d + 1, width), np.float32)
    for j in range(d):
        for i in range(width):
            columns[j, i] = rows[train[i], j] if i < n else 0.0
    given = np.ones((m, d + 1), np.float32)
    for s in range(m):
        for j in range(d):
            given[s, j] = near_weights[s, j]
    sums, lanes = np.empty((m, width), np.float32), room_for_lanes(width, k)
    pairs, best, exact_best = np.empty(LANES // 4, np.float32), np.empty(k, np.float32), np.empty(k)
    some, chosen = np.empty(width, np.float32), np.empty(d, np.int64)
    found, exact = np.empty(width + 1, np.int64), np.empty(width)
    error = (d + 8) * SINGLE
    for q in range(len(test)):
        one, near_own = rows[test[q]], near_scale[min(q, len(near_scale) - 1)]
        own_scale, own_rank = scale[min(q, len(scale) - 1)], rank[min(q, len(rank) - 1)]
        for j in range(d):
            differences(columns[j], one[j], near_own[j], overlap[j], power, values[j])
        for i in range(width):
            values[d, i] = NOWHERE if i >= n or i == own[q] else np.float32(0.0)
        np.dot(given, values, sums)
        for s in range(m):
            row = sums[s]
            count = near_rows(
                row, lanes, pairs, some, best, k, 0.0, error, relative, 0.0, found
            )  # fmt: skip
            if way != BY_DISTANCE and count == k:
                vote(found, k, target, numeric, out[s], q)
                slack[s, q] = -1.0
                if way == ALL_EQUALS:
                    elect(own_rank, out[s], q)
                continue
            size = 0
            for j in range(d):
                if weights[s, j] != 0.0:
                    chosen[size] = j
                    size += 1
            for i in range(count):
                exact[i] = exact_distance(
                    one, rows[train[found[i]]], chosen[:size], weights[s], own_scale, overlap, power
                )
            slack[s, q] = answer(
                found, count, exact, exact_best, k, power, way, ties, relative, 0.0, target,
                numeric, own_rank, out[s], q,
            )  # fmt: skip


@hot
def differences(column, value, scale, overlap, power, out):
    """Find the differences of a column to one value, in single precision and at most LARGE."""
    if overlap:
        for r in range(len(column)):
            out[r] = np.float32(0.0) if column[r] == value else np.float32(1.0)
        return
    if power == 1.0 or power == 2.0:
        for r in range(len(column)):
            apart = abs((column[r] - value) * scale)
            apart = apart * apart if power == 2.0 else apart
            apart = apart if apart < LARGE else np.float64(LARGE)
            out[r] = np.float32(apart)
        if value != value:
            out[:] = np.float32(1.0)
            return
        for r in range(len(column)):
            if column[r] != column[r]:
                out[r] = np.float32(1.0)
        return
    for r in range(len(column)):
        out[r] = min(difference(column[r], value, scale, False, power), np.float64(LARGE))
