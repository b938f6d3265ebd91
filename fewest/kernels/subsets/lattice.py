"""Depth-first search of the sets of a given number of columns for one with few inconsistencies."""

import numpy as np
from numba import njit

from ..counting.patterns import count_mixed, count_split, refine, whole

#: A bound over more parts than this excludes too little to be worth its time.
_PARTS = 64
#: All columns left are tried together where at most so many of them stay out.
_SPARE = 3


@njit(cache=True, nogil=True)
def least_possible(classes, weights, rows, starts, n_groups, parts, weight, top):
    """At least how many inconsistencies a split of every group into ``parts`` leaves.

    A part of a group keeps one class at best: the heaviest classes, one for each part, are not
    counted. ``weight`` holds a zero for each class, before and after.
    """
    total = 0
    for group in range(n_groups):
        a, b = starts[group], starts[group + 1]
        if b - a <= parts:
            continue
        for i in range(a, b):
            weight[classes[rows[i]]] += weights[rows[i]]
            total += weights[rows[i]]
        for k in range(parts):
            top[k] = 0
        for i in range(a, b):
            k, mass = 0, weight[classes[rows[i]]]
            weight[classes[rows[i]]] = 0
            while k < parts and mass > 0:
                if mass > top[k]:
                    top[k], mass = mass, top[k]
                k += 1
        for k in range(parts):
            total -= top[k]
    return total


@njit(cache=True, nogil=True)
def last_of(words, fields, columns, begin, of, level, allowed, cells, largest):
    """The first place from ``begin`` on whose column leaves ``allowed`` or less, -1 if none."""
    classes, weights, n_classes = of
    rows, starts, n_groups = level
    for place in range(begin, len(columns)):
        count = count_split(
            words, fields[columns[place]], classes, weights, rows, starts, n_groups,
            n_classes, cells, largest,
        )  # fmt: skip
        if count <= allowed:
            return place
    return -1


@njit(cache=True, nogil=True)
def together(words, fields, columns, begin, of, level, spare, scratch, weight):
    """The count with all columns from ``begin`` on: no set below can leave less.

    ``spare`` are two pairs of arrays like the rows and the starts of ``level``.
    """
    classes, weights, _ = of
    rows, starts, n_groups = level
    here = 0
    for place in range(begin, len(columns)):
        if n_groups == 0:
            return 0
        new_rows, new_starts = spare[0][here], spare[1][here]
        n_groups = refine(
            words, fields[columns[place]], classes, rows, starts, n_groups,
            new_rows, new_starts, scratch,
        )  # fmt: skip
        rows, starts, here = new_rows, new_starts, 1 - here
    return count_mixed(classes, weights, rows, starts, n_groups, weight)


@njit(cache=True, nogil=True)
def start_with(words, fields, classes, base, rows, starts, scratch):
    """The partition by the columns of ``base`` at level 0; return its number of groups."""
    n = len(classes)
    n_groups = whole(classes, rows[0], starts[0])
    for column in base:
        n_groups = refine(
            words, fields[column], classes, rows[0], starts[0], n_groups,
            rows[1], starts[1], scratch,
        )  # fmt: skip
        for i in range(n):
            rows[0, i] = rows[1, i]
        for i in range(n_groups + 1):
            starts[0, i] = starts[1, i]
    return n_groups


@njit(cache=True, nogil=True)
def find_within(words, fields, sizes, of, base, columns, place, allowed, stop):
    """Find ``len(place)`` of the columns that, with ``base``, leave ``allowed`` or less.

    Sets are tried in lexicographic order of their places in ``columns``; ``of`` are the classes,
    the weights and the number of classes. Returns 1 and leaves the places in ``place``, 0 if
    there is no such set, or -1 if ``stop[0]`` was set meanwhile.
    """
    classes, weights, n_classes = of
    n, most, widest = len(words), len(place), sizes.max()
    rows, starts = np.empty((most + 1, n), np.int32), np.empty((most + 1, n + 2), np.int32)
    number = np.zeros(most + 1, np.int64)
    largest, cells = np.zeros(widest, np.int64), np.zeros(widest * n_classes, np.int64)
    scratch = np.zeros((3, widest), np.int32)
    weight, top = np.zeros(n_classes, np.int64), np.zeros(_PARTS, np.int64)
    spare = (np.empty((2, n), np.int32), np.empty((2, n + 2), np.int32))
    number[0] = start_with(words, fields, classes, base, rows, starts, scratch)
    level = 0
    place[0] = -1
    while level >= 0:
        if stop[0] != 0:
            return -1
        left = most - level
        if left == 1:
            here = (rows[level], starts[level], number[level])
            found = last_of(
                words, fields, columns, place[level] + 1, of, here, allowed, cells, largest
            )
            if found >= 0:
                place[level] = found
                return 1
        place[level] += 1
        if left == 1 or place[level] > len(columns) - left:
            level -= 1
            continue
        number[level + 1] = refine(
            words, fields[columns[place[level]]], classes, rows[level], starts[level],
            number[level], rows[level + 1], starts[level + 1], scratch,
        )  # fmt: skip
        here = (rows[level + 1], starts[level + 1], number[level + 1])
        begin = place[level] + 1
        # What all columns left do together changes only when one has been left out.
        skipped = begin > (place[level - 1] + 2 if level else 1)
        if skipped and left > 3 and len(columns) - begin - (left - 1) <= _SPARE:
            if allowed < together(words, fields, columns, begin, of, here, spare, scratch, weight):
                continue
        parts = widest ** (left - 1) if left <= 4 else _PARTS + 1
        if parts > _PARTS or allowed >= least_possible(
            classes, weights, here[0], here[1], here[2], parts, weight, top
        ):
            place[level + 1] = place[level]
            level += 1
    return 0
