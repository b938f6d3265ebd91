"""Populations: who survives, and who are parents."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.measures._measure import Scores
from fewest.search._better import Better
from fewest.search._population import (
    Population,
    first_population,
    mean_share,
    proportional,
    survivors,
)
from fewest.search._spaces.subsets import Subsets


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


def test_a_wide_space_starts_with_small_subsets_of_all_sizes():
    sizes = first_population(Subsets(2000), 2000, np.random.default_rng(0), None).sum(axis=1)
    assert sizes.max() < 150  # twice the square root of 2000, and chance
    low, middle = np.quantile(sizes, [0.25, 0.5])
    assert 1 <= low <= 4 < middle < 15  # even on a logarithmic scale
    assert mean_share(2000, None) == pytest.approx(sizes.mean() / 2000, rel=0.1)


def test_other_spaces_start_with_one_half_or_what_is_given():
    rng = np.random.default_rng
    narrow = first_population(Subsets(40), 500, rng(0), None)
    assert np.array_equal(narrow, Subsets(40).sample(500, rng(0), 0.5))
    wide = first_population(Subsets(400), 500, rng(0), 0.2)
    assert np.array_equal(wide, Subsets(400).sample(500, rng(0), 0.2))
    assert mean_share(400, 0.2) == 0.2
    small = first_population(Subsets(400, min_features=3, max_features=5), 500, rng(0), None)
    assert set(small.sum(axis=1)) == {3, 4, 5}
