"""The twins of LinearRegression, Ridge and RidgeClassifier."""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....data.moments import Moments, training_moments
from ....data.table import Table
from ....kernels.linear.rules import REGULARISED, RELATIVE
from ..responses import trained_labels
from ..splits import Split, Splits
from .columns import Columns, Floats, unscaled
from .fold import LinearFold, PlainRows, Squares


def linear_regression_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[LinearFold] | None:
    """LinearRegression, which cuts singular values below ``tol`` of the largest."""
    model, scaled = unscaled(estimator)
    tol = getattr(model, "tol", -1.0)
    if model.positive or not model.fit_intercept or not _number(tol, 1e-9, 1e-2):
        return None
    return _regressions(table, splits, weight, scaled, 0.0, RELATIVE, float(tol) ** 2)


def ridge_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[LinearFold] | None:
    """Ridge by a solver in closed form."""
    model, scaled = unscaled(estimator)
    if not _plain_ridge(model):
        return None
    return _regressions(table, splits, weight, scaled, float(model.alpha), REGULARISED, 0.0)


def ridge_classifier_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[LinearFold] | None:
    """RidgeClassifier: a ridge regression of each class on -1 and 1."""
    model, scaled = unscaled(estimator)
    columns = Columns.of(table)
    if not _plain_ridge(model) or model.class_weight is not None or columns is None:
        return None
    return [
        _classifier(columns, table, split, weight, scaled, float(model.alpha)) for split in splits
    ]


def _plain_ridge(model: Any) -> bool:
    closed = model.solver in ("auto", "cholesky", "svd")
    return closed and model.fit_intercept and not model.positive and _number(model.alpha, 0, np.inf)


def _number(value: Any, low: float, high: float) -> bool:
    real = isinstance(value, Real) and not isinstance(value, bool)
    return real and low <= float(value) < high


def _regressions(
    table: Table,
    splits: Splits,
    weight: Floats | None,
    scaled: bool,
    alpha: float,
    rank_rule: int,
    cut: float,
) -> list[LinearFold] | None:
    columns = Columns.of(table)
    if columns is None or table.classes is not None:
        return None
    target = table.target.astype(np.float64)
    both = np.column_stack([columns.values, target - target.mean()])
    found = training_moments(both, splits, weight=weight)
    tests = found if weight is None else training_moments(both, splits)
    folds = []
    for number, ((train, _), (_, test)) in enumerate(zip(found, tests, strict=True)):
        split = splits[number]
        d, unit = len(columns.size), columns.units(train, scaled)
        away = test.about(train.mean[0])
        squares = Squares(_own(away[:d, :d]), _own(away[:d, d]), float(away[d, d]))
        folds.append(
            _fold(
                columns, split, train, train.scatter[0][:d, d][None],
                train.mean[0][d:] + target.mean(), unit, alpha, squares, rank_rule, cut,
            )
        )  # fmt: skip
        if rank_rule == RELATIVE:
            make = partial(_centred, both, splits, number, weight, train.mean[0], unit)
            folds[-1].plain = PlainRows(make, True, 1e-6)
    return folds


def _classifier(
    columns: Columns, table: Table, split: Split, weight: Floats | None, scaled: bool, alpha: float
) -> LinearFold:
    labels = trained_labels(table, split)
    coded = np.where(table.target[:, None] == labels, 1.0, -1.0)
    coded = coded[:, 1:] if len(labels) == 2 else coded
    both = np.column_stack([columns.values, coded])
    ((train, _),) = training_moments(both, [split], weight=weight)
    d = len(columns.size)
    fold = _fold(
        columns, split, train, train.scatter[0][d:, :d], train.mean[0][d:],
        columns.units(train, scaled), alpha, None, REGULARISED, 0.0,
    )  # fmt: skip
    fold.labels = labels
    return fold


def _fold(
    columns: Columns,
    split: Split,
    train: Moments,
    right: Floats,
    offset: Floats,
    unit: Floats,
    alpha: float,
    squares: Squares | None,
    rank_rule: int,
    cut: float,
) -> LinearFold:
    d = len(columns.size)
    x = columns.values[split[1]] - train.mean[0][:d]
    nothing = np.zeros(d, dtype=bool)
    return LinearFold(
        rows=split[1],
        labels=np.empty(0, dtype=np.int64),
        x=x.T,
        gram=_own(train.scatter[0][:d, :d]),
        ridge=alpha / unit**2,
        right=_own(right),
        unit=unit,
        rank_rule=rank_rule,
        cut=cut,
        dead=columns.constant(split),
        suspect=nothing,
        middle=np.zeros(right.shape),
        offset=_own(offset),
        squares=squares,
    )


def _centred(
    both: Floats, splits: Splits, fold: int, weight: Floats | None, mean: Floats, unit: Floats
) -> tuple[Floats, Floats]:
    """The training rows about their means, in the units of the model, and their targets."""
    train = splits[fold][0]
    rows = both[train] - mean
    rows[:, : len(unit)] *= unit
    if weight is not None:
        rows *= np.sqrt(weight[train])[:, None]
    return rows[:, : len(unit)], rows[:, len(unit) :]


def _own(values: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(values, dtype=np.float64)
