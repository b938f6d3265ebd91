"""The PC algorithm."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2

from fewest._models.graph import Graph, Network
from fewest._models.structure_search import learn_pc
from tests.discrete_rows import tangled
from tests.naive import structures


def edges(graph):
    return {frozenset(arc) for arc in graph.arcs}


def test_pc_keeps_an_edge_only_where_no_set_separates():
    cards = [2] * 6
    rows = tangled(cards, n=150, seed=4)
    graph = learn_pc(rows, np.array(cards), significance=0.05, max_given=4)
    kept = edges(graph)
    near = {i: {j for j in range(6) if frozenset((i, j)) in kept} for i in range(6)}
    for x, y in combinations(range(6), 2):
        rests = [r for a in (x, y) for k in range(5) for r in combinations(near[a] - {x, y}, k)]
        p_values = [
            chi2.sf(*structures.independence(rows.tolist(), cards, x, y, given, "g2"))
            for given in rests
        ]
        # The sets tested were subsets of earlier, larger neighbourhoods: an edge that is left
        # survived all of those of its final neighbours too.
        if frozenset((x, y)) in kept:
            assert max(p_values) < 0.05


def test_pc_finds_a_known_structure():
    """0 -> 2 <- 1, 2 -> 3: all directions are determined by the independences."""
    rng = np.random.default_rng(3)
    parents = ((), (), (0, 1), (2,))
    tables = [[0.5, 0.5], [0.5, 0.5], [0.9, 0.1, 0.3, 0.7, 0.25, 0.75, 0.05, 0.95],
              [0.9, 0.1, 0.15, 0.85]]  # fmt: skip
    truth = Network(np.full(4, 2), Graph(parents), np.concatenate(tables))
    rows = truth.sample(4000, rng)
    for test in ("g2", "chi2"):
        assert learn_pc(rows, np.full(4, 2), 0.01, test).parents == parents


@pytest.mark.parametrize("seed", range(8))
def test_pc_is_acyclic_on_few_rows(seed):
    rows = tangled([2] * 9, n=25, seed=seed)
    graph = learn_pc(rows, np.full(9, 2), significance=0.3)
    assert len(graph.order) == 9
