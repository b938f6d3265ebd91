"""The interval method: halves by hand, and the sphere."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Servet
from fewest.search.continuous.servet import Intervals
from tests.search.continuous.functions import best_of, sphere


def test_the_sphere():
    # It is worth -600,000 on average.
    assert best_of("servet", sphere, batches=200) > -1000


def test_an_interval_is_halved_once_one_half_is_certain():
    search = Servet(alpha=0.5, best=2, certain=0.7)
    state = search.begin(3)
    ranked = np.array([[0.9, 0.1, 0.9], [0.8, 0.2, 0.1], [0.0, 0.0, 0.0]])
    moved = search.move(state, ranked)
    # The shares of the upper half are 1, 0 and 1/2: probabilities of 0.75, 0.25 and 0.5.
    assert moved.low.tolist() == [0.5, 0.0, 0.0]
    assert moved.high.tolist() == [1.0, 0.5, 1.0]
    assert moved.upper.tolist() == [0.5, 0.5, 0.5]
    assert search.width(moved) == 1.0


def test_weights_are_drawn_in_the_upper_half_with_its_probability():
    state = Intervals(np.array([0.2]), np.array([0.6]), np.array([0.8]))
    drawn = Servet().draw(state, 5000, np.random.default_rng(0))
    assert 0.2 <= drawn.min() <= drawn.max() <= 0.6
    assert (drawn > 0.4).mean() == pytest.approx(0.8, abs=0.03)
