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
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor

from ...data.table import Table
from ..base import Scorer
from .linear.columns import MOST_COLUMNS, is_scaled_pipeline
from .metrics.metric import Metric
from .registry import rule_of
from .responses import FoldTwin, ResponseScorer, Weights
from .sources.pipelines import model_of
from .splits import Splits
from .wrapped import WrappedScorer

if TYPE_CHECKING:
    from .linear.borders import Borders

Twin = Callable[[Any, Table, Splits], Scorer | None]
Folds = Callable[[Any, Table, Splits, NDArray[np.float64] | None, str], list[FoldTwin] | None]

#: Module and class of an estimator: module (in this package) and function of its twin.
TWINS: dict[str, str] = {
}


#: Module and class of an estimator: module and function of the twins of its folds.
RESPONSES: dict[str, str] = {
    "sklearn.linear_model._base:LinearRegression": "linear.regression:linear_regression_folds",
    "sklearn.linear_model._ridge:Ridge": "linear.regression:ridge_folds",
    "sklearn.linear_model._ridge:RidgeClassifier": "linear.regression:ridge_classifier_folds",
    "sklearn.discriminant_analysis:LinearDiscriminantAnalysis": (
        "linear.discriminants:linear_discriminant_folds"
    ),
    "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis": (
        "linear.discriminants:quadratic_discriminant_folds"
    ),
    "sklearn.neighbors._nearest_centroid:NearestCentroid": "linear.centroids:centroid_folds",
}

#: The models whose steps are scored from one solution for the subset they start from.
BORDERED = (
    "linear.regression:linear_regression_folds",
    "linear.regression:ridge_folds",
    "linear.regression:ridge_classifier_folds",
    "linear.discriminants:linear_discriminant_folds",
)
#: With fewer columns, batches of subsets are as fast.
LEAST_COLUMNS = 64
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
    if rule_of(model_of(estimator)) is not None:
        return True
    place = _place(estimator)
    trains = RESPONSES.get(place, "").startswith("ensembles.")
    return twin_of(estimator) is not None and not trains


def find_twin(estimator: Any, table: Table, splits: Splits, scoring: Any = None) -> Scorer | None:
    """The bound twin, where there is one that can take this table and scoring, or None."""
    place = _place(estimator)
    if table.n_targets > 1 or (place not in TWINS and place not in RESPONSES):
        return None
    if table.sparse is not None:
        return None
    own = "r2" if table.classes is None else "accuracy"
    plain = (scoring is None or scoring == own) and not set(table.metadata) - {"groups"}
    if plain and place in TWINS and is_regressor(estimator) == (table.classes is None):
        twin: Twin = _found(TWINS[place])
        return twin(estimator, table, splits)
    from .metrics.find import find_metric

    metric = find_metric(scoring, estimator, table)
    if metric is None or not hasattr(estimator, NEEDS.get(metric.asks, "fit")):
        return None
    if table.n_features > MOST_COLUMNS and RESPONSES.get(place, "").startswith("linear."):
        return _wide(estimator, table, splits, scoring, metric)
    return _by_responses(estimator, table, splits, scoring, metric)


def _wide(
    estimator: Any, table: Table, splits: Splits, scoring: Any, metric: Metric
) -> Scorer | None:
    """A linear twin of few columns at a time, where the first ones have one."""
    from .linear.wide import WideScorer, narrow, numbers_of

    whole = numbers_of(table)
    if whole is None:
        return None
    bind = partial(_bound, estimator, splits, scoring, metric)
    if bind(narrow(whole, np.arange(2))) is None:
        return None
    slow = WrappedScorer(estimator, table, splits, scoring)
    return WideScorer(whole, slow, bind, _borders(estimator, whole, splits, metric, _weights(slow)))


def _borders(
    estimator: Any, table: Table, splits: Splits, metric: Metric, weights: Weights | None
) -> Borders | None:
    """How steps of a linear model are scored, where that is known and pays."""
    known = RESPONSES[_place(estimator)] in BORDERED and table.n_features >= LEAST_COLUMNS
    if not known or weights is None or weights.train is not None or weights.test is not None:
        return None
    from .linear.bordered import bordered_folds
    from .linear.borders import Borders

    return Borders(partial(bordered_folds, estimator, table, splits), table, metric)


def _bound(
    estimator: Any, splits: Splits, scoring: Any, metric: Metric, table: Table
) -> Scorer | None:
    return _by_responses(estimator, table, splits, scoring, metric)


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
    borders = _borders(estimator, table, splits, metric, weights)
    return ResponseScorer(folds, table, metric, slow, weights, borders=borders)


def _weights(slow: WrappedScorer) -> Weights | None:
    """The weights that training and scoring get; None where they get more than weights."""
    given = []
    for parameters in (slow.fit_params, slow.score_params):
        if set(parameters) - {"sample_weight"}:
            return None
        weight = parameters.get("sample_weight")
        given.append(None if weight is None else np.asarray(weight, dtype=np.float64))
    return Weights(*given)
