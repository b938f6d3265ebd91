"""What predictions of held-out rows show beside the score: recalls, a threshold, robust errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from .._fitting.plan import IMBALANCE
from ..data._rows import take_rows
from ..data._table import Table, checked_weights
from ..measures._wrappers.cross_validated import RepeatedScorer
from ..measures._wrappers.wrapped import WrappedScorer
from ..search._curve import Curve

Floats = NDArray[np.float64]

#: The tails of a target are heavy where this share of the rows, those farthest from the median,
#: has more than that share of the squared distances; of fewer rows than that nothing is said.
FARTHEST, MOST_SQUARES, FEWEST_ROWS = 0.01, 0.25, 50


@dataclass(frozen=True)
class HeldOutRows:
    """Predictions for some held-out rows.

    Parameters
    ----------
    rows : int array
    labels : array
        The classes or numbers predicted.
    sure : float64 array or None
        How sure the model is of the second of two classes.
    probability : bool
        Whether that is a probability, not a decision value.
    median : float
        The median target of the training rows, where it is a number.
    """

    rows: NDArray[np.intp]
    labels: NDArray[Any]
    sure: Floats | None = None
    probability: bool = False
    median: float = float("nan")

    @classmethod
    def of(cls, model: Any, X: Any, table: Table, split: Any) -> HeldOutRows:
        """Return what a fitted model predicts from the features of the test rows."""
        labels = np.asarray(model.predict(X))
        if table.classes is None:
            return cls(split[1], labels.ravel(), median=float(np.median(table.target[split[0]])))
        if table.n_classes != 2 or len(getattr(model, "classes_", ())) != 2:
            return cls(split[1], labels)
        if hasattr(model, "predict_proba"):
            return cls(split[1], labels, np.asarray(model.predict_proba(X))[:, 1], True)
        decide = getattr(model, "decision_function", None)
        return cls(split[1], labels, None if decide is None else np.asarray(decide(X)))


def is_wanted(table: Table) -> bool:
    """Return whether one number says too little: imbalanced classes, or a target of heavy tails."""
    if not table.in_memory or table.n_targets > 1:
        return False
    if table.classes is None:
        return tail_share(table.target) > MOST_SQUARES
    counts = np.bincount(table.target, minlength=table.n_classes)
    return bool(counts.max() > IMBALANCE * counts[counts > 0].min())


def tail_share(target: Floats) -> float:
    """Return the share of the squared distances from the median that the farthest rows have.

    >>> round(tail_share(np.r_[np.arange(-50.0, 50.0), 1000.0]), 2)
    0.92
    """
    squares = np.sort((target - np.median(target)) ** 2)
    if len(target) < FEWEST_ROWS or squares[-1] == 0:
        return 0.0
    far = max(1, round(FARTHEST * len(target)))
    return float(squares[-far:].sum() / squares.sum())


def fold_predictions(scorer: WrappedScorer, subset: NDArray[np.bool_], fold: int) -> HeldOutRows:
    """Return what the estimator, trained on a fold with a subset, predicts for its test rows."""
    model, X = scorer.model(subset, fold)
    split = scorer.splits[fold]
    return HeldOutRows.of(model, take_rows(X, split[1]), scorer.table, split)


def of_curve(curve: Curve, scorer: Any) -> dict[str, Any] | None:
    """Return what the predictions behind the honest score of a curve show.

    The features of each fold are those that the procedure chooses without its rows.
    """
    if not isinstance(scorer, RepeatedScorer) or not curve.supports or not is_wanted(scorer.table):
        return None
    referee, found = scorer.referee(), []
    for fold, features in enumerate(curve.supports):
        subset = np.zeros(scorer.table.n_features, dtype=bool)
        subset[features] = True
        found.append(fold_predictions(referee, subset, fold))
    return summarise(found, scorer.table)


def summarise(found: list[HeldOutRows], table: Table) -> dict[str, Any]:
    """Return recalls and a threshold of classes, or robust errors of numbers, as plain data."""
    if table.classes is None:
        return _robust(found, table)
    weight = checked_weights(table.metadata.get("sample_weight"), table.n_rows)
    rows = np.concatenate([one.rows for one in found])
    hits = np.concatenate([one.labels == table.classes[table.target[one.rows]] for one in found])
    own = np.bincount(table.target, minlength=table.n_classes)
    recalls = [
        {"label": str(label), "rows": int(own[c]), "recall": _share(hits, table, rows, weight, c)}
        for c, label in enumerate(table.classes)
        if (table.target[rows] == c).any()
    ]
    return {"recalls": recalls, "threshold": _threshold(found, table, weight)}


def _share(
    chosen: NDArray[np.bool_], table: Table, rows: NDArray[np.intp], weight: Floats, code: int
) -> float:
    """Return the weighted share of the rows of a class that are chosen."""
    own = table.target[rows] == code
    return float(np.average(chosen[own], weights=weight[rows][own]))


def _threshold(found: list[HeldOutRows], table: Table, weight: Floats) -> dict[str, Any] | None:
    """Return the threshold with the best balanced accuracy, and what it is worth.

    The recalls of each fold are those of the threshold that the other folds choose.
    """
    sures = [one.sure for one in found if one.sure is not None]
    if len(found) < 2 or len(sures) < len(found) or table.classes is None:
        return None
    rare = int(np.bincount(table.target, minlength=2).argmin())
    rows = np.concatenate([one.rows for one in found])
    sure: Floats = np.concatenate(sures) * (1 if rare else -1)
    fold = np.repeat(np.arange(len(found)), [len(one.rows) for one in found])
    positive, own = table.target[rows] == rare, weight[rows]
    flagged = np.zeros(len(rows), dtype=bool)
    for f in range(len(found)):
        test = fold == f
        cut = best_threshold(sure[~test], positive[~test], own[~test])
        flagged[test] = sure[test] >= cut
    shown = best_threshold(sure, positive, own)
    probability = all(one.probability for one in found)
    right, all_flagged = own[flagged & positive].sum(), own[flagged].sum()
    return {
        "label": str(table.classes[rare]),
        "other": str(table.classes[1 - rare]),
        "value": shown if rare else shown + probability,
        "probability": probability,
        "recall": _share(flagged, table, rows, weight, rare),
        "recall_of_other": _share(~flagged, table, rows, weight, 1 - rare),
        "precision": float(right / all_flagged) if all_flagged > 0 else 0.0,
    }


def best_threshold(sure: Floats, positive: NDArray[np.bool_], weight: Floats) -> float:
    """Return the value from which on rows are called positive with the best mean of both recalls.

    Of equally good ones the highest; it is half-way to the next lower value.

    >>> best_threshold(np.array([0.0, 0.25, 0.75]), np.array([False, False, True]), np.ones(3))
    0.5
    """
    values, codes = np.unique(-sure, return_inverse=True)
    gain = np.where(
        positive,
        weight / max(weight[positive].sum(), 1e-300),
        -weight / max(weight[~positive].sum(), 1e-300),
    )
    total = np.cumsum(np.bincount(codes, gain, len(values)))
    best = int(np.argmax(total > total.max() - 1e-12))
    after = values[min(best + 1, len(values) - 1)]
    return float(-(values[best] + after) / 2)


def _robust(found: list[HeldOutRows], table: Table) -> dict[str, Any]:
    """Return errors that a few rows cannot decide, beside those of the median."""
    rows = np.concatenate([one.rows for one in found])
    target = table.target[rows]
    weight = checked_weights(table.metadata.get("sample_weight"), table.n_rows)[rows]
    predicted = np.concatenate([one.labels for one in found]).astype(np.float64)
    guessed = np.concatenate([np.full(len(one.rows), one.median) for one in found])
    return {
        "median_absolute_error": weighted_median(np.abs(target - predicted), weight),
        "median_absolute_error_of_median": weighted_median(np.abs(target - guessed), weight),
        "rank_correlation": _rank_correlation(predicted, target, weight),
        "tail_share": tail_share(table.target),
    }


def weighted_median(values: Floats, weight: Floats) -> float:
    """Return the value with half of the weight on each side; between two values their mean.

    >>> weighted_median(np.array([1.0, 5.0, 2.0]), np.array([1.0, 1.0, 2.0]))
    2.0
    """
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weight[order])
    low = np.searchsorted(below, below[-1] / 2, side="left")
    high = min(np.searchsorted(below, below[-1] / 2, side="right"), len(values) - 1)
    return float((values[order[low]] + values[order[high]]) / 2)


def _rank_correlation(a: Floats, b: Floats, weight: Floats) -> float:
    spread = np.cov(rankdata(a), rankdata(b), aweights=weight)
    scale = np.sqrt(spread[0, 0] * spread[1, 1])
    return float(spread[0, 1] / scale) if scale > 0 else 0.0
