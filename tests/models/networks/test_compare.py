"""Distances between graphs against listed equivalence classes and values worked out by hand."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.graph import Graph, Network
from fewest.networks._bif import load_network
from fewest.networks._network_facts import (
    compare_graphs,
    divergence,
    essential_arcs,
    sampled_divergence,
)
from tests.naive.equivalence import class_of, essential, every_graph


def test_essential_graphs_are_the_union_of_their_class():
    graphs = every_graph(4)
    assert len(graphs) == 543
    for parents in graphs[::3]:
        assert essential_arcs(Graph(parents)) == essential(parents, graphs)


def test_essential_graphs_are_pyagrums():
    gum = pytest.importorskip("pyagrum")
    from fewest.networks._inference.junction_tree import to_pyagrum

    network = load_network("alarm")
    theirs = gum.EssentialGraph(to_pyagrum(network))
    arcs = {tuple(arc) for arc in theirs.arcs()}
    arcs |= {pair for a, b in theirs.edges() for pair in ((a, b), (b, a))}
    assert essential_arcs(network.graph) == arcs


def test_distance_is_zero_between_equivalent_graphs_only():
    graphs = every_graph(3)
    for one in graphs:
        for other in graphs:
            found = compare_graphs(Graph(one), Graph(other))
            assert (found.distance == 0) == (set(Graph(one).arcs) == set(Graph(other).arcs))
            assert (found.class_distance == 0) == (class_of(one) == class_of(other))


def test_shares_by_hand():
    found = compare_graphs(Graph(((), (0,), (0,), ())), Graph(((), (0,), (), (0, 2))))
    assert found.distance == 3
    assert (found.arc_precision, found.arc_recall) == (1 / 2, 1 / 3)
    assert (found.adjacency_precision, found.adjacency_recall) == (1 / 2, 1 / 3)
    assert compare_graphs(Graph.empty(2), Graph.empty(2)).arc_recall == 1.0
    assert found.to_dict()["distance"] == 3


def test_divergence_of_two_coins_by_hand():
    coin, other = (
        Network(np.array([2]), Graph(((),)), np.array(p)) for p in ([0.5, 0.5], [0.9, 0.1])
    )
    expected = 0.5 * np.log(0.5 / 0.9) + 0.5 * np.log(0.5 / 0.1)
    assert divergence(coin, other) == pytest.approx(expected)
    mean, error = sampled_divergence(coin, other, 20_000, np.random.default_rng(0))
    assert abs(mean - expected) < 4 * error
    sure = Network(np.array([2]), Graph(((),)), np.array([1.0, 0.0]))
    assert divergence(coin, sure) == np.inf
    assert divergence(sure, coin) == pytest.approx(np.log(2))


def test_divergence_is_pyagrums():
    gum = pytest.importorskip("pyagrum")
    from fewest.networks._inference.junction_tree import to_pyagrum
    from fewest.networks._named import NamedNetwork

    asia = load_network("asia")
    rows = asia.sample(300, np.random.default_rng(0))
    learned = Network.learn(asia.graph, rows, asia.cardinalities)
    named = NamedNetwork(learned, asia.names, asia.levels)
    # It does not keep its networks alive, so names must.
    one, other = to_pyagrum(asia), to_pyagrum(named)
    theirs = gum.ExactBNdistance(one, other).compute()["klPQ"]
    assert divergence(asia.network, learned) == pytest.approx(theirs * np.log(2))


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InputError, match="`graph` must have the 3 variables of `gold`, but has 2"):
        compare_graphs(Graph.empty(2), Graph.empty(3))
    alarm, asia = load_network("alarm").network, load_network("asia").network
    with pytest.raises(InputError, match="joint cases to be summed up, but has more"):
        divergence(alarm, alarm)
    with pytest.raises(InputError, match="`found` must have the variables and levels of `gold`"):
        divergence(asia, alarm)
