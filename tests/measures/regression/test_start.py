"""Subsets to start from."""

from __future__ import annotations

import numpy as np

from fewest.measures._regression.best_subsets import exchange, stepwise


def _offers():
    seen = []
    worth = np.array([1.0, 2.0, 4.0, 8.0])

    def offer(subsets):
        seen.extend(map(tuple, subsets.astype(int)))
        return np.asarray(100.0 - subsets @ worth)

    return seen, offer


def test_both_ways():
    seen, offer = _offers()
    stepwise(4, offer, offer)
    # Forward and backward: none, the best one, two and three, and all.
    assert {(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1)} <= set(seen)


def test_exchanges_climb():
    seen, offer = _offers()
    exchange(np.array([True, True, False, False]), offer)
    assert (0, 0, 1, 1) in seen
    assert all(sum(row) == 2 for row in seen)


def test_nothing_to_exchange():
    seen, offer = _offers()
    exchange(np.ones(4, dtype=bool), offer)
    assert seen == []
