"""Graphs as matrices: to and fro, cycles, repair."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models.graph import Graph, graph_of, is_acyclic, matrix_of, random_graph, repaired
from tests.naive.discrete_models import acyclic


def test_a_matrix_and_back():
    graph = Graph(((), (0,), (0, 1), (1,)))
    assert graph_of(matrix_of(graph)) == graph
    assert graph_of(np.zeros((3, 3))) == Graph.empty(3)


@pytest.mark.parametrize("seed", range(30))
def test_cycles_are_found_as_by_the_naive_way(seed):
    arcs = np.random.default_rng(seed).random((5, 5)) < 0.25
    np.fill_diagonal(arcs, False)
    parents = [set(np.flatnonzero(column).tolist()) for column in arcs.T]
    assert is_acyclic(arcs) == acyclic(parents)


def test_repair_keeps_what_is_legal():
    rng = np.random.default_rng(0)
    for _ in range(50):
        arcs = rng.random((6, 6)) < 0.4
        graph = repaired(arcs, 2, rng)
        assert len(graph.order) == 6
        assert max(len(p) for p in graph.parents) <= 2
        assert not (matrix_of(graph) & ~arcs).any()
        again = repaired(matrix_of(graph), 2, rng)
        np.testing.assert_array_equal(matrix_of(again), matrix_of(graph))


def test_random_graphs_are_legal_and_differ():
    rng = np.random.default_rng(0)
    drawn = {random_graph(5, 1, rng, 0.5) for _ in range(20)}
    assert len(drawn) > 10
    assert all(max(len(p) for p in graph.parents) <= 1 for graph in drawn)
