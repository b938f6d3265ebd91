"""Folds of linear models for steps: cross products are made for the columns that are asked for.

Only for models that have a twin with these parameters, which is asked where a step is in doubt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....data.table import Table
from ....kernels.linear.rules import ABSOLUTE, REGULARISED, RELATIVE
from ..responses import trained_labels
from ..splits import Split, Splits
from .borders import BorderedFold
from .columns import Columns, Floats, unscaled


def bordered_folds(estimator: Any, table: Table, splits: Splits) -> list[BorderedFold] | None:
    """The folds of LinearDiscriminantAnalysis, LinearRegression, Ridge or RidgeClassifier."""
    model, scaled = unscaled(estimator)
    columns = Columns.of(table, most=table.n_features)
    if columns is None:
        return None
    build = _discriminant if hasattr(model, "covariance_estimator") else _regression
    return [build(columns, table, split, model, scaled) for split in splits]


def _discriminant(
    columns: Columns, table: Table, split: Split, model: Any, scaled: bool
) -> BorderedFold:
    train, labels = split[0], trained_labels(table, split)
    values, target = columns.values[train], table.target[train]
    member = (target == labels[:, None]).astype(np.float64)
    share = member.mean(axis=1)
    means = member @ values / member.sum(axis=1, keepdims=True)
    values -= means[np.searchsorted(labels, target)]
    values /= np.sqrt(len(train))
    dead = columns.constant_within(split, table.target)
    by_svd = model.solver == "svd"
    centre = share @ means if by_svd else -columns.centre
    means = means - centre
    right, middle, offset = means, means, np.log(share)
    if len(labels) == 2:
        right, middle = means[1:] - means[:1], means[1:] + means[:1]
        offset = offset[1:] - offset[:1]
    size = np.sqrt(np.maximum(np.einsum("ij,ij->j", values, values), 1e-300))
    return BorderedFold(
        rows=split[1],
        labels=labels,
        trained=values,
        x=np.ascontiguousarray((columns.values[split[1]] - centre).T),
        ridge=np.zeros(len(size)),
        right=right,
        unit=1.0 / size if by_svd else _units(columns, train, scaled),
        rank_rule=ABSOLUTE if by_svd else REGULARISED,
        cut=float(model.tol) ** 2 if by_svd else 0.0,
        odd=dead,
        middle=middle,
        offset=offset,
        shares=share if by_svd and len(labels) > 2 else None,
        rough=0.0 if by_svd else 64.0,
    )


def _regression(
    columns: Columns, table: Table, split: Split, model: Any, scaled: bool
) -> BorderedFold:
    train = split[0]
    values, labels = columns.values[train], np.empty(0, dtype=np.int64)
    targets = table.target[:, None].astype(np.float64)
    if table.classes is not None:
        labels = trained_labels(table, split)
        targets = np.where(table.target[:, None] == labels, 1.0, -1.0)
        targets = targets[:, 1:] if len(labels) == 2 else targets
    mean, offset = values.mean(axis=0), targets[train].mean(axis=0)
    values -= mean
    right = (targets[train] - offset).T @ values
    alpha = getattr(model, "alpha", None)
    unit = _units(columns, train, scaled)
    return BorderedFold(
        rows=split[1],
        labels=labels,
        trained=values,
        x=np.ascontiguousarray((columns.values[split[1]] - mean).T),
        ridge=(0.0 if alpha is None else float(alpha)) / unit**2,
        right=right,
        unit=unit,
        rank_rule=RELATIVE if alpha is None else REGULARISED,
        cut=float(model.tol) ** 2 if alpha is None else 0.0,
        odd=columns.constant(split),
        middle=np.zeros(right.shape),
        offset=offset,
    )


def _units(columns: Columns, train: Any, scaled: bool) -> Floats:
    """What one of each column is to the model: a standard deviation, or as given."""
    if not scaled:
        return columns.size
    spread = columns.values[train].std(axis=0)
    return np.where(spread > 1e-12, 1.0 / np.maximum(spread, 1e-300), columns.size)
