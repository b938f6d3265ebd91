"""TREE: parameters with and without Laplace's correction."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import search_class
from fewest.search._distribution import Generation


@pytest.mark.parametrize(("alpha", "share"), [(1.0, 5 / 6), (0.0, 1.0)])
def test_alpha_rows_of_each_level_are_added(alpha, share):
    # The second unit is a copy of the first: given the first it is certain.
    rows = np.repeat([[0, 0], [1, 1]], 4, axis=0).astype(np.uint8)
    search = search_class("tree")(alpha=alpha)
    model = search.learn(Generation(rows, np.ones(8), np.array([2, 2]), None))
    child = int(model.graph.order[1])
    assert model.tables[child].max(axis=1).tolist() == pytest.approx([share, share])
