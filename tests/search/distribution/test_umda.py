"""UMDA: frequencies, with and without Laplace's correction."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import search_class
from fewest.search._distribution import Generation


@pytest.mark.parametrize(("alpha", "share"), [(1.0, 5 / 6), (0.0, 1.0), (0.5, 0.9)])
def test_alpha_rows_of_each_level_are_added(alpha, share):
    rows = np.ones((4, 1), dtype=np.uint8)
    model = search_class("umda")(alpha=alpha).learn(
        Generation(rows, np.ones(4), np.array([2]), None)
    )
    assert model.probabilities[0, 1] == pytest.approx(share)
