"""Columns as linear twins see them: standardised once, with what folds must know of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from ....data.blocks import row_blocks
from ....data.moments import Moments
from ....data.table import Table
from ..additive import plain_numbers
from ..splits import Split

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: More columns than this are too many for a matrix of all pairs per fold.
MOST_COLUMNS = 1200


def unscaled(estimator: Any) -> tuple[Any, bool]:
    """The model itself, and whether a StandardScaler comes before it in a Pipeline."""
    if not isinstance(estimator, Pipeline):
        return estimator, False
    return estimator.steps[-1][1], True


def is_scaled_pipeline(estimator: Any) -> bool:
    """Whether it is a Pipeline of a StandardScaler with its defaults and a model."""
    if type(estimator) is not Pipeline or len(estimator.steps) != 2:
        return False
    scaler = estimator.steps[0][1]
    plain = type(scaler) is StandardScaler and scaler.with_mean and scaler.with_std
    return bool(plain and estimator.memory is None)


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a table about their means, in units of their standard deviations.

    Parameters
    ----------
    values : float64 array of shape (rows, columns)
    size : float64 array of shape (columns,)
        The standard deviations, 1 for constant columns.
    centre : float64 array of shape (columns,)
        The means in these units.
    exact : bool array of shape (columns,)
        Columns whose sums are exact: a mean of equal values is that value to the last bit.
    """

    values: Floats
    size: Floats
    centre: Floats
    exact: Bools

    @staticmethod
    def of(table: Table, most: int = MOST_COLUMNS) -> Columns | None:
        """The columns of a table of known numbers, of which there are not too many."""
        X = plain_numbers(table)
        if X is None or X.shape[1] > most or not np.isfinite(X).all():
            return None
        mean, size = X.mean(axis=0), X.std(axis=0)
        largest = np.maximum(X.max(axis=0), -X.min(axis=0))
        # A column whose spread is rounding alone is constant.
        size = np.where(size > 1e-12 * largest, size, 1.0)
        exact = (largest < 2.0**26) & np.logical_and.reduce(
            [_short(X[rows] * 1024.0) for rows in row_blocks(len(X))]
        )
        values = X - mean
        values /= size
        return Columns(values, size, mean / size, exact)

    def units(self, train: Moments, scaled: bool) -> Floats:
        """What one of each column is to the model: a standard deviation, or as given."""
        if not scaled:
            return self.size
        whole = train.together()
        square = np.maximum(np.diagonal(whole.scatter[0]), 0.0)[: len(self.size)]
        spread = np.sqrt(square / whole.weight[0])
        return np.where(spread > 1e-12, 1.0 / np.maximum(spread, 1e-300), self.size)

    def constant(self, split: Split) -> Bools:
        """Columns that are constant in the training rows."""
        part = self.values[split[0]]
        return np.asarray(part.max(axis=0) == part.min(axis=0))

    def constant_within(self, split: Split, target: NDArray[np.int64]) -> Bools:
        """Columns that are constant in the training rows of every class."""
        train = split[0]
        still = np.ones(self.values.shape[1], dtype=bool)
        for c in np.unique(target[train]):
            part = self.values[train[target[train] == c]]
            still &= part.max(axis=0) == part.min(axis=0)
        return still


def _short(values: Floats) -> Bools:
    """Columns of whole numbers."""
    return np.asarray((np.trunc(values) == values).all(axis=0))
