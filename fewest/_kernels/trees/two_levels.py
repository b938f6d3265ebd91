"""Decision trees of two levels with the fewest training errors (Auer, Holte and Maass, 1995).

Every feature is given as cells: its levels, or its distinct values in rising order, and one
last cell for unknown values. ``first[j]`` is where the cells of feature j begin.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def best_intervals(counts, begin, end, most, best):
    """Return the largest weight that ``most`` intervals over the cells ``begin`` to ``end`` get
    right.

    ``best`` is room for (most, classes) numbers: what is right so far with q + 1 intervals of
    which the last predicts class c.
    """
    n_classes = counts.shape[1]
    for q in range(most):
        for c in range(n_classes):
            best[q, c] = 0.0
    for v in range(begin, end):
        # A cell without rows changes nothing; most are empty on one side of a cut.
        empty = True
        for c in range(n_classes):
            empty = empty and counts[v, c] == 0.0
        if empty:
            continue
        for q in range(most - 1, -1, -1):
            opened = 0.0
            if q > 0:
                for c in range(n_classes):
                    opened = max(opened, best[q - 1, c])
            for c in range(n_classes):
                best[q, c] = max(best[q, c], opened) + counts[v, c]
    right = 0.0
    for c in range(n_classes):
        right = max(right, best[most - 1, c])
    return right


@njit(cache=True, nogil=True)
def largest(counts, cell):
    """Return the largest class weight of a cell."""
    found = 0.0
    for c in range(counts.shape[1]):
        found = max(found, counts[cell, c])
    return found


@njit(cache=True, nogil=True)
def right_by_feature(counts, first, nominal, j, most, best):
    """Return what a node that tests feature j, with leaves below it, gets right."""
    begin, end = first[j], first[j + 1] - 1
    right = largest(counts, end)
    if nominal[j]:
        for v in range(begin, end):
            right += largest(counts, v)
        return right
    return right + best_intervals(counts, begin, end, most, best)


@njit(cache=True, nogil=True)
def best_feature(counts, first, nominal, most, best):
    """Return the feature whose node gets most right (the first, if several do), and how much."""
    chosen, right = 0, -1.0
    for j in range(len(nominal)):
        by = right_by_feature(counts, first, nominal, j, most, best)
        if by > right + 1e-9:
            chosen, right = j, by
    return chosen, right


@njit(cache=True, nogil=True)
def add_row(counts, cells, row, label, weight):
    """Add one row to the counts of every feature."""
    for j in range(cells.shape[1]):
        counts[cells[row, j], label] += weight


@njit(cache=True, nogil=True)
def right_by_levels(cells, target, weight, first, nominal, root, most, n_classes, best):
    """Return what a root with a branch for each cell of feature ``root`` gets right."""
    right = 0.0
    counts = np.zeros((first[-1], n_classes))
    for cell in range(first[root], first[root + 1]):
        counts[:] = 0.0
        for i in range(len(cells)):
            if cells[i, root] == cell:
                add_row(counts, cells, i, target[i], weight[i])
        right += best_feature(counts, first, nominal, most, best)[1]
    return right


@njit(cache=True, nogil=True)
def most_right_of(counts, first, nominal, most, room, bounds, enough):
    """Return the largest weight that a node gets right, given ``bounds`` on that of each feature.

    Bounds become exact from the largest one down. Where none is above ``enough``, the largest
    one is returned.
    """
    exact = np.zeros(len(bounds), np.bool_)
    while True:
        j = np.argmax(bounds)
        if exact[j] or bounds[j] <= enough:
            return bounds[j]
        bounds[j] = right_by_feature(counts, first, nominal, j, most, room)
        exact[j] = True


@njit(cache=True, nogil=True)
def right_by_cut(cells, target, weight, first, nominal, root, most, n_classes, best, least):
    """Return the best cut of a continuous root: what it gets right, and the last cell on its left.

    Without a cut (-1) all known rows share one branch. A row that moves from right to left adds
    at most its weight to what a feature gets right on the left, and nothing on the right. So
    features and cuts are passed over until so much has moved that one of them could beat the best
    so far, or ``least``, what another root gets right.
    """
    unknown = first[root + 1] - 1
    left, right = np.zeros((first[-1], n_classes)), np.zeros((first[-1], n_classes))
    apart = np.zeros((first[-1], n_classes))
    for i in range(len(cells)):
        add_row(apart if cells[i, root] == unknown else right, cells, i, target[i], weight[i])
    always = best_feature(apart, first, nominal, most, best)[1]
    on_left, on_right = np.zeros(len(nominal)), np.full(len(nominal), np.inf)
    most_right, cut = most_right_of(right, first, nominal, most, best, on_right, 0.0), -1
    order = np.argsort(cells[:, root], kind="mergesort")
    for position in range(len(order)):
        i = order[position]
        cell = cells[i, root]
        if cell == unknown:
            break
        on_left += weight[i]
        add_row(left, cells, i, target[i], weight[i])
        add_row(right, cells, i, target[i], -weight[i])
        last = position + 1 == len(order) or cells[order[position + 1], root] != cell
        wanted = max(most_right, least - always) + 1e-9
        if not last or cell + 1 == unknown or on_left.max() + on_right.max() <= wanted:
            continue
        below = most_right_of(left, first, nominal, most, best, on_left, wanted - on_right.max())
        if below + on_right.max() > wanted:
            above = most_right_of(right, first, nominal, most, best, on_right, wanted - below)
            if below + above > wanted:
                most_right, cut = below + above, cell
    return most_right + always, cut


@njit(cache=True, nogil=True)
def best_root(cells, target, weight, first, nominal, most, n_classes):
    """Return the root feature of the best two-level tree, its cut (-1 for none), what it gets
    right.
    """
    best = np.zeros((most, n_classes))
    chosen, chosen_cut, most_right = 0, -1, -1.0
    for root in range(len(nominal)):
        cut = -1
        if nominal[root]:
            right = right_by_levels(
                cells, target, weight, first, nominal, root, most, n_classes, best
            )
        else:
            right, cut = right_by_cut(
                cells, target, weight, first, nominal, root, most, n_classes, best, most_right
            )
        if right > most_right + 1e-9:
            chosen, chosen_cut, most_right = root, cut, right
    return chosen, chosen_cut, most_right


@njit(cache=True, nogil=True)
def interval_classes(counts, begin, end, most):
    """Return the class of every cell in the best division into at most ``most`` intervals."""
    n_classes, n = counts.shape[1], end - begin
    best = np.zeros((n + 1, most, n_classes))
    opened = np.zeros((n, most, n_classes), np.bool_)
    for v in range(n):
        for q in range(most):
            before = 0.0
            if q > 0:
                for c in range(n_classes):
                    before = max(before, best[v, q - 1, c])
            for c in range(n_classes):
                stays = best[v, q, c]
                opened[v, q, c] = q > 0 and before > stays + 1e-9
                best[v + 1, q, c] = max(stays, before) + counts[begin + v, c]
    classes = np.zeros(n, np.int64)
    q, c = most - 1, 0
    for k in range(1, n_classes):
        if best[n, q, k] > best[n, q, c] + 1e-9:
            c = k
    for v in range(n - 1, -1, -1):
        classes[v] = c
        if opened[v, q, c]:
            q -= 1
            c = 0
            for k in range(1, n_classes):
                if best[v, q, k] > best[v, q, c] + 1e-9:
                    c = k
    return classes
