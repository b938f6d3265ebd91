"""Sums over orderings against all orderings, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.orders import (
    add_arcs,
    arcs_over_orders,
    log_add,
    move,
    sum_inside,
    sum_subsets,
    walk_orders,
)
from tests.naive.orders import arcs_by_orders


def some_weights(d=4, seed=0):
    """Logarithms of weights of each child (row) with each mask of parents."""
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 3, (d, 1 << d))
    for x in range(d):
        table[x, (np.arange(1 << d) >> x) & 1 == 1] = -np.inf
    return table


def listed(table):
    """The same weights as candidates, sets and weights, the largest first."""
    d = len(table)
    candidates = np.tile(np.arange(d), (d, 1))
    sets, weights, starts = [], [], [0]
    for own in table:
        order = [m for m in np.argsort(-own, kind="stable") if np.isfinite(own[m])]
        sets += order
        weights += own[order].tolist()
        starts.append(len(sets))
    return candidates, np.array(sets), np.array(weights), np.array(starts)


def test_logarithms_are_added():
    assert log_add(0.0, np.log(2.0)) == pytest.approx(np.log(3.0))
    assert log_add(-np.inf, 1.0) == 1.0
    assert log_add(-np.inf, -np.inf) == -np.inf


@pytest.mark.parametrize("seed", range(3))
def test_all_orderings(seed):
    table = some_weights(seed=seed)
    expected = arcs_by_orders(table.tolist())
    sums, arcs = table.copy(), np.zeros((4, 4))
    for own in sums:
        sum_subsets(own)
    assert sums[0, -2] == pytest.approx(np.logaddexp.reduce(table[0]))
    arcs_over_orders(sums, arcs)
    assert arcs == pytest.approx(np.array(expected), abs=1e-12)


def test_a_long_walk_comes_to_the_sum_over_all_orderings():
    table = some_weights(seed=1) / 2
    facts = listed(table)
    order, logs, arcs = np.arange(4), np.zeros(40_000), np.zeros((4, 4))
    walk_orders(order, *facts, np.random.default_rng(0).random((160_000, 4)), 4, logs, arcs)
    assert sorted(order) == [0, 1, 2, 3]
    assert arcs / 40_000 == pytest.approx(np.array(arcs_by_orders(table.tolist())), abs=0.02)
    assert np.isfinite(logs).all()


def test_arcs_of_one_ordering():
    table = some_weights()
    facts = listed(table)
    places = np.array([2, 0, 3, 1])
    inside = [0b1010, 0b0000, 0b1011, 0b0010]
    own = np.array([sum_inside(m, *facts[1:3], *facts[3][x : x + 2]) for x, m in enumerate(inside)])
    arcs = np.zeros((4, 4))
    add_arcs(places, own, *facts, arcs)
    weights = np.exp(table[0, [0, 0b0010, 0b1000, 0b1010]])
    assert arcs[1, 0] == pytest.approx((weights[1] + weights[3]) / weights.sum())
    assert arcs[0, 1] == 0
    assert (arcs[:, 1] == 0).all()


@pytest.mark.parametrize(("i", "j"), [(0, 3), (3, 0), (1, 2), (2, 2)])
def test_a_variable_moves_to_another_place(i, j):
    order, places = np.array([4, 2, 0, 1, 3]), np.array([2, 3, 1, 4, 0])
    expected = order.tolist()
    expected.insert(j, expected.pop(i))
    move(order, places, i, j)
    assert order.tolist() == expected
    assert order[places].tolist() == [0, 1, 2, 3, 4]
