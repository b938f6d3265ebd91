"""The classifiers of the literature as scikit-learn estimators.

They load when they are first asked for: ``from fewest.classifiers import TAN``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._cn2 import CN2
    from ._encoder import TableEncoder
    from ._exemplars import IB3, IB4, PEBLS
    from ._naive_bayes import MLCNaiveBayes, NaiveBayes
    from ._nearest_neighbor import IB1, NearestNeighbor
    from ._network_classifiers import TAN, BayesianNetworkClassifier, SelectiveNaiveBayes
    from ._one_r import OneR
    from ._ripper import Ripper
    from ._table_majority import TableMajority
    from ._trees.hoodg import HOODG
    from ._trees.nb_tree import NBTree
    from ._trees.oc1 import OC1
    from ._trees.t2 import T2
    from ._trees.tree import C45, ID3


__all__ = [
    "BayesianNetworkClassifier",
    "C45",
    "CN2",
    "HOODG",
    "IB1",
    "IB3",
    "IB4",
    "ID3",
    "MLCNaiveBayes",
    "NBTree",
    "NaiveBayes",
    "OC1",
    "OneR",
    "PEBLS",
    "Ripper",
    "NearestNeighbor",
    "SelectiveNaiveBayes",
    "T2",
    "TAN",
    "TableEncoder",
    "TableMajority",
]

_HOME = {
    "BayesianNetworkClassifier": "bayes.network",
    "C45": "trees.c45",
    "CN2": "rules.cn2",
    "HOODG": "trees.hoodg",
    "IB1": "neighbours.ib1",
    "IB3": "neighbours.ib3",
    "IB4": "neighbours.ib3",
    "ID3": "trees.id3",
    "MLCNaiveBayes": "bayes.naive_bayes",
    "NBTree": "trees.nb_tree",
    "NaiveBayes": "bayes.naive_bayes",
    "OC1": "trees.oc1",
    "OneR": "rules.one_r",
    "PEBLS": "neighbours.pebls",
    "Ripper": "rules.ripper",
    "NearestNeighbor": "neighbours.nearest_neighbor",
    "SelectiveNaiveBayes": "bayes.tan",
    "T2": "trees.t2",
    "TAN": "bayes.tan",
    "TableEncoder": "encoder",
    "TableMajority": "tables.table_majority",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __package__), name)
    raise AttributeError(f"module 'fewest.classifiers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_HOME})
