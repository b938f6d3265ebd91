"""Networks to and from pyAgrum and networkx."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InputError
from .graph import Graph
from .named import NamedNetwork
from .network import Network


def pyagrum() -> Any:
    """The library, or a sentence that says how to get it."""
    try:
        import pyagrum as library
    except ImportError:
        raise InputError(
            'This needs pyAgrum, which is not installed: pip install "fewest[networks]".'
        ) from None
    return library


def to_pyagrum(network: NamedNetwork) -> Any:
    """The same network as a ``pyagrum.BayesNet``.

    Levels are labels there: they become strings.
    """
    gum = pyagrum()
    net = gum.BayesNet("network")
    for name, levels in zip(network.names, network.levels, strict=True):
        net.add(gum.LabelizedVariable(name, name, [str(v) for v in levels]))
    for parent, child in network.arcs:
        net.addArc(parent, child)
    for i, table in enumerate(network.network.tables):
        parents = network.graph.parents[i]
        shape = [int(network.cardinalities[p]) for p in parents]
        whole = table.reshape(*shape, int(network.cardinalities[i]))
        cpt = net.cpt(network.names[i])
        mine = [*(network.names[p] for p in parents), network.names[i]]
        # pyAgrum's array has its first variable last.
        theirs = list(reversed(cpt.names))
        turned = np.transpose(whole, [mine.index(name) for name in theirs])
        cpt[:] = np.ascontiguousarray(turned)
    return net


def from_pyagrum(net: Any) -> NamedNetwork:
    """A network of fewest from a ``pyagrum.BayesNet``; variables in the order of their ids."""
    ids = sorted(net.nodes())
    place = {node: i for i, node in enumerate(ids)}
    variables = [net.variable(node) for node in ids]
    names = tuple(str(v.name()) for v in variables)
    levels = tuple(tuple(str(label) for label in v.labels()) for v in variables)
    parents = tuple(tuple(sorted(place[p] for p in net.parents(node))) for node in ids)
    tables = []
    for i, node in enumerate(ids):
        cpt = net.cpt(node)
        theirs = list(reversed(cpt.names))
        mine = [*(names[p] for p in parents[i]), names[i]]
        tables.append(np.transpose(cpt.toarray(), [theirs.index(name) for name in mine]).ravel())
    cards = np.array([len(v) for v in levels], dtype=np.int64)
    graph = Graph(parents)
    _ = graph.order
    return NamedNetwork(Network(cards, graph, np.concatenate(tables)), names, levels)


def to_networkx(network: NamedNetwork) -> Any:
    """The graph as a ``networkx.DiGraph``; each node carries its levels and its table."""
    import networkx

    found = networkx.DiGraph()
    for i, name in enumerate(network.names):
        table = network.network.tables[i]
        parents = [network.names[p] for p in network.graph.parents[i]]
        found.add_node(name, levels=list(network.levels[i]), parents=parents, table=table)
    found.add_edges_from(network.arcs)
    return found


def from_networkx(graph: Any) -> NamedNetwork:
    """A network from a graph made by :func:`to_networkx`, or with the same attributes."""
    names = tuple(str(node) for node in graph.nodes)
    place = {name: i for i, name in enumerate(names)}
    for node, facts in graph.nodes(data=True):
        missing = [key for key in ("levels", "parents", "table") if key not in facts]
        if missing:
            raise InputError(
                f"`graph` must have `levels`, `parents` and `table` for each node, but {node!r} "
                f"has no {missing[0]}."
            )
    facts = [graph.nodes[node] for node in graph.nodes]
    structure = Graph(tuple(tuple(place[str(p)] for p in f["parents"]) for f in facts))
    _ = structure.order
    levels = tuple(tuple(f["levels"]) for f in facts)
    tables = np.concatenate([np.asarray(f["table"], dtype=np.float64).ravel() for f in facts])
    cards = np.array([len(v) for v in levels], dtype=np.int64)
    return NamedNetwork(Network(cards, structure, tables), names, levels)
