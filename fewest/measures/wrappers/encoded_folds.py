"""The rows of the folds as the classifiers of the house encode them: by what training shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...classifiers.base import Rows
from ...data.rows import take_rows
from ...data.schema import Schema, learn_encode
from .wrapped import WrappedScorer


@dataclass(frozen=True, eq=False)
class EncodedFold:
    """What a classifier learns from in one fold, and what it is asked.

    Parameters
    ----------
    rows : Rows
        The training rows; classes that they do not have are left out of the numbering.
    schema : Schema
        What the training rows have taught: the levels of nominal features.
    values : float64 array of shape (all rows, features)
        All rows of the table, encoded; a level that training does not know is unknown.
    truth : int64 array of shape (test rows,)
        The classes of the test rows, -1 for one that training does not have.
    train, test : arrays of row positions
    """

    rows: Rows
    schema: Schema
    values: NDArray[np.float64]
    truth: NDArray[np.int64]
    train: NDArray[Any]
    test: NDArray[Any]


def encoded_folds(slow: WrappedScorer) -> list[EncodedFold]:
    """Every fold, encoded with all features."""
    nominal = np.flatnonzero(slow.table.nominal).tolist() if slow.takes_nominal else None
    return [_fold(slow, nominal, *split) for split in slow.splits]


def _fold(
    slow: WrappedScorer, nominal: list[int] | None, train: NDArray[Any], test: NDArray[Any]
) -> EncodedFold:
    schema, seen = learn_encode(take_rows(slow.X, train), nominal)
    classes, target = np.unique(slow.table.target[train], return_inverse=True)
    sizes = [0 if levels is None else max(len(levels), 1) for levels in schema.levels]
    rows = Rows(
        seen, np.array(sizes, np.int64), target.astype(np.int64), np.ones(len(seen)), len(classes)
    )
    asked = slow.table.target[test]
    place = np.minimum(np.searchsorted(classes, asked), len(classes) - 1)
    truth = np.where(classes[place] == asked, place, -1).astype(np.int64)
    return EncodedFold(rows, schema, schema.encode(slow.X), truth, train, test)
