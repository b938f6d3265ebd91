"""Proofs by cutting planes against dynamic programming, and the cuts against the graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models.graph import Graph
from fewest.networks._optimum import (
    Relaxation,
    _cycles,
    _most_violated,
    _violated,
    by_subsets,
    prove_by_planes,
    score_of,
)
from fewest.networks._parent_sets import find_parent_sets
from tests.discrete_rows import tangled


def some_sets(seed, score="bic"):
    cards = [2, 3, 2, 2, 3, 2, 2]
    return find_parent_sets(tangled(cards, 80, seed), np.array(cards), score=score)


@pytest.mark.parametrize("score", ["bic", "k2", "bdeu"])
@pytest.mark.parametrize("seed", range(6))
def test_the_best_network_is_found_from_a_poor_one_and_proven(seed, score):
    sets = some_sets(seed, score)
    best = by_subsets(sets)
    empty = Graph.empty(sets.d)
    found = prove_by_planes(sets, empty, score_of(sets, empty))
    assert found.optimal
    assert found.score == pytest.approx(best.score)
    assert score_of(sets, found.graph) == pytest.approx(found.score)
    assert found.graph.order
    again = prove_by_planes(sets, best.graph, best.score)
    assert again.optimal
    assert again.graph == best.graph


def test_without_time_the_bound_holds():
    sets = some_sets(0)
    empty = Graph.empty(sets.d)
    stopped = prove_by_planes(sets, empty, score_of(sets, empty), lambda: 0.0)
    assert not stopped.optimal
    assert stopped.graph == empty
    assert stopped.bound >= by_subsets(sets).score


def test_a_cluster_is_met_by_every_acyclic_graph_and_violated_by_a_cycle():
    sets = some_sets(1)
    relaxation = Relaxation(sets, -np.inf)
    single = {}
    for k, child in enumerate(relaxation.child.tolist()):
        single.setdefault(child, {})[int(sets.sets[k])] = k
    a, b = next(
        (a, b) for a in range(7) for b in range(a) if 1 << b in single[a] and 1 << a in single[b]
    )
    chosen = {x: single[x][0] for x in range(7)} | {a: single[a][1 << b]}
    row = relaxation.row({a, b})
    relaxation.weights[list(chosen.values())] = 1.0
    assert relaxation.weights[row].sum() == 1
    assert _violated(relaxation) == _most_violated(relaxation) == _cycles(relaxation) == []
    relaxation.weights[:] = 0.0
    chosen[b] = single[b][1 << a]
    relaxation.weights[list(chosen.values())] = 1.0
    assert relaxation.weights[row].sum() == 0
    pair = [frozenset((a, b))]
    assert _violated(relaxation) == _most_violated(relaxation) == _cycles(relaxation) == pair
