"""Better: value, then cost, then earlier features; against sorting by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Better, Subsets
from fewest.search._better import ascending


def by_hand(space, rows, value):
    def rank(i):
        known = -np.inf if np.isnan(value[i]) else round(float(value[i]), 12)
        return (-known, float(space.cost(rows[i : i + 1])[0]), [not bit for bit in rows[i]])

    return sorted(range(len(rows)), key=rank)


@pytest.mark.parametrize("d", [3, 9, 70])
def test_the_order_is_value_cost_and_earlier_features(d):
    rng = np.random.default_rng(d)
    rows = np.unique(rng.random((60, d)) < 0.4, axis=0)
    rows = rows[rng.permutation(len(rows))]
    value = np.round(rng.random(len(rows)), 1)
    value[::7] = np.nan
    space = Subsets(d, costs=tuple(rng.integers(1, 4, d).tolist()))
    better = Better(space)
    expected = by_hand(space, rows, value)
    assert better.order(rows, value).tolist() == expected
    assert better.best(rows, value) == expected[0]


def test_sums_in_another_order_are_the_same_value():
    better = Better(Subsets(2))
    assert not better.improves(0.5 + 1e-13, 0.5)
    assert better.improves(0.5 + 1e-9, 0.5)
    assert better.improves(0.1, np.nan)
    rows = np.array([[True, True], [True, False]])
    assert better.best(rows, np.array([0.5 + 1e-13, 0.5])) == 1


@pytest.mark.parametrize("width", [0, 1, 8, 9, 20])
def test_bytes_are_compared_from_the_left_and_ties_stay_in_order(width):
    rows = np.random.default_rng(width).integers(0, 3, (50, width), dtype=np.uint8)
    expected = sorted(range(50), key=lambda i: rows[i].tobytes())
    assert ascending(rows).tolist() == expected
