"""Bayesian networks: learn them from tables, ask them, compare them with others.

The names load when they are first asked for: ``from fewest.networks import NamedNetwork``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

#: Where the public names stand.
_HOME = {
    "AnnealGraph": "_graph_searches",
    "ClimbGraph": "_graph_searches",
    "ClimbOrder": "_ordering_searches",
    "ExactGraph": "_graph_populations",
    "GAGraph": "_graph_populations",
    "GAOrder": "_ordering_searches",
    "Graph": "._models.graph",
    "InferentialLoss": "_network_measures",
    "IteratedTabuGraph": "_graph_searches",
    "NamedNetwork": "_named",
    "NetworkLearner": "_learner",
    "PlackettLuceEDA": "_ordering_searches",
    "TabuGraph": "_graph_searches",
}

# Written by `python -m tests.public_names` from the table above.
# names: begin
if TYPE_CHECKING:
    from .._models.graph import Graph
    from ._graph_populations import ExactGraph, GAGraph
    from ._graph_searches import AnnealGraph, ClimbGraph, IteratedTabuGraph, TabuGraph
    from ._learner import NetworkLearner
    from ._named import NamedNetwork
    from ._network_measures import InferentialLoss
    from ._ordering_searches import ClimbOrder, GAOrder, PlackettLuceEDA

__all__ = [
    "AnnealGraph",
    "ClimbGraph",
    "ClimbOrder",
    "ExactGraph",
    "GAGraph",
    "GAOrder",
    "Graph",
    "InferentialLoss",
    "IteratedTabuGraph",
    "NamedNetwork",
    "NetworkLearner",
    "PlackettLuceEDA",
    "TabuGraph",
]
# names: end


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __package__), name)
    raise AttributeError(f"module 'fewest.networks' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
