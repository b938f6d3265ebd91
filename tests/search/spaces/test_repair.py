"""Repair: units go or come in random order, no more than needed."""

from __future__ import annotations

import numpy as np

from fewest.search._spaces.subsets import add_until, drop_until

RNG = np.random.default_rng


def test_units_are_dropped_until_every_limit_holds_and_none_is_added():
    rng = RNG(0)
    bits = rng.random((300, 8)) < 0.8
    costs = rng.random(8) * 3
    limits = [(np.ones(8), 4.0), (costs, 5.0)]
    kept = drop_until(bits, limits, rng)
    assert not (kept & ~bits).any()
    assert (kept.sum(axis=1) <= 4).all()
    assert (kept @ costs <= 5.0).all()


def test_every_unit_is_as_likely_to_stay():
    kept = drop_until(np.ones((20_000, 5), dtype=bool), [(np.ones(5), 2.0)], RNG(1))
    np.testing.assert_allclose(kept.mean(axis=0), 0.4, atol=0.02)


def test_units_are_added_until_nothing_is_missing_and_none_is_dropped():
    rng = RNG(2)
    bits = rng.random((300, 8)) < 0.2
    sizes = np.array([1, 1, 2, 1, 3, 1, 1, 1])
    missing = rng.integers(0, 4, 300)
    more = add_until(bits, sizes, missing, rng)
    assert not (bits & ~more).any()
    gained = (more & ~bits) @ sizes
    assert (gained >= np.minimum(missing, (~bits) @ sizes)).all()
    # The last unit added was needed: without the largest one, something would be missing.
    assert (gained - missing < 3).all()
