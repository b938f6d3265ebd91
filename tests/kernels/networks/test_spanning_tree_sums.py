"""Sums over the edges of the spanning trees of many subsets."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.spanning_tree import LEAST_VERTICES_TO_CHANGE, tree_sums
from tests.naive.spanning_tree import edges_of_maximum_tree


def _weights(rng, d, levels):
    upper = rng.integers(0, levels, (d, d)) / 4.0 if levels else rng.normal(size=(d, d))
    return np.triu(upper, 1) + np.triu(upper, 1).T


def test_sums_add_the_payload_over_the_edges_of_each_tree():
    rng = np.random.default_rng(5)
    weights, payload = _weights(rng, 7, 3), _weights(rng, 7, 0)
    candidates = rng.random((12, 7)) < 0.6
    expected = [sum(payload[e] for e in edges_of_maximum_tree(weights, row)) for row in candidates]
    np.testing.assert_allclose(tree_sums(weights, payload, candidates), expected, atol=1e-12)


@pytest.mark.parametrize("levels", [0, 2, 6])
@pytest.mark.parametrize("kind", ["added", "removed", "both"])
def test_neighbours_of_one_subset_have_the_trees_they_have_alone(kind, levels):
    rng = np.random.default_rng(levels)
    d = LEAST_VERTICES_TO_CHANGE + 6
    for _ in range(3):
        weights, payload = _weights(rng, d, levels), _weights(rng, d, 0)
        base = np.ones(d, dtype=bool)
        base[rng.choice(d, 4, replace=False)] = False
        units = {"added": ~base, "removed": base, "both": np.ones(d, dtype=bool)}[kind]
        batch = base ^ np.eye(d, dtype=bool)[units]
        together = tree_sums(weights, payload, batch)
        assert together.tolist() == [tree_sums(weights, payload, row[None])[0] for row in batch]
        expected = [sum(payload[e] for e in edges_of_maximum_tree(weights, row)) for row in batch]
        np.testing.assert_allclose(together, expected, atol=1e-12)
