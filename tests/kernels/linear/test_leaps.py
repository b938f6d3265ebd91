"""Branch and bound against enumeration."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from fewest._kernels.linear.leaps import dive, enter
from tests.measures.number_tables import rows
from tests.naive.least_squares import naive_best, naive_rss


def _dive(X, y, units, slices, each=True):
    """The best of each size over units, given as numbers of columns, from the full set."""
    X, y = X - X.mean(axis=0), y - y.mean()
    y = y / np.sqrt(y @ y)
    d, m = X.shape[1], len(units)
    sizes = np.array(units, dtype=np.int64)
    inverse = np.linalg.inv(X.T @ X)
    beta = inverse @ X.T @ y
    stack = (
        np.empty((m + 1, d, d)), np.empty((m + 1, d)), np.empty((m + 1, m), dtype=np.int64),
        np.empty((m + 1, m + 1), dtype=np.int64), np.zeros((m + 1, 8)),
    )  # fmt: skip
    counts, inside, costs = np.zeros(2, dtype=np.int64), np.ones(m, dtype=bool), np.zeros(m)
    best, limits = np.full(d + 1, np.inf), np.full(d + 1, np.inf)
    best[d] = float(y @ y - beta @ X.T @ y)
    subsets = np.zeros((d + 1, m), dtype=bool)
    enter(
        inverse, beta, best[d], np.arange(m), sizes, sizes, costs, np.zeros(2), stack, counts
    )  # fmt: skip
    ended = False
    while not ended:
        ended = dive(
            stack, counts, inside, sizes, sizes, costs, np.array([0, d]), np.inf, np.ones(d + 1),
            np.zeros(d + 1), each, best, subsets, limits, slices,
        )  # fmt: skip
    assert inside.all()
    return best, subsets, counts


def test_the_best_of_each_size():
    X, y = rows(d=7, trouble=False)
    best, subsets, counts = _dive(X, y, [1] * 7, 1000)
    expected = naive_best(X, y) / naive_rss(X, y, [])
    assert_allclose(best, expected, rtol=1e-9)
    for size in range(7):
        assert subsets[size].sum() == size
        own = naive_rss(X, y, np.flatnonzero(subsets[size])) / naive_rss(X, y, [])
        assert_allclose(own, expected[size], rtol=1e-9)
    assert counts[1] < 2**7


def test_slices_give_the_same():
    X, y = rows(1, d=7, trouble=False)
    whole, parts = _dive(X, y, [1] * 7, 1000), _dive(X, y, [1] * 7, 3)
    assert_allclose(parts[0], whole[0], rtol=1e-12)
    assert parts[2][1] == whole[2][1]


def test_units_of_several_columns():
    X, y = rows(2, d=6, trouble=False)
    best, _, _ = _dive(X, y, [2, 1, 3], 1000)
    parts = [(0, 1), (2,), (3, 4, 5)]
    for size in range(6):
        own = [
            naive_rss(X, y, sum((p for i, p in enumerate(parts) if code >> i & 1), ()))
            for code in range(8)
            if sum(len(p) for i, p in enumerate(parts) if code >> i & 1) == size
        ]
        assert_allclose(best[size] * naive_rss(X, y, []), min(own, default=np.inf), rtol=1e-9)
