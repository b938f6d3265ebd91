"""Trees, forests and chains against their slow twins."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from fewest._models.structure_search import learn_chain, learn_forest, learn_tree
from tests.discrete_rows import CARDS, tangled
from tests.naive import structures


def edges(graph):
    return {frozenset(arc) for arc in graph.arcs}


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_tree_is_the_heaviest(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_tree(rows, np.array(cards))
    d = len(cards)
    weights = {
        (u, v): mutual_info_score(rows[:, u], rows[:, v]) for u, v in combinations(range(d), 2)
    }
    assert len(graph.arcs) == d - 1
    assert len(graph.order) == d
    total = sum(weights[min(arc), max(arc)] for arc in graph.arcs)
    assert total == pytest.approx(structures.heaviest_forest(weights, d)[0])


@pytest.mark.parametrize("cards", CARDS)
def test_forest_is_the_heaviest_of_the_significant_edges(cards):
    rows = tangled(cards, n=60, seed=5)
    rows[:, 3] = np.random.default_rng(1).integers(0, cards[3], 60)
    d = len(cards)
    weights = {}
    for u, v in combinations(range(d), 2):
        table = np.zeros((cards[u], cards[v]))
        np.add.at(table, (rows[:, u], rows[:, v]), 1)
        found = chi2_contingency(table, correction=False)
        if found.pvalue < 0.01:
            weights[u, v] = found.statistic
    expected = structures.heaviest_forest(weights, d)
    graph = learn_forest(rows, np.array(cards), significance=0.01)
    assert edges(graph) == {frozenset(e) for e in expected[1]}
    assert 0 < len(graph.arcs) < d - 1
    assert len(graph.order) == d


@pytest.mark.parametrize("cards", CARDS)
@pytest.mark.parametrize("seed", range(3))
def test_chain_is_the_slow_twin(cards, seed):
    rows = tangled(cards, seed=seed)
    graph = learn_chain(rows, np.array(cards))
    order = structures.chain(rows.tolist(), len(cards))
    assert list(graph.order) == order
    assert graph.arcs == sorted(zip(order, order[1:], strict=False), key=lambda arc: arc[1])
