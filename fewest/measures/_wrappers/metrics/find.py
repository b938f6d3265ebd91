"""Which metric a scorer of scikit-learn is, where it can be computed in batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics
from sklearn.base import is_classifier

from ....data._table import Table
from .metric import Metric, judge_brier, judge_log_loss, judge_numbers, judge_ranks, of_labels

Floats = NDArray[np.float64]


def accuracy(counts: Floats) -> Floats:
    """Share of the weight that lies on the diagonal.

    >>> accuracy(np.array([[[3.0, 1.0], [0.0, 4.0]]]))
    array([0.875])
    """
    return np.asarray(_diagonal(counts).sum(axis=1) / counts.sum(axis=(1, 2)))


def balanced_accuracy(counts: Floats) -> Floats:
    """Mean recall of the classes that the rows show."""
    support = counts.sum(axis=2)
    shown = support > 0.0
    recall = _ratio(_diagonal(counts), support)
    return np.asarray(np.where(shown, recall, 0.0).sum(axis=1) / shown.sum(axis=1))


def matthews(counts: Floats) -> Floats:
    """Matthews' correlation coefficient for any number of classes (Gorodkin, 2004)."""
    true, predicted = counts.sum(axis=2), counts.sum(axis=1)
    whole, right = counts.sum(axis=(1, 2)), _diagonal(counts).sum(axis=1)
    together = right * whole - (true * predicted).sum(axis=1)
    spread = (whole**2 - (true**2).sum(axis=1)) * (whole**2 - (predicted**2).sum(axis=1))
    return _ratio(together, np.sqrt(spread))


def per_class(kind: str, counts: Floats) -> tuple[Floats, Floats]:
    """Numerator and denominator of f1, precision, recall or Jaccard for every class."""
    true, predicted, hit = counts.sum(axis=2), counts.sum(axis=1), _diagonal(counts)
    if kind == "f1":
        return 2.0 * hit, true + predicted
    if kind == "jaccard":
        return hit, true + predicted - hit
    return hit, predicted if kind == "precision" else true


def averaged(kind: str, average: str, positive: int, counts: Floats) -> Floats:
    """One number per candidate from the numbers per class; 0 where one divides by zero.

    ``average`` is "binary" (the class ``positive``), "micro", "macro" (over the classes that
    are true or predicted somewhere) or "weighted" (by the weight of the true class).
    """
    over, under = per_class(kind, counts)
    if average == "binary":
        return _ratio(over[:, positive], under[:, positive])
    if average == "micro":
        return _ratio(over.sum(axis=1), under.sum(axis=1))
    each = _ratio(over, under)
    true = counts.sum(axis=2)
    weight = true if average == "weighted" else 1.0 * (true + counts.sum(axis=1) > 0.0)
    return _ratio((each * weight).sum(axis=1), weight.sum(axis=1))


def _diagonal(counts: Floats) -> Floats:
    return np.asarray(np.diagonal(counts, axis1=1, axis2=2))


def _ratio(over: Floats, under: Floats) -> Floats:
    return np.divide(over, under, out=np.zeros(np.shape(over)), where=under > 0.0)


#: Metrics of predicted numbers.
NUMBERS = {
    "r2_score": "r2",
    "mean_squared_error": "squared",
    "root_mean_squared_error": "root",
    "mean_absolute_error": "absolute",
}
#: Metrics of predicted classes that take an average.
AVERAGED = {
    "f1_score": "f1",
    "precision_score": "precision",
    "recall_score": "recall",
    "jaccard_score": "jaccard",
}
#: Metrics of predicted classes that take nothing.
PLAIN = {
    "accuracy_score": accuracy,
    "balanced_accuracy_score": balanced_accuracy,
    "matthews_corrcoef": matthews,
}


def find_metric(scoring: Any, estimator: Any, table: Table) -> Metric | None:
    """The metric of a scorer, or None where only scikit-learn itself can compute it.

    Parameters
    ----------
    scoring : str, scorer of scikit-learn (``make_scorer``) or None
        None is accuracy for classifiers and R² for regressors.
    estimator : scikit-learn estimator
    table : Table

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from fewest.testing import toy_table
    >>> find_metric("f1_macro", GaussianNB(), toy_table()).asks
    'labels'
    """
    if scoring is None:
        scoring = "accuracy" if is_classifier(estimator) else "r2"
    scorer = metrics.get_scorer(scoring) if isinstance(scoring, str) else scoring
    function = getattr(scorer, "_score_func", None)
    name = getattr(function, "__name__", "")
    if function is None or getattr(metrics, name, None) is not function:
        return None
    sign, given = float(scorer._sign), dict(scorer._kwargs)
    if table.classes is None:
        return _of_numbers(name, sign, given)
    asked = scorer._response_method
    asked = [asked] if isinstance(asked, str) else list(asked)
    return _of_classes(name, sign, given, asked, table)


def _of_numbers(name: str, sign: float, given: Mapping[str, Any]) -> Metric | None:
    if name not in NUMBERS or given:
        return None
    kind = NUMBERS[name]
    squares = "" if kind == "absolute" else kind
    return Metric(name, "numbers", partial(judge_numbers, kind, sign), False, squares, sign)


def _of_classes(
    name: str, sign: float, given: dict[str, Any], asked: list[str], table: Table
) -> Metric | None:
    if asked == ["predict"]:
        formula = _label_formula(name, given, table)
        # A positive class, named or by default, must be among those that a fold trains on.
        named = given.get("pos_label") is not None or name in AVERAGED
        return None if formula is None else Metric(name, "labels", of_labels(formula, sign), named)
    if name in ("log_loss", "brier_score_loss") and asked == ["predict_proba"]:
        return _of_probabilities(name, sign, given, table)
    both = ["decision_function", "predict_proba"]
    if name in ("roc_auc_score", "average_precision_score") and asked in (both, both[1:]):
        return _of_ranks(name, sign, given, asked, table)
    return None


def _label_formula(name: str, given: dict[str, Any], table: Table) -> Callable[[Any], Any] | None:
    if name in PLAIN:
        return None if given else PLAIN[name]
    if name not in AVERAGED or set(given) - {"average", "pos_label", "zero_division"}:
        return None
    average = given.get("average", "binary")
    if given.get("zero_division", "warn") not in ("warn", 0):
        return None
    # Of two classes scikit-learn wants to know the positive one, whatever the average.
    label = given.get("pos_label", 1)
    positive = _code(label, table)
    known = positive is not None or (label is None and average != "binary")
    if not known and (table.n_classes == 2 or average == "binary"):
        return None
    if average not in ("binary", "micro", "macro", "weighted"):
        return None
    return partial(averaged, AVERAGED[name], average, positive or 0)


def _of_probabilities(name: str, sign: float, given: dict[str, Any], table: Table) -> Metric | None:
    if name == "log_loss":
        return None if given else Metric(name, "probabilities", partial(judge_log_loss, sign), True)
    half = given.pop("scale_by_half", "auto")
    # With two classes scikit-learn asks which one is meant, unless they are 0 and 1.
    meant = table.n_classes > 2 or _code(1, table) == 1
    if given or not meant or half not in ("auto", True, False):
        return None
    judge = partial(judge_brier, sign, half)
    return Metric(name, "probabilities", judge, True)


def _of_ranks(
    name: str, sign: float, given: dict[str, Any], asked: list[str], table: Table
) -> Metric | None:
    area = name == "roc_auc_score"
    average = given.pop("average", "macro")
    several = given.pop("multi_class", "raise") if area else "ovr"
    if given or average not in ("macro", "weighted"):
        return None
    if table.n_classes > 2 and several != "ovr":
        return None
    # The area means the second of two classes; precision means class 1.
    positive = 1 if area or table.n_classes > 2 else _code(1, table)
    if positive is None:
        return None
    chances = len(asked) == 1
    judge = partial(judge_ranks, not area, average, positive, sign, chances)
    return Metric(name, "chances" if chances else "ranks", judge, True)


def _code(label: Any, table: Table) -> int | None:
    """The code of one of two classes, or None."""
    assert table.classes is not None
    if table.n_classes != 2:
        return None
    found = [k for k, known in enumerate(table.classes.tolist()) if _same(known, label)]
    return found[0] if found else None


def _same(known: Any, label: Any) -> bool:
    return isinstance(known, (str, bytes)) == isinstance(label, (str, bytes)) and bool(
        np.all(known == label)
    )
