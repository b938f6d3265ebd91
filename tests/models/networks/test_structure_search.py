"""Tabu search against its slow twin, and what a climb promises."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models import family_scores
from fewest._models.family_scores import FamilyScores
from fewest._models.graph import Graph
from fewest._models.structure_search import SIDEWAYS, Walk, climb_families, learn_by_tabu
from fewest.networks._bif import load_network
from tests.naive.tabu import tabu


def some_rows(cards, n=80, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in cards], axis=1)
    for i in range(1, len(cards)):
        copied = rng.random(n) < 0.5
        rows[copied, i] = (rows[copied, i - 1] + rows[copied, rng.integers(0, i)]) % cards[i]
    return rows


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["k2", "bic"])
def test_tabu_is_the_slow_twin(seed, name):
    cards = np.array([2, 3, 2, 2, 3])
    families = FamilyScores(some_rows(cards, seed=seed), cards, score=name)

    def score(parents):
        return families.of(Graph(tuple(tuple(sorted(p)) for p in parents)))

    top, best = tabu(5, 2, 3, 12, score)
    graph, value = climb_families(families, max_parents=2, tenure=3, patience=12)
    assert value == pytest.approx(top)
    assert [set(p) for p in graph.parents] == best


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_tabu_is_never_worse_than_climbing(name):
    network = load_network(name)
    rows = network.sample(1000, np.random.default_rng(0))
    families = FamilyScores(rows, network.cardinalities)
    graph, value = climb_families(families, max_parents=4)
    assert value == pytest.approx(families.of(graph))
    assert max(len(p) for p in graph.parents) <= 4
    further, better = climb_families(families, max_parents=4, tenure=10, patience=50)
    assert better >= value - 1e-9
    assert better == pytest.approx(families.of(further))


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_sideways_steps_never_lose(name):
    network = load_network(name)
    families = FamilyScores(network.sample(1000, np.random.default_rng(0)), network.cardinalities)
    _, plain = climb_families(families, max_parents=4)
    _, wide = climb_families(families, max_parents=4, **SIDEWAYS)
    assert wide >= plain - 1e-9


def test_a_walk_goes_on_where_it_stopped():
    cards = np.full(8, 2)
    rows = some_rows(cards)
    whole = Walk(FamilyScores(rows, cards), tenure=3, patience=10)
    whole.climb()
    parts = Walk(FamilyScores(rows, cards), tenure=3, patience=10)
    while not parts.climb(3):
        pass
    assert (parts.best, parts.here) == (whole.best, whole.here)


def test_a_full_cache_changes_nothing(monkeypatch):
    cards = np.full(8, 2)
    rows = some_rows(cards)
    roomy = climb_families(FamilyScores(rows, cards), tenure=3, patience=10)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 2)
    tight = climb_families(FamilyScores(rows, cards), tenure=3, patience=10)
    assert tight == roomy


def test_wrong_starts_and_parameters_are_refused():
    rows = some_rows(np.full(3, 2))
    with pytest.raises(InputError, match="without directed cycles"):
        climb_families(FamilyScores(rows, np.full(3, 2)), start=Graph(((1,), (0,), ())))
    with pytest.raises(InputError, match="`patience` at least 1, but are 10 and 0"):
        learn_by_tabu(rows, np.full(3, 2), patience=0)
