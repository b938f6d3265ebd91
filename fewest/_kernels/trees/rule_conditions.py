"""Class weights of all conditions on single features at once."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def condition_counts(cell, target, weight, inside, n_cells, n_classes, low, high):
    """Return the weight of each class among rows whose cell lies between two ends.

    ``cell`` has the cell of every value, shape (rows, features), cells of different features are
    different; a condition is met by the cells from ``low`` to ``high``. The answer has the shape
    (classes, conditions): sums over the cells, and then their differences.
    """
    sums = np.zeros((n_classes, n_cells + 1))
    for i in inside:
        own, w = sums[target[i]], weight[i]
        for j in range(cell.shape[1]):
            own[cell[i, j] + 1] += w
    out = np.empty((n_classes, len(low)))
    for c in range(n_classes):
        own = sums[c]
        for s in range(n_cells):
            own[s + 1] += own[s]
        for q in range(len(low)):
            out[c, q] = own[high[q] + 1] - own[low[q]]
    return out


@njit(cache=True, nogil=True)
def best_positions(values, n):
    """Return the positions of the ``n`` largest values, the largest first, earlier ones first."""
    n = min(n, len(values))
    best = np.empty(n, np.int64)
    filled = 0
    for i in range(len(values)):
        if filled == n and not values[i] > values[best[n - 1]]:
            continue
        place = min(filled, n - 1)
        while place > 0 and values[i] > values[best[place - 1]]:
            best[place] = best[place - 1]
            place -= 1
        best[place] = i
        filled = min(filled + 1, n)
    return best[:filled]


@njit(cache=True, nogil=True)
def laplace_values(counts, kind, least, most):
    """Return Laplace's estimate of the accuracy of each condition; minus infinity for no rule.

    ``counts`` has the shape (classes, conditions); ``kind`` is the class of the rules, or -1 for
    that of most rows. A rule covers a weight from ``least`` to ``most``, and a row of its class.
    """
    n_classes, n = counts.shape
    out = np.full(n, -np.inf)
    for q in range(n):
        total, right = 0.0, 0.0
        for c in range(n_classes):
            total += counts[c, q]
            if kind < 0 or c == kind:
                right = max(right, counts[c, q])
        if right > 0.0 and least <= total <= most:
            out[q] = (right + 1.0) / (total + n_classes)
    return out
