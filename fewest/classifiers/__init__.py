"""The classifiers of the literature as scikit-learn estimators.

They load when they are first asked for: ``from fewest.classifiers import TAN``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bayes.naive_bayes import MLCNaiveBayes, NaiveBayes
    from .bayes.network import BayesianNetworkClassifier
    from .bayes.tan import TAN, SelectiveNaiveBayes
    from .encoder import TableEncoder
    from .neighbours.ib1 import IB1
    from .neighbours.ib3 import IB3, IB4
    from .neighbours.nearest_neighbor import NearestNeighbor
    from .neighbours.pebls import PEBLS
    from .rules.cn2 import CN2
    from .rules.one_r import OneR
    from .rules.ripper import Ripper
    from .tables.table_majority import TableMajority
    from .trees.c45 import C45
    from .trees.hoodg import HOODG
    from .trees.id3 import ID3
    from .trees.nb_tree import NBTree
    from .trees.oc1 import OC1
    from .trees.t2 import T2

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
