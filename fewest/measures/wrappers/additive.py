"""What older scorers read of a table: numbers, and the classes that folds train on."""

from __future__ import annotations

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from ...data.columns import is_frame
from ...data.table import Table
from .splits import Split, Splits

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def trained_target(table: Table, split: Split) -> Ints:
    """The classes of the training rows, numbered from 0 without gaps."""
    number: Ints = np.cumsum(_seen(table, split[0]), dtype=np.int64) - 1
    return np.asarray(number[table.target[split[0]]])


def fewest_trained(table: Table, splits: Splits) -> int:
    """The smallest number of classes that the training rows of a fold show."""
    return min(int(_seen(table, train).sum()) for train, _ in splits)


def _seen(table: Table, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which classes some rows show."""
    return np.bincount(table.target[rows], minlength=table.n_classes) > 0


def plain_numbers(table: Table) -> Floats | None:
    """The values as a scikit-learn estimator of numbers gets them; None where it would not.

    None also for float32, in which such an estimator would calculate, and for sparse columns.
    """
    if not _holds_doubles(table) or table.incomplete.any():
        return None
    values = table.doubles
    if table.X is None or not table.nominal.any():
        return values
    values = values.copy()
    for j in np.flatnonzero(table.nominal):
        levels = np.array(table.levels[j])
        if levels.dtype.kind not in "biuf":
            return None
        values[:, j] = levels[values[:, j].astype(np.intp)]
    return values


def _holds_doubles(table: Table) -> bool:
    X = table.X
    if X is None:
        return True
    if is_frame(X):
        kinds = nw.from_native(X, eager_only=True).schema.values()
        return all(k.is_integer() or k in (nw.Float64, nw.Boolean) for k in kinds)
    return isinstance(X, np.ndarray) and (X.dtype.kind in "biu" or X.dtype == np.float64)
