"""Decision trees of two levels with the fewest training errors (Auer, Holte and Maass, 1995).

Every feature is given as cells: its levels, or its distinct values in rising order, and one
last cell for unknown values. ``first[j]`` is where the cells of feature j begin.

What a second-level test gets right below a branch of the root does not depend on the other
features. So a table holds it for every branch of every root and every second feature, and the
best tree of a subset is found by looking up. Rows of the table, from ``start[r]`` on: for a nominal
root its cells; for a continuous one the unknown values, all known ones, then for each cut the left
and the right side.
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


@njit(cache=True, nogil=True)
def fill_row(counts, first, nominal, most, room, out):
    """Return what a test of each feature gets right of the rows in ``counts``."""
    for s in range(len(nominal)):
        out[s] = int(right_by_feature(counts, first, nominal, s, most, room) + 0.5)


@njit(cache=True, nogil=True)
def fill_cuts(cells, target, first, nominal, root, most, room, order, table):
    """Return the rows of the table of a continuous root."""
    unknown, n_classes = first[root + 1] - 1, room.shape[1]
    left, right = np.zeros((first[-1], n_classes)), np.zeros((first[-1], n_classes))
    apart = np.zeros((first[-1], n_classes))
    for i in range(len(cells)):
        add_row(apart if cells[i, root] == unknown else right, cells, i, target[i], 1.0)
    fill_row(apart, first, nominal, most, room, table[0])
    fill_row(right, first, nominal, most, room, table[1])
    for position in range(len(order)):
        i = order[position]
        cell = cells[i, root]
        if cell == unknown:
            break
        add_row(left, cells, i, target[i], 1.0)
        add_row(right, cells, i, target[i], -1.0)
        last = position + 1 == len(order) or cells[order[position + 1], root] != cell
        if last and cell + 1 < unknown:
            at = 2 + 2 * (cell - first[root])
            fill_row(left, first, nominal, most, room, table[at])
            fill_row(right, first, nominal, most, room, table[at + 1])


@njit(cache=True, nogil=True)
def fill_table(cells, target, first, nominal, most, n_classes, start, table):
    """Return what every second-level test gets right below every branch of every root."""
    room = np.zeros((most, n_classes))
    counts = np.zeros((first[-1], n_classes))
    for root in range(len(nominal)):
        if not nominal[root]:
            order = np.argsort(cells[:, root], kind="mergesort")
            part = table[start[root] : start[root + 1]]
            fill_cuts(cells, target, first, nominal, root, most, room, order, part)
            continue
        for cell in range(first[root], first[root + 1]):
            counts[:] = 0.0
            for i in range(len(cells)):
                if cells[i, root] == cell:
                    add_row(counts, cells, i, target[i], 1.0)
            at = start[root] + cell - first[root]
            fill_row(counts, first, nominal, most, room, table[at])


@njit(cache=True, nogil=True)
def best_second(table, at, chosen):
    """Return the first of the chosen features that gets most right below a branch, and how much."""
    best = chosen[0]
    for k in range(1, len(chosen)):
        if table[at, chosen[k]] > table[at, best]:
            best = chosen[k]
    return best, table[at, best]


@njit(cache=True, nogil=True)
def best_tree(table, start, nominal, chosen):
    """Return the root of the best tree over the chosen features, and its cut (-1 for none)."""
    root, root_cut, most_right = chosen[0], -1, -1
    for r in chosen:
        cut, total = -1, 0
        if nominal[r]:
            for at in range(start[r], start[r + 1]):
                total += best_second(table, at, chosen)[1]
        else:
            total = best_second(table, start[r] + 1, chosen)[1]
            for c in range((start[r + 1] - start[r] - 2) // 2):
                at = start[r] + 2 + 2 * c
                sides = best_second(table, at, chosen)[1]
                sides += best_second(table, at + 1, chosen)[1]
                if sides > total:
                    total, cut = sides, c
            total += best_second(table, start[r], chosen)[1]
        if total > most_right:
            root, root_cut, most_right = r, cut, total
    return root, root_cut


@njit(cache=True, nogil=True)
def largest_class(counts, begin, end, otherwise):
    """Return the most frequent class of some cells, ``otherwise`` if they are empty."""
    best, most = otherwise, 0.0
    for c in range(counts.shape[1]):
        total = 0.0
        for v in range(begin, end):
            total += counts[v, c]
        if total > most:
            best, most = c, total
    return best


@njit(cache=True, nogil=True)
def leaf_classes(counts, is_nominal, most, prior, leaves):
    """Return the class of each cell of a second-level test; the last of ``leaves`` is for no cell.

    ``counts`` are the class counts of its cells, the last one for unknown values.
    """
    n = len(counts) - 1
    own = largest_class(counts, 0, n + 1, prior)
    leaves[n] = largest_class(counts, n, n + 1, own)
    leaves[n + 1] = own
    begin = 0
    kinds = np.arange(n) if is_nominal else interval_classes(counts, 0, n, most)
    for v in range(n):
        if v + 1 == n or kinds[v + 1] != kinds[v]:
            kind = largest_class(counts, begin, v + 1, own)
            for w in range(begin, v + 1):
                leaves[w] = kind
            begin = v + 1


@njit(cache=True, nogil=True)
def branch_of(cell, first, is_nominal, root, cut):
    """Return the branch of a cell of the root; -1, a known value without a cell, is the first."""
    if is_nominal:
        return cell - first[root]
    if cell == first[root + 1] - 1:
        return 2
    return 1 if cut >= 0 and cell - first[root] > cut else 0


@njit(cache=True, nogil=True)
def row_of(start, is_nominal, root, cut, branch):
    """Return the row of the table of a branch."""
    if is_nominal:
        return start[root] + branch
    if branch == 2:
        return start[root]
    return start[root] + 1 if cut < 0 else start[root] + 2 + 2 * cut + branch


@njit(cache=True, nogil=True)
def right_of_tree(data, tests, first, nominal, most, start, table, chosen, prior):
    """Return how many test rows the best tree over the chosen features gets right.

    ``data`` and ``tests`` are cells and classes of training and test rows.
    """
    cells, target = data
    root, cut = best_tree(table, start, nominal, chosen)
    is_nominal, right = nominal[root], 0
    for branch in range(first[root + 1] - first[root] if is_nominal else 3):
        if not is_nominal and cut < 0 and branch == 1:
            continue
        s, _ = best_second(table, row_of(start, is_nominal, root, cut, branch), chosen)
        n = first[s + 1] - first[s]
        counts, leaves = np.zeros((n, prior.size)), np.zeros(n + 1, np.int64)
        for i in range(len(cells)):
            if branch_of(cells[i, root], first, is_nominal, root, cut) == branch:
                counts[cells[i, s] - first[s], target[i]] += 1.0
        leaf_classes(counts, nominal[s], most, prior.argmax(), leaves)
        for i in range(len(tests[0])):
            if branch_of(tests[0][i, root], first, is_nominal, root, cut) == branch:
                cell = tests[0][i, s]
                leaf = leaves[n] if cell < 0 else leaves[cell - first[s]]
                right += leaf == tests[1][i]
    return right


@njit(cache=True, nogil=True)
def right_of_trees(data, tests, first, nominal, most, start, table, subsets, prior, right):
    """Return the same for many subsets with at least one feature: ``right`` (subsets,)."""
    for k in range(len(subsets)):
        chosen = np.flatnonzero(subsets[k])
        right[k] = right_of_tree(data, tests, first, nominal, most, start, table, chosen, prior)
