"""A k-d tree whose nodes are cut when they are first looked into, in scikit-learn's order.

Which of equally near rows a k-d tree finds depends on the order in which it looks at them: on
the order of the rows in its leaves, on which child comes first, and on which of equals leaves
its heap. All three are as in ``sklearn.neighbors.KDTree``, so the same rows are found. A node is
split at the median of its widest column by quickselect as GNU's C++ library does it (pivots are
medians of three), which settles the order of the rows in both halves.

Few queries need few nodes, so a node is only cut when a query reaches it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..inner import _ONLY, inner

hot = njit(**_ONLY, _nrt=False, error_model="numpy")


@inner
def before(column, a, b):
    """Whether row a comes before row b: by value, then by number."""
    return column[a] < column[b] or (column[a] == column[b] and a < b)


@inner
def median_to(rows, column, to, a, b, c):
    """Swap the median of three rows to a place."""
    if before(column, rows[a], rows[b]):
        if before(column, rows[b], rows[c]):
            middle = b
        elif before(column, rows[a], rows[c]):
            middle = c
        else:
            middle = a
    elif before(column, rows[a], rows[c]):
        middle = a
    elif before(column, rows[b], rows[c]):
        middle = c
    else:
        middle = b
    rows[to], rows[middle] = rows[middle], rows[to]


@hot
def sink(rows, column, first, hole, size, row):
    """Put a row into a heap with a hole: the hole sinks to the bottom, then the row rises."""
    top = hole
    child = hole
    while child < (size - 1) // 2:
        child = 2 * child + 2
        if before(column, rows[first + child], rows[first + child - 1]):
            child -= 1
        rows[first + hole] = rows[first + child]
        hole = child
    if size % 2 == 0 and child == (size - 2) // 2:
        child = 2 * child + 1
        rows[first + hole] = rows[first + child]
        hole = child
    while hole > top and before(column, rows[first + (hole - 1) // 2], row):
        rows[first + hole] = rows[first + (hole - 1) // 2]
        hole = (hole - 1) // 2
    rows[first + hole] = row


@hot
def select_by_heap(rows, column, first, nth, last):
    """The same as ``select`` by a heap of the smallest rows, the largest of them first."""
    size = nth + 1 - first
    for hole in range((size - 2) // 2, -1, -1):
        sink(rows, column, first, hole, size, rows[first + hole])
    for i in range(nth + 1, last):
        row = rows[i]
        if before(column, row, rows[first]):
            rows[i] = rows[first]
            sink(rows, column, first, 0, size, row)
    rows[first], rows[nth] = rows[nth], rows[first]


@hot
def select(rows, column, first, nth, last):
    """Put the nth row to its place, smaller ones before and larger ones behind it.

    Where pivots part badly again and again, a heap goes on.
    """
    left = 0
    while (last - first) >> (left + 1):
        left += 1
    left *= 2
    while last - first > 3:
        if left == 0:
            select_by_heap(rows, column, first, nth, last)
            return
        left -= 1
        median_to(rows, column, first, first + 1, first + (last - first) // 2, last - 1)
        pivot = rows[first]
        low, high = first + 1, last
        while True:
            while before(column, rows[low], pivot):
                low += 1
            high -= 1
            while before(column, pivot, rows[high]):
                high -= 1
            if low >= high:
                break
            rows[low], rows[high] = rows[high], rows[low]
            low += 1
        if low <= nth:
            first = low
        else:
            last = low
    for i in range(first + 1, last):
        row = rows[i]
        t = i
        while t > first and before(column, row, rows[t - 1]):
            rows[t] = rows[t - 1]
            t -= 1
        rows[t] = row


@hot
def measure(columns, chosen, count, rows, start, end, low, high):
    """The smallest and largest value of the chosen columns in a node."""
    for c in range(count):
        column = columns[chosen[c]]
        least = most = column[rows[start]]
        for i in range(start + 1, end):
            value = column[rows[i]]
            least = value if value < least else least
            most = value if value > most else most
        low[c], high[c] = least, most


@hot
def widest(low, high, count):
    """The first of the columns with the largest range."""
    best, at = 0.0, 0
    for c in range(count):
        if high[c] - low[c] > best:
            best, at = high[c] - low[c], c
    return at


@hot
def least_distance(query, chosen, count, low, high, power):
    """The smallest distance from a query to a box, to the ``power``."""
    total = 0.0
    for c in range(count):
        value = query[chosen[c]]
        below, above = low[c] - value, value - high[c]
        apart = (below + abs(below)) + (above + abs(above))
        if apart > 0.0:
            total += (0.5 * apart) ** power
    return total


@hot
def push(value, row, k, far, near):
    """Put a row into the heap of the k nearest, largest first, if it is nearer than the largest."""
    if value >= far[0]:
        return
    at = 0
    while True:
        child = 2 * at + 1
        if child >= k:
            break
        if child + 1 < k and far[child + 1] > far[child]:
            child += 1
        if far[child] <= value:
            break
        far[at], near[at] = far[child], near[child]
        at = child
    far[at], near[at] = value, row


@hot
def cut(columns, chosen, count, node, start, rows, low, high, is_cut):
    """Cut a node into its children and measure them."""
    first, last = start[node], start[node] + start[len(is_cut) + node]
    middle = (last - first) // 2
    column = columns[chosen[widest(low[node], high[node], count)]]
    select(rows, column, first, first + middle, last)
    one, other = 2 * node + 1, 2 * node + 2
    size = len(is_cut)
    start[one], start[size + one] = first, middle
    start[other], start[size + other] = first + middle, last - first - middle
    measure(columns, chosen, count, rows, first, first + middle, low[one], high[one])
    measure(columns, chosen, count, rows, first + middle, last, low[other], high[other])
    is_cut[node] = True


@hot
def find(query, columns, chosen, count, squared, n_nodes, start, rows, low, high, is_cut,
         stack, bound, k, far, near):  # fmt: skip
    """The k nearest rows of a query, as a heap."""
    power = 2.0 if squared else 1.0
    size = len(is_cut)
    for i in range(k):
        far[i], near[i] = np.inf, -1
    stack[0], depth = 0, 1
    bound[0] = least_distance(query, chosen, count, low[0], high[0], power)
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bound[depth] > far[0]:
            continue
        if 2 * node + 1 >= n_nodes:
            for i in range(start[node], start[node] + start[size + node]):
                total = 0.0
                for c in range(count):
                    apart = query[chosen[c]] - columns[chosen[c], rows[i]]
                    total += apart * apart if squared else abs(apart)
                push(total, rows[i], k, far, near)
            continue
        if not is_cut[node]:
            cut(columns, chosen, count, node, start, rows, low, high, is_cut)
        one, other = 2 * node + 1, 2 * node + 2
        to_one = least_distance(query, chosen, count, low[one], high[one], power)
        to_other = least_distance(query, chosen, count, low[other], high[other], power)
        if to_one > to_other:
            one, other, to_one, to_other = other, one, to_other, to_one
        stack[depth], bound[depth] = other, to_other
        stack[depth + 1], bound[depth + 1] = one, to_one
        depth += 2


@njit(cache=True, nogil=True, error_model="numpy")
def nodes_of(n_rows, leaf_size):
    """The number of nodes of a tree whose leaves hold ``leaf_size`` to twice as many rows.

    >>> nodes_of(100, 30)
    3
    """
    levels = np.int64(np.log2(max(1.0, (n_rows - 1) / leaf_size)) + 1)
    return (np.int64(1) << levels) - 1


@njit(cache=True, nogil=True, error_model="numpy")
def neighbours_by_tree(
    columns, masks, wanted, fold, train, first, leaf_size, squared, k, target, queries, predicted
):
    """The class that the k nearest rows vote for, where it is wanted; ties go to the first class.

    Parameters
    ----------
    columns : float64 (features, rows)
    masks : bool (candidates, features)
    wanted : bool (candidates, queries)
        Becomes False where there is an answer.
    fold : int64 (queries,)
    train : int64, first : int64 (folds + 1,)
        Rows of fold f are ``train[first[f]:first[f + 1]]``, rising.
    leaf_size, squared, k
        Of the tree, whether differences are squared, and how many neighbours vote.
    target : int64 (rows,)
    queries : float64 (queries, features)
    predicted : int64 (candidates, queries)
    """
    d, n_folds = len(columns), len(first) - 1
    most = 0
    for f in range(n_folds):
        most = max(most, first[f + 1] - first[f])
    size = nodes_of(most, leaf_size)
    rows, chosen = np.empty(most, np.int64), np.empty(d, np.int64)
    start, is_cut = np.empty(2 * size, np.int64), np.empty(size, np.bool_)
    low, high = np.empty((size, d)), np.empty((size, d))
    stack, bound = np.empty(128, np.int64), np.empty(128)
    far, near = np.empty(k), np.empty(k, np.int64)
    votes = np.empty(target.max() + 1, np.int64)
    for s in range(len(masks)):
        count = 0
        for j in range(d):
            if masks[s, j]:
                chosen[count] = j
                count += 1
        for f in range(n_folds):
            planted = False
            n_rows = first[f + 1] - first[f]
            n_nodes = nodes_of(n_rows, leaf_size)
            for q in range(len(queries)):
                if fold[q] != f or not wanted[s, q]:
                    continue
                if not planted:
                    for i in range(n_rows):
                        rows[i] = train[first[f] + i]
                    is_cut[:] = False
                    start[0], start[size] = 0, n_rows
                    measure(columns, chosen, count, rows, 0, n_rows, low[0], high[0])
                    planted = True
                find(
                    queries[q], columns, chosen, count, squared, n_nodes, start, rows,
                    low, high, is_cut, stack, bound, k, far, near,
                )  # fmt: skip
                votes[:] = 0
                for i in range(k):
                    votes[target[near[i]]] += 1
                best = 0
                for c in range(1, len(votes)):
                    if votes[c] > votes[best]:
                        best = c
                predicted[s, q], wanted[s, q] = best, False
