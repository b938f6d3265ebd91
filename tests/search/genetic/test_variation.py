"""Crossovers and mutation."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search._genetic import change, half_uniform, mutate, one_point, uniform

RNG = np.random.default_rng


def _pairs(n=200, d=9, r=2, seed=0):
    rng = RNG(seed)
    return rng.integers(r, size=(n, d)), rng.integers(r, size=(n, d))


@pytest.mark.parametrize("cross", [one_point, uniform, half_uniform])
@pytest.mark.parametrize("r", [2, 3])
def test_children_of_a_pair_hold_together_what_their_parents_held(cross, r):
    mothers, fathers = _pairs(r=r)
    one, other = cross(mothers, fathers, RNG(1))
    np.testing.assert_array_equal(one + other, mothers + fathers)
    assert ((one == mothers) | (one == fathers)).all()


def test_one_point_crossover_cuts_once_and_everywhere():
    zeros, ones = np.zeros((300, 6), dtype=bool), np.ones((300, 6), dtype=bool)
    one, _ = one_point(zeros, ones, RNG(0))
    assert (np.abs(np.diff(one.astype(int), axis=1)).sum(axis=1) == 1).all()
    assert set(one.sum(axis=1)) == {1, 2, 3, 4, 5}


def test_half_uniform_crossover_exchanges_half_of_what_differs():
    mothers, fathers = _pairs()
    one, _ = half_uniform(mothers, fathers, RNG(1))
    differ = (mothers != fathers).sum(axis=1)
    np.testing.assert_array_equal((one != mothers).sum(axis=1), differ // 2)


@pytest.mark.parametrize("cross", [one_point, uniform, half_uniform])
@pytest.mark.parametrize("d", [0, 1])
def test_crossover_of_almost_nothing(cross, d):
    one, other = cross(np.zeros((3, d), bool), np.ones((3, d), bool), RNG(0))
    assert one.shape == other.shape == (3, d)


def test_mutation_changes_the_share_asked_for_to_other_values():
    cardinalities = np.array([2, 3, 4, 1])
    start = np.zeros((20_000, 4), dtype=np.uint8)
    after = mutate(start, 0.3, cardinalities, RNG(0))
    np.testing.assert_allclose((after > 0).mean(axis=0), [0.3, 0.3, 0.3, 0.0], atol=0.02)
    np.testing.assert_allclose((after[:, 2] == 2).mean(), 0.1, atol=0.01)
    assert not start.any()


def test_a_change_is_always_a_change():
    start = RNG(0).integers(3, size=(50, 5)).astype(np.uint8)
    after = change(start, np.ones((50, 5), bool), np.full(5, 3), RNG(1))
    assert (after != start).all()
    assert after.max() == 2
