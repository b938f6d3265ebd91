"""Fayyad & Irani's multi-interval discretisation, word by word, on lists."""

from math import log2

from tests.naive.entropies import entropy


def mdl_cuts(values, labels):
    """Cut points of a column, ascending; every midpoint between distinct values is tried."""
    rows = sorted(zip(values, labels, strict=True))
    y = [label for _, label in rows]
    n = len(rows)
    best = None
    for i in range(1, n):
        if rows[i - 1][0] == rows[i][0]:
            continue
        e = i / n * entropy(y[:i]) + (n - i) / n * entropy(y[i:])
        if best is None or e < best[0] - 1e-12:
            best = (e, i)
    if best is None:
        return []
    e, i = best
    k, k1, k2 = len(set(y)), len(set(y[:i])), len(set(y[i:]))
    delta = log2(3**k - 2) - (k * entropy(y) - k1 * entropy(y[:i]) - k2 * entropy(y[i:]))
    if k < 2 or entropy(y) - e <= (log2(n - 1) + delta) / n:
        return []
    cut = (rows[i - 1][0] + rows[i][0]) / 2
    left = mdl_cuts([v for v, _ in rows[:i]], y[:i])
    right = mdl_cuts([v for v, _ in rows[i:]], y[i:])
    return [*left, cut, *right]
