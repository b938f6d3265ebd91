"""A* over orderings against the best of all orderings."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from fewest.models.networks import order_search
from fewest.models.networks.order_search import search_orders
from fewest.models.networks.parent_sets import find_parent_sets


def some_sets(seed, d=6):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (60, d))
    for i in range(1, d):
        copied = rng.random(60) < 0.6
        rows[copied, i] = rows[copied, rng.integers(0, i)]
    return find_parent_sets(rows, np.full(d, 2), score="bic")


def value_of(sets, order):
    """The score of the best network with this order: each takes its best earlier parents."""
    allowed, total = 0, 0.0
    for x in order:
        total += sets.best(x, allowed)[0]
        allowed |= 1 << x
    return total


@pytest.mark.parametrize("group", [2, 20])
@pytest.mark.parametrize("seed", range(4))
def test_the_ordering_is_the_best_of_all(monkeypatch, seed, group):
    # Small groups have a weaker bound, and must come to the same end.
    monkeypatch.setattr(order_search, "LARGEST_GROUP", group)
    sets = some_sets(seed)
    best = max(value_of(sets, order) for order in permutations(range(sets.d)))
    found = search_orders(sets, -np.inf)
    assert found.optimal
    assert found.bound == pytest.approx(best)
    assert value_of(sets, found.ordering) == pytest.approx(best)
    none = search_orders(sets, best)
    assert none.ordering is None
    assert none.optimal


def test_no_time_leaves_a_bound(monkeypatch):
    monkeypatch.setattr(order_search, "LARGEST_GROUP", 2)
    monkeypatch.setattr(order_search, "STEPS", 1)
    sets = some_sets(1)
    stopped = search_orders(sets, -np.inf, seconds=0.0)
    assert not stopped.optimal
    assert stopped.ordering is None
    assert stopped.bound >= search_orders(sets, -np.inf).bound
