"""Fast twins: scorers that give an estimator's own fold scores for a whole batch at once.

There are two kinds. A function ``twin(estimator, table, splits) -> Scorer | None`` in ``TWINS``
gives a scorer with exactly the fold accuracies that ``cross_val_score`` gives on the same splits.
A function ``folds(estimator, table, splits, weight, asks) -> list[FoldTwin] | None`` in
``RESPONSES`` trains the folds with weights of the rows and tells, for metrics that ask for labels,
ranks, probabilities or numbers, what the models say of the test rows; any metric follows from it.
Both return None where they cannot promise that, and the estimator is then trained as usual. A new
twin is one function and one line here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor

from ...data.table import Table
from ..base import Scorer
from .linear.columns import is_scaled_pipeline
from .metrics.metric import Metric
from .responses import FoldTwin, ResponseScorer, Weights
from .splits import Splits
from .wrapped import WrappedScorer

Twin = Callable[[Any, Table, Splits], Scorer | None]
Folds = Callable[[Any, Table, Splits, NDArray[np.float64] | None, str], list[FoldTwin] | None]

#: Module and class of an estimator: module (in this package) and function of its twin.
TWINS: dict[str, str] = {
    "fewest.classifiers.bayes.naive_bayes:NaiveBayes": "naive_bayes_twin:naive_bayes_twin",
    "sklearn.naive_bayes:GaussianNB": "gaussian_twin:gaussian_twin",
    "sklearn.naive_bayes:CategoricalNB": "discrete_twins:categorical_twin",
    "sklearn.naive_bayes:BernoulliNB": "bernoulli_twin:bernoulli_twin",
}


#: Module and class of an estimator: module and function of the twins of its folds.
RESPONSES: dict[str, str] = {
    "fewest.classifiers.bayes.naive_bayes:NaiveBayes": "bayes_responses:naive_bayes_folds",
    "sklearn.naive_bayes:GaussianNB": "gaussian_responses:gaussian_folds",
    "sklearn.naive_bayes:CategoricalNB": "bayes_responses:categorical_folds",
    "sklearn.naive_bayes:BernoulliNB": "bernoulli_twin:bernoulli_folds",
}

#: The methods that a metric needs.
NEEDS = {"probabilities": "predict_proba", "chances": "predict_proba"}


def _place(estimator: Any) -> str:
    """Where exactly this class of estimator (not a subclass) stands in the tables.

    A linear model after a StandardScaler stands where the model does.
    """
    if is_scaled_pipeline(estimator):
        place = _place(estimator.steps[-1][1])
        return place if RESPONSES.get(place, "").startswith("linear.") else ""
    return f"{type(estimator).__module__}:{type(estimator).__qualname__}"


def _found(place: str | None) -> Any:
    if place is None:
        return None
    module, function = place.split(":")
    return getattr(importlib.import_module(f"{__package__}.{module}"), function)


def twin_of(estimator: Any) -> Twin | Folds | None:
    """The twin of exactly this class of estimator (not of a subclass), or None."""
    place = _place(estimator)
    found: Twin | Folds | None = _found(TWINS.get(place, RESPONSES.get(place)))
    return found


def is_fast(estimator: Any) -> bool:
    """Whether thousands of subsets are scored in a second.

    Trees and their ensembles are trained for every subset; so are C4.5 with subtree raising and
    Table-Majority with its own selection.
    """
    if getattr(estimator, "raises", False) or getattr(estimator, "select", False) is True:
        return False
    place = _place(estimator)
    trains = RESPONSES.get(place, "").startswith("ensembles.")
    return twin_of(estimator) is not None and not trains


def find_twin(estimator: Any, table: Table, splits: Splits, scoring: Any = None) -> Scorer | None:
    """The bound twin, where there is one that can take this table and scoring, or None."""
    place = _place(estimator)
    if table.n_targets > 1 or (place not in TWINS and place not in RESPONSES):
        return None
    if table.sparse is not None:
        return _sparse_twin(estimator, table, splits, scoring)
    own = "r2" if table.classes is None else "accuracy"
    plain = (scoring is None or scoring == own) and not set(table.metadata) - {"groups"}
    if plain and place in TWINS and is_regressor(estimator) == (table.classes is None):
        twin: Twin = _found(TWINS[place])
        return twin(estimator, table, splits)
    from .metrics.find import find_metric

    metric = find_metric(scoring, estimator, table)
    if metric is None or not hasattr(estimator, NEEDS.get(metric.asks, "fit")):
        return None
    return _by_responses(estimator, table, splits, scoring, metric)


def _sparse_twin(estimator: Any, table: Table, splits: Splits, scoring: Any) -> Scorer | None:
    """The only twin of sparse tables: the accuracies of our own naive Bayes."""
    plain = scoring in (None, "accuracy") and not set(table.metadata) - {"groups"}
    if not plain or not _place(estimator).endswith(":NaiveBayes") or table.classes is None:
        return None
    from .sparse_bayes import sparse_bayes_twin

    return sparse_bayes_twin(estimator, table, splits)


def _by_responses(
    estimator: Any, table: Table, splits: Splits, scoring: Any, metric: Metric
) -> Scorer | None:
    slow = WrappedScorer(estimator, table, splits, scoring)
    weights = _weights(slow)
    twins: Folds | None = _found(RESPONSES.get(_place(estimator)))
    if weights is None or twins is None:
        return None
    folds = twins(estimator, table, splits, weights.train, metric.asks)
    if folds is None:
        return None
    return ResponseScorer(folds, table, metric, slow, weights)


def _weights(slow: WrappedScorer) -> Weights | None:
    """The weights that training and scoring get; None where they get more than weights."""
    given = []
    for parameters in (slow.fit_params, slow.score_params):
        if set(parameters) - {"sample_weight"}:
            return None
        weight = parameters.get("sample_weight")
        given.append(None if weight is None else np.asarray(weight, dtype=np.float64))
    return Weights(*given)
