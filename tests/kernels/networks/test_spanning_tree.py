""""""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.spanning_tree import maximum_spanning_tree
from tests.naive.spanning_tree import edges_of_maximum_tree


def _edges(parents):
    return {(min(v, p), max(v, p)) for v, p in enumerate(parents) if p >= 0}


def _weights(rng, d, levels):
    upper = rng.integers(0, levels, (d, d)) / 4.0 if levels else rng.normal(size=(d, d))
    return np.triu(upper, 1) + np.triu(upper, 1).T


@pytest.mark.parametrize("levels", [0, 3])
def test_tree_equals_kruskal_for_any_subset_and_root(levels):
    rng = np.random.default_rng(levels)
    for _ in range(20):
        d = int(rng.integers(2, 9))
        weights = _weights(rng, d, levels)
        members = rng.random(d) < 0.7
        expected = edges_of_maximum_tree(weights, members)
        for root in np.flatnonzero(members):
            parents, total = maximum_spanning_tree(weights, members, root)
            assert _edges(parents) == expected
            assert parents[root] == -1
            assert total == pytest.approx(sum(weights[e] for e in expected))


def test_tree_of_nothing_and_of_one_vertex_has_no_edge():
    weights = np.ones((3, 3))
    for members in ([False] * 3, [False, True, False]):
        parents, total = maximum_spanning_tree(weights, np.array(members))
        assert (parents == -1).all()
        assert total == 0.0
