"""Populations: who survives, and who are parents."""

from __future__ import annotations

import numpy as np

from fewest.measures.base import Scores
from fewest.search.better import Better
from fewest.search.population import Population, proportional, survivors
from fewest.search.spaces.subsets import Subsets


def _population(rows, value):
    return Population(np.array(rows, dtype=bool), Scores(np.array(value)))


def test_the_best_of_both_survive_and_ties_go_to_fewer_features():
    better = Better(Subsets(3))
    old = _population([[1, 1, 1], [1, 0, 0]], [0.9, 0.1])
    new = _population([[1, 1, 0], [0, 0, 1]], [0.9, np.nan])
    kept = survivors(old, new, 3, better)
    np.testing.assert_array_equal(kept.candidates, [[1, 1, 0], [1, 1, 1], [1, 0, 0]])
    np.testing.assert_array_equal(kept.value, [0.9, 0.9, 0.1])


def test_parents_are_drawn_in_proportion():
    value = np.array([0.1, 0.3, 0.6])
    drawn = proportional(value, 20_000, np.random.default_rng(0))
    share = np.bincount(drawn, minlength=3) / 20_000
    np.testing.assert_allclose(share, value, atol=0.02)


def test_negative_values_are_raised():
    drawn = proportional(np.array([-3.0, -2.0, -1.0]), 20_000, np.random.default_rng(0))
    share = np.bincount(drawn, minlength=3) / 20_000
    np.testing.assert_allclose(share, [0, 1 / 3, 2 / 3], atol=0.02)


def test_equal_or_unknown_values_make_parents_of_all():
    rng = np.random.default_rng(0)
    for value in (np.zeros(4), np.full(4, np.nan), np.full(4, -2.0)):
        assert set(proportional(value, 200, rng)) == {0, 1, 2, 3}
    assert set(proportional(np.array([np.nan, 0.0, -np.inf]), 50, rng)) == {1}
