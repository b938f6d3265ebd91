"""Bayesian networks: learn them from tables, query them, compare them with others.

The names load when they are first used: ``from fewest.networks import NamedNetwork``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy_names import add_lazy_names as _add_lazy_names

#: Where the public names stand.
_HOME = {
    "AISBN": "_inference.sampling",
    "AnnealGraph": ".search._graphs",
    "BackwardSampling": "_inference.sampling",
    "ClimbGraph": ".search._graphs",
    "ClimbOrder": ".search._orderings",
    "ExactGraph": ".search._graphs",
    "ExactInference": "_inference.junction_tree",
    "FamilyScores": "._models.family_scores",
    "GAGraph": ".search._graphs",
    "GAOrder": ".search._orderings",
    "GaussianNetwork": "._models.gaussian",
    "Graph": "._models.graph",
    "HeuristicImportance": "_inference.sampling",
    "InferentialLoss": "_inferential_loss",
    "IteratedTabuGraph": ".search._graphs",
    "LikelihoodWeighting": "_inference.sampling",
    "LogicSampling": "_inference.sampling",
    "NamedNetwork": "_named",
    "Network": "._models.graph",
    "NetworkLearner": "_learner",
    "PlackettLuceEDA": ".search._orderings",
    "SelfImportance": "_inference.sampling",
    "TabuGraph": ".search._graphs",
    "arcs_of_orders": "_averaging",
    "compare_graphs": "_network_facts",
    "divergence": "_network_facts",
    "exact_arcs": "_averaging",
    "from_networkx": "_inference.junction_tree",
    "from_pyagrum": "_inference.junction_tree",
    "learn_b": "._models.structure_search",
    "learn_by_climbing": "._models.structure_search",
    "learn_by_exclusion": "._models.gaussian",
    "learn_by_tabu": "._models.structure_search",
    "learn_exact": "._models.optimum",
    "learn_gaussian_b": "._models.gaussian",
    "learn_k2": "._models.structure_search",
    "learn_pc": "._models.structure_search",
    "load_network": "_bif",
    "read_bif": "_bif",
    "sample_dataset": "_bif",
    "sampled_divergence": "_network_facts",
    "to_networkx": "_inference.junction_tree",
    "to_pyagrum": "_inference.junction_tree",
    "write_bif": "_bif",
}

# Written by `python -m tests.public_names` from the table above.
# names: begin
if TYPE_CHECKING:
    from .._models.family_scores import FamilyScores
    from .._models.gaussian import GaussianNetwork, learn_by_exclusion, learn_gaussian_b
    from .._models.graph import Graph, Network
    from .._models.optimum import learn_exact
    from .._models.structure_search import (
        learn_b,
        learn_by_climbing,
        learn_by_tabu,
        learn_k2,
        learn_pc,
    )
    from ..search._graphs import (
        AnnealGraph,
        ClimbGraph,
        ExactGraph,
        GAGraph,
        IteratedTabuGraph,
        TabuGraph,
    )
    from ..search._orderings import ClimbOrder, GAOrder, PlackettLuceEDA
    from ._averaging import arcs_of_orders, exact_arcs
    from ._bif import load_network, read_bif, sample_dataset, write_bif
    from ._inference.junction_tree import (
        ExactInference,
        from_networkx,
        from_pyagrum,
        to_networkx,
        to_pyagrum,
    )
    from ._inference.sampling import (
        AISBN,
        BackwardSampling,
        HeuristicImportance,
        LikelihoodWeighting,
        LogicSampling,
        SelfImportance,
    )
    from ._inferential_loss import InferentialLoss
    from ._learner import NetworkLearner
    from ._named import NamedNetwork
    from ._network_facts import compare_graphs, divergence, sampled_divergence

__all__ = [
    "AISBN", "AnnealGraph", "BackwardSampling", "ClimbGraph", "ClimbOrder", "ExactGraph",
    "ExactInference", "FamilyScores", "GAGraph", "GAOrder", "GaussianNetwork", "Graph",
    "HeuristicImportance", "InferentialLoss", "IteratedTabuGraph", "LikelihoodWeighting",
    "LogicSampling", "NamedNetwork", "Network", "NetworkLearner", "PlackettLuceEDA",
    "SelfImportance", "TabuGraph", "arcs_of_orders", "compare_graphs", "divergence", "exact_arcs",
    "from_networkx", "from_pyagrum", "learn_b", "learn_by_climbing", "learn_by_exclusion",
    "learn_by_tabu", "learn_exact", "learn_gaussian_b", "learn_k2", "learn_pc", "load_network",
    "read_bif", "sample_dataset", "sampled_divergence", "to_networkx", "to_pyagrum", "write_bif",
]  # fmt: skip
# names: end

_add_lazy_names(globals(), _HOME)
