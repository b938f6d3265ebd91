"""Which rule stands for which estimator, and whether it can on a table: one table, by class."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.metrics import check_scoring

from ...data._table import Table
from .metrics.find import find_metric
from .metrics.metric import Metric
from .row_data import WEIGHT, route, weight_name
from .rules.rule import Rule, Size
from .sources.memory import MemorySource
from .sources.pipelines import Branch, Parts, model_of, take_apart
from .splits import Splits

#: Public module and class of an estimator: module (in ``rules``) and class of its rule.
RULES: dict[str, str] = {
    "sklearn.neighbors:KNeighborsClassifier": "neighbours:NeighborsRule",
    "sklearn.neighbors:KNeighborsRegressor": "neighbours:NeighborsRule",
    "fewest.classifiers:NearestNeighbor": "neighbours:TableNeighborsRule",
    "fewest.classifiers:IB1": "neighbours:TableNeighborsRule",
    "fewest.classifiers:TAN": "tan:TANRule",
    "fewest.classifiers:SelectiveNaiveBayes": "tan:NetworkRule",
    "fewest.classifiers:ID3": "decision_trees:TreeRule",
    "fewest.classifiers:C45": "decision_trees:TreeRule",
    "fewest.classifiers:OneR": "decision_tables:OneRRule",
    "fewest.classifiers:TableMajority": "decision_tables:TableRule",
    "sklearn.linear_model:LogisticRegression": "logistic:LogisticRule",
    "sklearn.linear_model:LinearRegression": "linear:RegressionRule",
    "sklearn.linear_model:Ridge": "linear:RegressionRule",
    "sklearn.linear_model:RidgeClassifier": "linear:RegressionRule",
    "sklearn.discriminant_analysis:LinearDiscriminantAnalysis": "linear:DiscriminantRule",
    "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis": "quadratic:QuadraticRule",
    "sklearn.neighbors:NearestCentroid": "quadratic:CentroidRule",
    "fewest.classifiers:NaiveBayes": "bayes:NaiveBayesRule",
    "fewest.classifiers:MLCNaiveBayes": "bayes:MLCRule",
    "sklearn.naive_bayes:GaussianNB": "bayes:GaussianRule",
    "sklearn.naive_bayes:CategoricalNB": "bayes:CategoricalRule",
    "sklearn.naive_bayes:BernoulliNB": "bayes:BernoulliRule",
}

#: The methods of an estimator that a metric needs.
NEEDS = {"probabilities": "predict_proba", "chances": "predict_proba"}


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of all rows of a table, for training and for scoring; None is 1 for each."""

    train: NDArray[np.float64] | None = None
    test: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class ScoringPath:
    """How an estimator is scored on a table."""

    fast: bool  #: Whether a rule scores batches; otherwise every subset is trained on every fold.
    why: str  #: The reason in words.
    #: Number of operations per subset, all folds together; infinite where subsets are trained.
    operations: float = np.inf
    #: From here on what is needed to bind the rule; None where there is none.
    rule: type[Rule] | None = None
    model: Any = None
    branches: tuple[Branch, ...] | None = None
    metric: Metric | None = None
    weights: Weights | None = None

    def bind(self, table: Table, splits: Splits) -> Rule:
        """Return the rule for the folds of a table."""
        assert self.rule is not None
        assert self.weights is not None
        source = MemorySource(table, splits, self.branches)
        return self.rule(self.model, source, self.weights.train)


def rule_of(model: Any) -> type[Rule] | None:
    """Return the rule of exactly this class of model (not of a subclass), or None.

    >>> from sklearn.svm import SVC
    >>> rule_of(SVC()) is None
    True
    """
    for place, rule in RULES.items():
        module, _, name = place.partition(":")
        if type(model).__name__ == name:
            if type(model) is not getattr(importlib.import_module(module), name, None):
                continue
            file, _, cls = rule.partition(":")
            found: type[Rule] = getattr(importlib.import_module(f"{__package__}.rules.{file}"), cls)
            return found
    return None


def find_path(estimator: Any, table: Table, scoring: Any = None, folds: int = 10) -> ScoringPath:
    """Return how an estimator is scored on a table, and why."""
    model = model_of(estimator)
    name, rule = type(model).__name__, rule_of(model)
    if rule is None:
        return ScoringPath(False, f"{name} has no fast path, so it is trained for every subset")
    if table.n_targets > 1:
        return ScoringPath(False, "the table has several targets")
    if (table.classes is None) != is_regressor(model):
        return ScoringPath(False, f"{name} does not fit the kind of the target")
    parts = take_apart(estimator, table)
    metric = find_metric(scoring, estimator, table)
    weights = row_weights(estimator, table, scoring)
    refusal = (
        parts.refusal
        or _metric_refusal(
            scoring, estimator, rule, metric, MemorySource(table, (), parts.branches)
        )
        or _weights_refusal(model, rule, weights)
        or _table_refusal(model, rule, table, parts)
        or rule.refusal(parts.model, table)
    )
    if refusal is not None:
        return ScoringPath(False, refusal)
    size = Size(table.n_rows, table.n_features, max(1, table.n_classes), folds)
    why = f"a rule for {name} scores whole batches of subsets"
    return ScoringPath(
        True, why, rule.cost(parts.model, size), rule, parts.model, parts.branches, metric, weights
    )


def _metric_refusal(
    scoring: Any, estimator: Any, rule: type[Rule], metric: Metric | None, source: MemorySource
) -> str | None:
    name = type(model_of(estimator)).__name__
    if metric is None:
        return f"scoring={scoring!r} is computed by scikit-learn only"
    if rule.counts_only and metric.name != "accuracy_score":
        return f"the rule of {name} knows accuracies only"
    if not hasattr(estimator, NEEDS.get(metric.asks, "fit")):
        return f"{name} has no {NEEDS[metric.asks]}"
    return rule.blind(source, metric)


def _weights_refusal(model: Any, rule: type[Rule], weights: Weights | None) -> str | None:
    if weights is None:
        return "training or scoring gets metadata other than weights of the rows"
    if weights.train is not None and not rule.takes_weights:
        return f"the rule of {type(model).__name__} does not learn with weights of the rows"
    if weights.test is not None and rule.counts_only:
        return f"the rule of {type(model).__name__} does not score with weights of the rows"
    return None


def _table_refusal(model: Any, rule: type[Rule], table: Table, parts: Parts) -> str | None:
    if rule.takes_tables and parts.branches is not None:
        return f"{type(model).__name__} comes after other steps in a pipeline"
    if rule.takes_tables and table.sparse is not None:
        return "the table is sparse"
    return None


def row_weights(estimator: Any, table: Table, scoring: Any) -> Weights | None:
    """Return the weights that training and scoring get; None where they get more than weights."""
    fit, score = route(estimator, check_scoring(estimator, scoring=scoring), table.metadata)
    given = []
    for parameters, name in ((fit, weight_name(estimator)), (score, WEIGHT)):
        if set(parameters) - {name}:
            return None
        weight = parameters.get(name)
        given.append(None if weight is None else np.asarray(weight, dtype=np.float64))
    return Weights(*given)
