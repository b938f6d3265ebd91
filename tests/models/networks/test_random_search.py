"""Annealing and breeding of graphs: legal, repeatable, near the proven best."""

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.models.networks import family_scores
from fewest.models.networks.exact import learn_exact
from fewest.models.networks.family_scores import FamilyScores
from fewest.models.networks.library import load_network
from fewest.models.networks.random_search import (
    anneal_families,
    breed_families,
    matrix,
    repaired,
)


@pytest.fixture(scope="module")
def asia():
    network = load_network("asia")
    return network.sample(2000, np.random.default_rng(0)), network.cardinalities


def test_both_come_near_the_proven_best(asia):
    best = learn_exact(*asia, max_parents=3)
    families = FamilyScores(*asia)
    graph, score = anneal_families(families, np.random.default_rng(0), max_parents=3)
    assert score == pytest.approx(families.of(graph))
    assert best.score - 5 < score <= best.score + 1e-6
    told = breed_families(families, np.random.default_rng(0), max_parents=3)
    top = [people[0][1] for people in told]
    assert top == sorted(top)
    assert top[-1] == pytest.approx(best.score)
    for graph, score in told[-1]:
        assert len(graph.order) == 8
        assert max(len(p) for p in graph.parents) <= 3
        assert score == pytest.approx(families.of(graph))


def test_the_same_stream_gives_the_same_graph_also_in_little_room(asia, monkeypatch):
    first = anneal_families(FamilyScores(*asia), np.random.default_rng(1), steps=3000)
    monkeypatch.setattr(family_scores, "ROOM", 8)
    again = anneal_families(FamilyScores(*asia), np.random.default_rng(1), steps=3000)
    assert again == first


def test_repair_keeps_what_is_legal():
    rng = np.random.default_rng(0)
    for _ in range(50):
        arcs = rng.random((6, 6)) < 0.4
        graph = repaired(arcs, 2, rng)
        assert len(graph.order) == 6
        assert max(len(p) for p in graph.parents) <= 2
        assert not (matrix(graph) & ~arcs).any()
        np.testing.assert_array_equal(matrix(repaired(matrix(graph), 2, rng)), matrix(graph))


def test_wrong_temperatures_are_refused(asia):
    with pytest.raises(InputError, match="`start` must be at least `end`"):
        anneal_families(FamilyScores(*asia), np.random.default_rng(0), start=0.1, end=1.0)
