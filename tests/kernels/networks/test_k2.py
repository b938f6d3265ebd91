"""K2 of many orderings at once against one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.family_cache import first_best
from fewest._models import family_scores
from tests.kernels.networks.families import CARDS, some_families
from tests.naive import discrete_models, structures


@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize("name", ["k2", "bic"])
def test_orders_are_those_of_the_listing(monkeypatch, name, most):
    # So little room that the kernel stops and goes on.
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 8)
    rows, families = some_families(score=name)
    orders = np.array([np.random.default_rng(i).permutation(5) for i in range(6)])
    graphs, scores = families.k2(orders, max_parents=most)

    def score(child, parents):
        return discrete_models.family_score(rows, CARDS, child, parents, name)

    for order, graph, value in zip(orders.tolist(), graphs, scores, strict=True):
        expected = structures.k2(rows, CARDS, order, most, score)
        assert graph.parents == tuple(tuple(sorted(p)) for p in expected)
        assert value == pytest.approx(sum(score(i, p) for i, p in enumerate(expected)))


def test_of_equal_gains_the_first_of_the_ordering_counts():
    gains = np.array([1.0, 2.0, 2.0 + 1e-12, -1.0])
    assert first_best(gains, np.array([2, 1, 0, 3]), 4) == 2
    assert first_best(gains, np.array([1, 2, 0, 3]), 4) == 1
    # Only those that stand before are asked, and none that costs.
    assert first_best(gains, np.array([3, 1, 0, 2]), 1) == -1
    assert first_best(gains, np.array([1, 2, 0, 3]), 0) == -1
