"""Algorithm B against its slow twin, and what it must find."""

import numpy as np
import pytest

from fewest._models.family_scores import Score
from fewest._models.structure_search import learn_b
from tests.naive import discrete_models as naive


def tangled(n, cards, seed):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in cards], axis=1)
    for i in range(1, len(cards)):
        copied = rng.random(n) < 0.6
        rows[copied, i] = rows[copied, rng.integers(0, i)] % cards[i]
    return rows


@pytest.mark.parametrize("name", ["bic", "aic", "k2", "k2-penalised", "bde"])
@pytest.mark.parametrize("cards", [[2] * 6, [2, 3, 2, 4, 3]])
def test_it_is_the_slow_twin(name, cards):
    rows = tangled(60, cards, seed=len(cards))
    expected = naive.algorithm_b(rows.tolist(), cards, name, max_parents=3)
    found = learn_b(rows, np.array(cards), name, max_parents=3)
    assert found.parents == tuple(expected)


def test_every_arc_that_remains_would_hurt_or_close_a_cycle():
    cards = [2] * 5
    rows = tangled(80, cards, 3)
    graph = learn_b(rows, np.array(cards))
    old = naive.graph_score(rows.tolist(), cards, graph.parents, "bic")
    for child in range(5):
        for p in range(5):
            if p != child and p not in graph.parents[child]:
                wider = [*graph.parents]
                wider[child] = (*wider[child], p)
                if naive.acyclic(wider):
                    assert naive.graph_score(rows.tolist(), cards, wider, "bic") <= old + 1e-6


def test_parents_are_limited():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (60, 4))
    rows[:, 3] = rows[:, :3].sum(axis=1) > 1
    for most in (0, 1, 2):
        graph = learn_b(rows, np.full(4, 2), Score("aic"), most)
        assert max(len(p) for p in graph.parents) <= most


def test_more_than_64_variables():
    rng = np.random.default_rng(1)
    half = rng.integers(0, 2, (100, 35))
    rows = np.concatenate([half, half], axis=1)
    graph = learn_b(rows, np.full(70, 2), max_parents=1)
    pairs = {frozenset(arc) for arc in graph.arcs}
    assert {frozenset((i, i + 35)) for i in range(35)} <= pairs
    assert len(graph.order) == 70
