"""Networks to pyAgrum and networkx and back."""

import networkx
import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.graph import Graph, Network
from fewest.networks._bif import load_network
from fewest.networks._inference.junction_tree import (
    from_networkx,
    from_pyagrum,
    to_networkx,
    to_pyagrum,
)
from fewest.networks._named import NamedNetwork


def test_pyagrum_gives_every_row_the_same_probability():
    pytest.importorskip("pyagrum")
    network = load_network("alarm")
    theirs = to_pyagrum(network)
    rows = network.sample(20, np.random.default_rng(0))
    for row, ours in zip(rows, network.network.log_probability(rows), strict=True):
        case = theirs.completeInstantiation()
        case.fromdict({name: int(v) for name, v in zip(network.names, row, strict=True)})
        assert theirs.log2JointProbability(case) * np.log(2) == pytest.approx(ours)


def test_there_and_back_through_pyagrum_with_parents_in_any_order():
    pytest.importorskip("pyagrum")
    rng = np.random.default_rng(0)
    tables = [rng.dirichlet(np.ones(3), n).ravel() for n in (1, 1)]
    tables.append(rng.dirichlet(np.ones(2), 9).ravel())
    first = Network(np.array([3, 3, 2]), Graph(((), (), (1, 0))), np.concatenate(tables))
    network = NamedNetwork(first, ("a", "b", "c"), (tuple("xyz"), tuple("uvw"), ("n", "y")))
    back = from_pyagrum(to_pyagrum(network))
    rows = network.sample(50, rng)
    np.testing.assert_allclose(
        back.network.log_probability(rows), network.network.log_probability(rows)
    )


def test_there_and_back_through_networkx():
    network = load_network("child")
    graph = to_networkx(network)
    assert networkx.is_directed_acyclic_graph(graph)
    assert set(graph.edges) == set(network.arcs)
    back = from_networkx(graph)
    assert (back.names, back.levels, back.graph) == (network.names, network.levels, network.graph)
    np.testing.assert_array_equal(back.network.probabilities, network.network.probabilities)


def test_a_cyclic_graph_and_a_bare_graph_are_refused():
    bare = networkx.DiGraph([("a", "b")])
    with pytest.raises(InputError, match="`graph` must have .* but 'a' has no levels"):
        from_networkx(bare)
    facts = {"levels": [0, 1], "table": np.full((2, 2), 0.5)}
    cyclic = networkx.DiGraph()
    cyclic.add_node("a", parents=["b"], **facts)
    cyclic.add_node("b", parents=["a"], **facts)
    with pytest.raises(InputError, match="must describe a graph without directed cycles"):
        from_networkx(cyclic)
