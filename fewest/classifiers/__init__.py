"""The classifiers of the literature as scikit-learn estimators.

They load when they are first asked for: ``from fewest.classifiers import TAN``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bayes.naive_bayes import NaiveBayes
    from .bayes.network import BayesianNetworkClassifier
    from .bayes.tan import TAN, SelectiveNaiveBayes
    from .trees.c45 import C45
    from .trees.id3 import ID3

__all__ = [
    "BayesianNetworkClassifier",
    "C45",
    "ID3",
    "NaiveBayes",
    "SelectiveNaiveBayes",
    "TAN",
]

_HOME = {
    "BayesianNetworkClassifier": "bayes.network",
    "C45": "trees.c45",
    "ID3": "trees.id3",
    "OneR": "rules.one_r",
    "NaiveBayes": "bayes.naive_bayes",
    "SelectiveNaiveBayes": "bayes.tan",
    "T2": "trees.t2",
    "TAN": "bayes.tan",
    "TableMajority": "tables.table_majority",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __package__), name)
    raise AttributeError(f"module 'fewest.classifiers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
