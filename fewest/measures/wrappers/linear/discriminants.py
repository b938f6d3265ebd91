"""The twins of LinearDiscriminantAnalysis and QuadraticDiscriminantAnalysis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from ....data.moments import Moments, training_moments
from ....data.table import Table
from ....kernels.linear.quadratic import quadratic_values
from ....kernels.linear.rules import ABSOLUTE, REGULARISED
from ....kernels.scoring.probabilities import ODDS
from ....kernels.scoring.ranks import row_keys
from ..additive import fewest_trained
from ..metrics.metric import Ints, Responses
from ..responses import FoldTwin, trained_labels
from ..splits import Split, Splits
from .columns import Bools, Columns, Floats, unscaled
from .fold import LinearFold, PlainRows

#: Before this version scikit-learn divided the covariance by another number.
SINCE = (1, 9)


def _supported(table: Table, splits: Splits, weight: Floats | None) -> bool:
    version = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
    return version >= SINCE and weight is None and fewest_trained(table, splits) >= 2


def _number(value: Any, low: float, high: float) -> bool:
    real = isinstance(value, Real) and not isinstance(value, bool)
    return real and low <= float(value) <= high


def linear_discriminant_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[LinearFold] | None:
    """LinearDiscriminantAnalysis by singular values or least squares, without shrinkage."""
    model, scaled = unscaled(estimator)
    plain = model.solver in ("svd", "lsqr") and model.shrinkage is None and model.priors is None
    plain = plain and model.covariance_estimator is None and model.n_components is None
    columns = Columns.of(table)
    if not plain or columns is None or not _supported(table, splits, weight):
        return None
    if model.solver == "svd" and not _number(model.tol, 1e-6, 0.1):
        return None
    found = training_moments(columns.values, splits, table.target, table.n_classes)
    cut = float(model.tol) ** 2 if model.solver == "svd" else None
    return [
        _linear(columns, table, splits, fold, train, scaled, cut)
        for fold, (train, _) in enumerate(found)
    ]


def _linear(
    columns: Columns,
    table: Table,
    splits: Splits,
    fold: int,
    train: Moments,
    scaled: bool,
    cut: float | None,
) -> LinearFold:
    """The rules of a fold; ``cut`` is None for least squares."""
    split = splits[fold]
    labels = trained_labels(table, split)
    share = train.weight[labels] / train.weight.sum()
    centre = share @ train.mean[labels] if cut is not None else -columns.centre
    means, total = train.mean[labels] - centre, train.weight.sum()
    gram = train.within() / total
    dead = columns.constant_within(split, table.target)
    # A scaler makes numbers whose sums are rounded, but of a constant column it makes zeros.
    exact = columns.exact & (columns.constant(split) if scaled else True)
    size = np.sqrt(np.maximum(np.diagonal(gram), 1e-300))
    right, middle, offset = means, means, np.log(share)
    if len(labels) == 2:
        right, middle, offset = (
            means[1:] - means[:1],
            means[1:] + means[:1],
            offset[1:] - offset[:1],
        )
    several = len(labels) > 2 and cut is not None
    unit = columns.units(train, scaled)
    if cut is not None:
        unit = np.where(dead, 1.0, 1.0 / size)
    return LinearFold(
        rows=split[1],
        labels=labels,
        x=(columns.values[split[1]] - centre).T,
        gram=np.ascontiguousarray(gram),
        ridge=np.zeros(len(size)),
        right=np.ascontiguousarray(right),
        unit=unit,
        rank_rule=REGULARISED if cut is None else ABSOLUTE,
        cut=0.0 if cut is None else cut,
        dead=dead,
        suspect=dead & ~exact,
        middle=np.ascontiguousarray(middle),
        offset=np.ascontiguousarray(offset),
        shares=share if several else None,
        rough=64.0 if cut is None else 0.0,
        plain=None if cut is None else _plain(columns, table, splits, fold, train, unit),
    )


def _plain(
    columns: Columns, table: Table, splits: Splits, fold: int, train: Moments, unit: Floats
) -> PlainRows:
    """The training rows about the means of their classes, in standard deviations."""
    make = partial(_centred, columns, table.target, splits, fold, train.mean, unit)
    return PlainRows(make, False, 1e-5)


def _centred(
    columns: Columns, target: Ints, splits: Splits, fold: int, mean: Floats, unit: Floats
) -> tuple[Floats, None]:
    rows = splits[fold][0]
    values = columns.values[rows] - mean[target[rows]]
    return values * unit / np.sqrt(len(rows)), None


@dataclass(eq=False)
class QuadraticFold(FoldTwin):
    """Normal densities with a covariance matrix per class."""

    rows: NDArray[np.intp]
    labels: Ints
    x: Floats
    covariance: Floats
    ridge: Floats
    mean: Floats
    log_prior: Floats
    unit: Floats
    cut: float
    suspect: Bools
    hopeless: bool

    def __post_init__(self) -> None:
        self.outputs = len(self.log_prior)
        self.x = np.ascontiguousarray(self.x)

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Log-densities of the classes."""
        m, n = len(candidates), len(self.rows)
        values, slack = np.zeros((m, self.outputs, n)), np.empty((m, n))
        unsure = (candidates & self.suspect).any(axis=1) | self.hopeless
        quadratic_values(
            self.covariance, self.ridge, self.mean, self.log_prior, self.x, self.unit, self.cut,
            candidates, values, slack, unsure,
        )  # fmt: skip

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys((self.x + 0.0).view(np.int64), candidates[some]))

        return Responses(values, slack, False, ODDS, keys), np.asarray(unsure)


def quadratic_discriminant_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[QuadraticFold] | None:
    """QuadraticDiscriminantAnalysis by singular values."""
    model, scaled = unscaled(estimator)
    plain = getattr(model, "solver", "") == "svd" and model.priors is None
    plain = plain and model.shrinkage is None and model.covariance_estimator is None
    plain = plain and _number(model.reg_param, 0.0, 1.0) and _number(model.tol, 0.0, np.inf)
    columns = Columns.of(table)
    if not plain or columns is None or not _supported(table, splits, weight):
        return None
    found = training_moments(columns.values, splits, table.target, table.n_classes)
    return [
        _quadratic(columns, table, split, train, columns.units(train, scaled), model)
        for split, (train, _) in zip(splits, found, strict=True)
    ]


def _quadratic(
    columns: Columns, table: Table, split: Split, train: Moments, unit: Floats, model: Any
) -> QuadraticFold:
    labels = trained_labels(table, split)
    count, share = train.weight[labels], float(model.reg_param)
    still = np.zeros(len(unit), dtype=bool)
    for c in labels:
        part = columns.values[split[0]][table.target[split[0]] == c]
        still |= part.max(axis=0) == part.min(axis=0)
    return QuadraticFold(
        rows=split[1],
        labels=labels,
        x=columns.values[split[1]].T,
        covariance=(1.0 - share) * train.scatter[labels] / count[:, None, None],
        ridge=share / unit**2,
        mean=np.ascontiguousarray(train.mean[labels]),
        log_prior=np.log(count / count.sum()),
        unit=unit,
        cut=float(model.tol),
        suspect=still & (share == 0.0),
        hopeless=bool((count < 2.0).any()),
    )
