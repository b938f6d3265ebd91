"""PBIL: a vector that moves."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import Better, Subsets, search_class
from fewest.search._distribution import Generation


def test_pbil_moves_by_alpha():
    """From p0 = 0.5 towards frequencies that are all 1."""
    for alpha in (0.0, 0.5, 1.0):
        search = search_class("pbil")(alpha=alpha)
        ones = np.ones((10, 3), dtype=np.uint8)
        model = search.learn(Generation(ones, np.ones(10), np.full(3, 2), None))
        assert model.probabilities[:, 1] == pytest.approx([0.5 + alpha / 2] * 3)
        again = search.learn(Generation(ones, np.ones(10), np.full(3, 2), model))
        assert again.probabilities[:, 0] == pytest.approx([0.5 * (1 - alpha) ** 2] * 3)


def test_a_random_start_is_a_random_vector():
    space = Subsets(200)
    search = search_class("pbil")(population=400, vector="random")
    first = next(search.propose(space, Better(space), np.random.default_rng(0)))
    shares = first.mean(axis=0)
    # The shares of the units are spread over 0 to 1; from p0 they would all be near 0.5.
    assert shares.min() < 0.1
    assert shares.max() > 0.9
    assert 0.4 < shares.mean() < 0.6
