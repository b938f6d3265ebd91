"""Fast twins: scorers that give an estimator's own fold scores for a whole batch at once.

A twin is a function ``twin(estimator, table, splits) -> Scorer | None`` whose scorer returns,
for candidates with at least one feature, exactly the fold accuracies that ``cross_val_score``
gives for the estimator on the same splits; it returns None where it cannot promise that, and
the estimator is then trained as usual. A new twin is one function and one line here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from ...data.table import Table
from ..base import Scorer
from .splits import Splits

Twin = Callable[[Any, Table, Splits], Scorer | None]

#: Module and class of an estimator: module (in this package) and function of its twin.
TWINS: dict[str, str] = {
    "fewest.classifiers.bayes.naive_bayes:NaiveBayes": "naive_bayes_twin:naive_bayes_twin",
    "sklearn.naive_bayes:GaussianNB": "gaussian_twin:gaussian_twin",
    "sklearn.naive_bayes:CategoricalNB": "discrete_twins:categorical_twin",
    "sklearn.naive_bayes:BernoulliNB": "discrete_twins:bernoulli_twin",
    "fewest.classifiers.bayes.tan:TAN": "network_twin:tan_twin",
    "fewest.classifiers.trees.id3:ID3": "tree_twin:tree_twin",
    "fewest.classifiers.trees.c45:C45": "tree_twin:tree_twin",
    "fewest.classifiers.bayes.tan:SelectiveNaiveBayes": "network_twin:selective_naive_bayes_twin",
}


def twin_of(estimator: Any) -> Twin | None:
    """The twin of exactly this class of estimator (not of a subclass), or None."""
    cls = type(estimator)
    place = TWINS.get(f"{cls.__module__}:{cls.__qualname__}")
    if place is None:
        return None
    module, function = place.split(":")
    found: Twin = getattr(importlib.import_module(f"{__package__}.{module}"), function)
    return found


def find_twin(estimator: Any, table: Table, splits: Splits, scoring: Any = None) -> Scorer | None:
    """The bound twin, where there is one that can take this table, or None.

    Twins know accuracies only; weights and other metadata go to the estimator itself.
    """
    plain = (scoring is None or scoring == "accuracy") and not set(table.metadata) - {"groups"}
    twin = twin_of(estimator) if plain and table.classes is not None else None
    return None if twin is None else twin(estimator, table, splits)
