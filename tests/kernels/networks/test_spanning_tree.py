import numpy as np
import pytest

from fewest.kernels.networks.spanning_tree import maximum_spanning_tree
from fewest.kernels.networks.spanning_tree_sums import FEW, tree_sums
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
    d = FEW + 6
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
