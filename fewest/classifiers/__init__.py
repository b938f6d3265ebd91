"""The classifiers of the literature as scikit-learn estimators.

They load when they are first asked for: ``from fewest.classifiers import TAN``.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "BayesianNetworkClassifier": "network",
    "C45": "c45",
    "ID3": "id3",
    "NaiveBayes": "naive_bayes",
    "SelectiveNaiveBayes": "tan",
    "TAN": "tan",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __package__), name)
    raise AttributeError(f"module 'fewest.classifiers' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_HOME)
