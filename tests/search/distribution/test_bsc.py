"""BSC: candidates counted by their value."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import search_class
from fewest.search._distribution import Generation, as_shares


def test_bsc_counts_by_value():
    rows = np.array([[1], [0], [0]], dtype=np.uint8)
    model = search_class("bsc")().learn(
        Generation(rows, np.array([0.9, 0.2, 0.1]), np.array([2]), None)
    )
    # Shares 0.9 : 0.3 scaled to 3 rows, and one more row of each level: (2.25 + 1) / 5.
    assert model.probabilities[0] == pytest.approx([0.35, 0.65])


@pytest.mark.parametrize(
    ("value", "shares"),
    [([-1.0, -3.0], [2.0, 0.0]), ([0.0, 0.0], [1.0, 1.0]), ([np.nan, np.nan], [1.0, 1.0])],
)
def test_bsc_shares_of_unusual_values(value, shares):
    assert as_shares(np.array(value)).tolist() == shares


def test_without_the_correction_a_level_that_nobody_has_is_lost():
    rows = np.array([[1], [1]], dtype=np.uint8)
    model = search_class("bsc")(alpha=0.0).learn(
        Generation(rows, np.array([0.9, 0.2]), np.array([2]), None)
    )
    assert model.probabilities[0].tolist() == [0.0, 1.0]
