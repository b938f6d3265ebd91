"""Inconsistencies of subsets and of their single steps."""

import numpy as np
from numba import njit

from ..counting.row_patterns import count_mixed, count_split, refine, whole
from .lattice_walks import chains, outside_majority, start_with, workspace
from .masks import masked

#: The largest table of patterns by classes that is used to count directly.
_MOST_CELLS = 1 << 16
#: Subsets after this one that must share a partition for it to be made.
_SUBSETS_AHEAD = 4
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit(cache=True, nogil=True)
def mask_of(fields, subset, begin, mask):
    """Return the bits of the columns of ``subset`` from ``begin`` on; how many columns and bits."""
    mask[:] = 0
    n_columns, n_bits = 0, 0
    for column in range(begin, len(subset)):
        if subset[column]:
            word, shift, bits = fields[column, 0], np.uint64(fields[column, 1]), fields[column, 2]
            mask[word] |= ((_ONE << np.uint64(bits)) - _ONE) << shift
            n_columns += 1
            n_bits += bits
    return n_columns, n_bits


@njit(cache=True, nogil=True)
def few_cells(n_bits, n_classes, n_rows):
    """Decide if a cell for each pattern and class takes less time than looking for the patterns."""
    return n_bits < 30 and n_classes << n_bits <= min(n_rows, _MOST_CELLS)


@njit(cache=True, nogil=True)
def count_cells(words, fields, subset, classes, weights, n_classes, n_bits):
    """Return the count of a subset with few patterns: a cell for each pattern and class."""
    chunk = 2048
    cells = np.zeros((1 << n_bits, n_classes), np.int64)
    pattern = np.empty(chunk, np.int64)
    for start in range(0, len(words), chunk):
        n = min(chunk, len(words) - start)
        pattern[:n] = 0
        for column in range(len(subset)):
            if not subset[column]:
                continue
            word, shift, bits = fields[column, 0], np.uint64(fields[column, 1]), fields[column, 2]
            low = (_ONE << np.uint64(bits)) - _ONE
            for i in range(n):
                value = np.int64(words[start + i, word] >> shift & low)
                pattern[i] = pattern[i] << bits | value
        for i in range(n):
            cells[pattern[i], classes[start + i]] += weights[start + i]
    total = 0
    for p in range(len(cells)):
        largest = 0
        for c in range(n_classes):
            total += cells[p, c]
            largest = max(largest, cells[p, c])
        total -= largest
    return total


@njit(cache=True, nogil=True)
def count_rest(words, mask, classes, weights, rows, starts, n_groups, several, work, copies):
    """Return the count after a split of the groups by all columns in ``mask``."""
    room, of, weight = copies
    n, active = np.int64(starts[n_groups]), np.flatnonzero(mask)
    # The number of the group is one more word of the key.
    width = len(active) + (n_groups > 1)
    keys = room[: n * width].reshape(n, width)
    for a in range(len(active)):
        for i in range(n):
            keys[i, a] = words[rows[i], active[a]] & mask[active[a]]
    if n_groups > 1:
        for group in range(n_groups):
            for i in range(starts[group], starts[group + 1]):
                keys[i, width - 1] = group
    for i in range(n):
        of[i] = classes[rows[i]]
        weight[i] = weights[rows[i]]
    n_chains = chains(keys, of, n, np.uint64(0), several, work)
    return outside_majority(of, weight, n_chains, work)


@njit(cache=True, nogil=True)
def count_all(words, mask, classes, weights, several, work, room):
    """Return the count of the columns in ``mask``, from all rows."""
    n, active = len(words), np.flatnonzero(mask)
    keys = room[: n * len(active)].reshape(n, len(active))
    masked(words, active, mask, 0, n, keys)
    n_chains = chains(keys, classes, n, np.uint64(0), several, work)
    return outside_majority(classes, weights, n_chains, work)


@njit(cache=True, nogil=True)
def common_prefix(one, two):
    """Count the columns from the first on that are the same in two subsets."""
    for column in range(len(one)):
        if one[column] != two[column]:
            return column
    return len(one)


@njit(cache=True, nogil=True)
def climb(words, fields, classes, subset, begin, shared, level, stack, scratch):
    """Make the partitions by the columns of ``subset`` from ``begin`` up to ``shared``.

    Returns the level reached on the stack and the first column not used.
    """
    rows, starts, first, number, path = stack
    for column in range(begin, shared):
        if not subset[column]:
            continue
        a = first[level]
        n_rows = starts[a + number[level]] if number[level] else 0
        # Groups have at least two rows, so starts need no more room than rows.
        b = a + max(n_rows, number[level] + 1)
        if number[level] == 0 or b + n_rows + 2 > len(rows):
            return level, column
        number[level + 1] = refine(
            words, fields[column], classes, rows[a:], starts[a:], number[level],
            rows[b:], starts[b:], scratch,
        )  # fmt: skip
        first[level + 1], path[level] = b, column
        level += 1
    return level, shared


@njit(cache=True, nogil=True)
def stack_of(classes, n_columns):
    """Make a stack with the partition into one group at level 0.

    ``first`` is where the rows of a level lie, ``number`` how many groups it has, ``path`` the
    column that leads from each level to the next.
    """
    n = len(classes)
    rows, starts = np.empty(4 * n + 64, np.int32), np.empty(4 * n + 64, np.int32)
    first, number = np.zeros(n_columns + 2, np.int64), np.zeros(n_columns + 2, np.int64)
    number[0] = whole(classes, rows, starts)
    return rows, starts, first, number, np.full(n_columns + 1, -1, np.int64)


@njit(cache=True, nogil=True)
def finish(words, fields, sizes, subset, begin, level, stack, rows_of, scratch):
    """Return the count of a subset whose columns before ``begin`` are those of ``level``."""
    rows, starts, first, number, _ = stack
    classes, weights, n_classes, several = rows_of
    cells, largest, mask, work, copies = scratch
    if number[level] == 0:
        return 0
    n_rest, n_bits = mask_of(fields, subset, begin, mask)
    of_level, begins = rows[first[level] :], starts[first[level] :]
    if n_rest == 0:
        return count_mixed(classes, weights, of_level, begins, number[level], work[-1])
    if level == 0 and few_cells(n_bits, n_classes, len(words)):
        return count_cells(words, fields, subset, classes, weights, n_classes, n_bits)
    last = len(subset) - 1
    while not subset[last]:
        last -= 1
    if n_rest == 1 and sizes[last] * n_classes <= len(cells):
        return count_split(
            words, fields[last], classes, weights, of_level, begins, number[level],
            n_classes, cells, largest,
        )  # fmt: skip
    if 4 * begins[number[level]] > 3 * len(words):
        # Copying rows here and there takes longer than looking at all of them in their order.
        mask_of(fields, subset, 0, mask)
        return count_all(words, mask, classes, weights, several, work, copies[0])
    return count_rest(
        words, mask, classes, weights, of_level, begins, number[level], several, work, copies
    )


@njit(cache=True, nogil=True)
def inconsistencies(words, fields, sizes, classes, weights, n_classes, several, subsets):
    """Return the inconsistency count of each subset (a row of booleans over the columns).

    Present the subsets in lexicographic order, so that prefixes are shared. ``several`` is a
    number of the type of the classes that is none of them, nor the one after the last.
    """
    counts = np.zeros(len(subsets), np.int64)
    n, most = len(words), max(1, sizes.max())
    stack = stack_of(classes, len(fields))
    path = stack[-1]
    parts = np.zeros((3, most), np.int32)
    scratch = (
        np.zeros(min(_MOST_CELLS, most * n_classes), np.int64),
        np.zeros(most, np.int64),
        np.zeros(words.shape[1], np.uint64),
        workspace(n, classes, n_classes),
        (
            np.empty((words.shape[1] + 1) * n, np.uint64),
            np.empty(n, classes.dtype),
            np.empty(n, np.int32),
        ),
    )
    rows_of = (classes, weights, n_classes, several)
    depth = 0
    for s in range(len(subsets)):
        known = common_prefix(subsets[s], subsets[s - 1]) if s else 0
        ahead = (
            common_prefix(subsets[s], subsets[s + _SUBSETS_AHEAD])
            if s + _SUBSETS_AHEAD < len(subsets)
            else 0
        )
        level = 0
        while level < depth and path[level] < known:
            level += 1
        begin = path[level - 1] + 1 if level else 0
        depth, begin = climb(
            words, fields, classes, subsets[s], begin, max(ahead, begin), level, stack, parts
        )
        counts[s] = finish(words, fields, sizes, subsets[s], begin, depth, stack, rows_of, scratch)
    return counts


@njit(cache=True, nogil=True)
def count_steps(words, fields, sizes, classes, weights, n_classes, base, columns):
    """Return the inconsistency count of ``base`` with each of ``columns``.

    words, fields, sizes, classes, weights, n_classes: as for
        :func:`~.inconsistencies.inconsistencies`.
    base, columns: numbers of columns; none of ``columns`` is in ``base``.

    Returns int64 (len(columns),).
    """
    n, widest = len(words), sizes.max()
    rows, starts = np.empty((2, n), np.int32), np.empty((2, n + 2), np.int32)
    largest, cells = np.zeros(widest, np.int64), np.zeros(widest * n_classes, np.int64)
    scratch = np.zeros((3, widest), np.int32)
    n_groups = start_with(words, fields, classes, base, rows, starts, scratch)
    counts = np.zeros(len(columns), np.int64)
    for i in range(len(columns)):
        counts[i] = count_split(
            words, fields[columns[i]], classes, weights, rows[0], starts[0], n_groups, n_classes,
            cells, largest,
        )  # fmt: skip
    return counts
