"""Metrics of predicted classes, from the confusion counts of a batch of candidates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
