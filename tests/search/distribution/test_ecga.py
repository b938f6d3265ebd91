"""EcGA: groups of units that are drawn together."""

from __future__ import annotations

import numpy as np

from fewest.search import EcGA
from fewest.search._distribution import Generation


def test_a_copy_is_drawn_as_a_copy():
    # The second unit is a copy of the first, the third is independent of both.
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (400, 3)).astype(np.uint8)
    rows[:, 1] = rows[:, 0]
    model = EcGA().learn(Generation(rows, np.ones(400), np.array([2, 2, 2]), None))
    drawn = model.sample(2000, rng)
    assert (drawn[:, 0] == drawn[:, 1]).mean() > 0.97
    assert 0.4 < (drawn[:, 0] == drawn[:, 2]).mean() < 0.6
