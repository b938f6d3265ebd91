"""Partitions of rows by their values on a subset of the columns, and what is mixed in them.

A partition is refined column by column, exactly, in time linear in the rows still of interest:
a group whose rows all have one class can never become inconsistent and leaves at once. The
rows of a group lie side by side; ``starts`` says where each group begins and the last ends.
Codes are stored a column after another, shape (columns, rows), every code under its ``size``.
"""

import numpy as np
from numba import njit

#: The largest table of values by classes that is used to count without making groups.
_CELLS = 65536


@njit(cache=True, nogil=True)
def refine(column, classes, rows, starts, n_groups, new_rows, new_starts, scratch):
    """Split every group by ``column`` and keep the parts with at least two classes.

    ``scratch`` has shape (3, at least the size of the column), its first row zero before and
    after. Returns the number of parts; ``new_rows`` may be ``rows`` itself only if the parts
    need not be kept apart from the groups.
    """
    count, first, place = scratch[0], scratch[1], scratch[2]
    n_new = 0
    end = 0
    new_starts[0] = 0
    for group in range(n_groups):
        a, b = starts[group], starts[group + 1]
        if b - a == 2:
            # A group of two has two classes: it stays if the values agree.
            if column[rows[a]] == column[rows[a + 1]]:
                new_rows[end] = rows[a]
                new_rows[end + 1] = rows[a + 1]
                end += 2
                n_new += 1
                new_starts[n_new] = end
            continue
        for i in range(a, b):
            value = column[rows[i]]
            of = classes[rows[i]]
            if count[value] == 0:
                first[value] = of
            elif first[value] != of:
                first[value] = -1
            count[value] += 1
        for i in range(a, b):
            value = column[rows[i]]
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
def count_split(column, classes, weights, rows, starts, n_groups, n_classes, cells, largest):
    """The count after one more split, without making the parts.

    ``cells`` holds a zero for each value and class, ``largest`` one for each value, before and
    after.
    """
    total = 0
    for group in range(n_groups):
        a, b = starts[group], starts[group + 1]
        for i in range(a, b):
            row = rows[i]
            value = np.int64(column[row])
            cell = value * n_classes + classes[row]
            cells[cell] += weights[row]
            total += weights[row]
            largest[value] = max(largest[value], cells[cell])
        for i in range(a, b):
            row = rows[i]
            value = np.int64(column[row])
            cells[value * n_classes + classes[row]] = 0
            total -= largest[value]
            largest[value] = 0
    return total


@njit(cache=True, nogil=True)
def last_column(subset):
    """The last column of a subset, -1 if it is empty."""
    for column in range(len(subset) - 1, -1, -1):
        if subset[column]:
            return column
    return -1


@njit(cache=True, nogil=True)
def mixed_groups(codes, sizes, classes, subset):
    """The rows of the groups with at least two classes under ``subset``, and the groups' starts."""
    n = codes.shape[1]
    rows, starts, n_groups = whole(classes)
    others, other_starts = np.empty(n, np.int32), np.empty(n + 2, np.int32)
    scratch = np.zeros((3, max(1, sizes.max()) if len(sizes) else 1), np.int32)
    for column in range(len(codes)):
        if subset[column]:
            n_groups = refine(
                codes[column], classes, rows, starts, n_groups, others, other_starts, scratch
            )
            rows, others = others, rows
            starts, other_starts = other_starts, starts
    return rows[: starts[n_groups]].copy(), starts[: n_groups + 1].copy()


@njit(cache=True, nogil=True)
def whole(classes):
    """All rows as one group, or no group if there is one class only."""
    n = len(classes)
    rows = np.empty(n, np.int32)
    starts = np.zeros(n + 2, np.int32)
    n_groups = 0
    for i in range(n):
        rows[i] = i
        if classes[i] != classes[0]:
            n_groups = 1
    starts[n_groups] = n if n_groups else 0
    return rows, starts, n_groups


@njit(cache=True, nogil=True)
def inconsistencies(codes, sizes, classes, weights, n_classes, subsets):
    """Inconsistency count of each subset (a row of booleans over the columns).

    The partitions by the common prefix of consecutive subsets are kept on a stack of bounded
    length and not computed twice: present the subsets in lexicographic order.
    """
    n_columns, n = codes.shape
    room = max(3, n_columns // 2) * n + 64
    rows, starts = np.empty(room, np.int32), np.empty(room, np.int32)
    scratch = np.zeros((3, max(1, sizes.max()) if n_columns else 1), np.int32)
    weight = np.zeros(n_classes, np.int64)
    largest = np.zeros(max(1, sizes.max()) if n_columns else 1, np.int64)
    cells = np.zeros(min(_CELLS, len(largest) * n_classes), np.int64)
    # Level l of the stack: the partition by the first l columns of the current subset.
    begin = np.zeros(n_columns + 2, np.int64)
    number = np.zeros(n_columns + 2, np.int64)
    rows[:n], starts[: n + 2], number[0] = whole(classes)
    spare_rows, spare_starts = np.empty(n, np.int32), np.empty(n + 2, np.int32)
    path = np.full(n_columns + 1, -1, np.int64)
    kept = 0
    counts = np.zeros(len(subsets), np.int64)
    for s in range(len(subsets)):
        level, intact, same = 0, 0, True
        last, counted = last_column(subsets[s]), False
        for column in range(n_columns):
            if not subsets[s, column]:
                continue
            if same and level < kept and path[level] == column:
                level += 1
                intact += 1
                continue
            same = False
            if number[level] == 0:
                break
            a = begin[level]
            if column == last and sizes[column] * n_classes <= len(cells):
                counts[s] = count_split(
                    codes[column], classes, weights, rows[a:], starts[a:], number[level],
                    n_classes, cells, largest,
                )  # fmt: skip
                counted = True
                break
            path[level] = column
            n_rows = starts[a + number[level]]
            # Groups have at least two rows, so starts need no more room than rows.
            b = a + max(n_rows, number[level] + 1)
            fits = b + n_rows + 2 <= room
            to_rows = rows[b:] if fits else spare_rows
            to_starts = starts[b:] if fits else spare_starts
            number[level + 1] = refine(
                codes[column], classes, rows[a:], starts[a:], number[level],
                to_rows, to_starts, scratch,
            )  # fmt: skip
            if not fits:
                # Overwrite the level below, which then cannot be shared any more.
                end = spare_starts[number[level + 1]]
                rows[a : a + end] = spare_rows[:end]
                starts[a : a + number[level + 1] + 1] = spare_starts[: number[level + 1] + 1]
                b = a
                intact = min(intact, level - 1)
            elif intact == level:
                intact += 1
            begin[level + 1] = b
            level += 1
        if not counted:
            a = begin[level]
            counts[s] = count_mixed(classes, weights, rows[a:], starts[a:], number[level], weight)
        kept = min(intact, level)
    return counts
