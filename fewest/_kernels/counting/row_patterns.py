"""Partitions of rows by their values on some columns, refined column by column.

A partition is refined in time linear in the rows still of interest: a group whose rows all have
one class can never become inconsistent and leaves at once. The rows of a group lie side by side;
``starts`` are where each group begins and the last ends.

Rows are packed into 64-bit words, shape (rows, words); ``fields`` are for each column its word,
its lowest bit and how many bits it has.
"""

import numpy as np
from numba import njit

_ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def refine(words, field, classes, rows, starts, n_groups, new_rows, new_starts, scratch):
    """Split every group by one column and keep the parts with at least two classes.

    ``scratch`` has shape (3, at least the size of the column), its first row zero before and
    after. Returns the number of parts.
    """
    word, shift, low = field[0], np.uint64(field[1]), (_ONE << np.uint64(field[2])) - _ONE
    count, first, place = scratch[0], scratch[1], scratch[2]
    n_new = 0
    end = 0
    new_starts[0] = 0
    for group in range(n_groups):
        a, b = starts[group], starts[group + 1]
        if b - a == 2:
            # A group of two has two classes: it stays if the values agree.
            if not (words[rows[a], word] ^ words[rows[a + 1], word]) >> shift & low:
                new_rows[end] = rows[a]
                new_rows[end + 1] = rows[a + 1]
                end += 2
                n_new += 1
                new_starts[n_new] = end
            continue
        for i in range(a, b):
            value = np.int64(words[rows[i], word] >> shift & low)
            of = classes[rows[i]]
            if count[value] == 0:
                first[value] = of
            elif first[value] != of:
                first[value] = -1
            count[value] += 1
        for i in range(a, b):
            value = np.int64(words[rows[i], word] >> shift & low)
            if count[value] > 0:
                # The value for the first time in this group: give it its place, or none.
                if first[value] == -1:
                    place[value] = end
                    end += count[value]
                    n_new += 1
                    new_starts[n_new] = end
                else:
                    place[value] = -1
                count[value] = 0
            if place[value] >= 0:
                new_rows[place[value]] = rows[i]
                place[value] += 1
    return n_new


@njit(cache=True, nogil=True)
def count_mixed(classes, weights, rows, starts, n_groups, weight):
    """Sum over the groups of the weight outside the heaviest class.

    ``weight`` holds a zero for each class, before and after.
    """
    total = 0
    for group in range(n_groups):
        largest = 0
        for i in range(starts[group], starts[group + 1]):
            row = rows[i]
            weight[classes[row]] += weights[row]
            total += weights[row]
            largest = max(largest, weight[classes[row]])
        total -= largest
        for i in range(starts[group], starts[group + 1]):
            weight[classes[rows[i]]] = 0
    return total


@njit(cache=True, nogil=True)
def count_split(words, field, classes, weights, rows, starts, n_groups, n_classes, cells, largest):
    """Return the count after one more split, without making the parts.

    ``cells`` holds a zero for each value and class, ``largest`` one for each value, before and
    after.
    """
    word, shift, low = field[0], np.uint64(field[1]), (_ONE << np.uint64(field[2])) - _ONE
    total = 0
    for group in range(n_groups):
        a, b = starts[group], starts[group + 1]
        for i in range(a, b):
            row = rows[i]
            value = np.int64(words[row, word] >> shift & low)
            cell = value * n_classes + classes[row]
            cells[cell] += weights[row]
            total += weights[row]
            largest[value] = max(largest[value], cells[cell])
        for i in range(a, b):
            row = rows[i]
            value = np.int64(words[row, word] >> shift & low)
            cells[value * n_classes + classes[row]] = 0
            total -= largest[value]
            largest[value] = 0
    return total


@njit(cache=True, nogil=True)
def whole(classes, rows, starts):
    """Put all rows into one group, or none if there is one class only; return how many."""
    n_groups = 0
    for i in range(len(classes)):
        rows[i] = i
        if classes[i] != classes[0]:
            n_groups = 1
    starts[0] = 0
    starts[n_groups] = n_groups * len(classes)
    return n_groups
