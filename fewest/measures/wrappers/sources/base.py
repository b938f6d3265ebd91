"""Base class of sources: numbers by fold, and which feature each column belongs to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....data.table import Table
from ..folds import Splits

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Density:
    """How full the columns of a fold are, where a pipeline makes some of them as a sparse matrix.

    Parameters
    ----------
    owner : intp array of shape (columns,)
    stored : int64 array of shape (columns,)
        Values of the training rows that are stored: those other than 0 if the column is sparse.
    rows : int
        Number of training rows.
    always : bool array of shape (features,)
        Features that make every candidate sparse.
    sparse : bool array of shape (features,)
        Features that make a candidate sparse if fewer of its values are stored than a share.
    threshold : float
        That share.
    """

    owner: NDArray[np.intp]
    stored: NDArray[np.int64]
    rows: int
    always: Bools
    sparse: Bools
    threshold: float

    def stay_sparse(self, candidates: Bools) -> Bools:
        """Return which candidates are sparse, as a ColumnTransformer decides it."""
        masks = candidates[:, self.owner]
        stored = masks @ self.stored / np.maximum(1, self.rows * masks.sum(axis=1))
        few = (candidates & self.sparse).any(axis=1) & (stored < self.threshold)
        return np.asarray(few | (candidates & self.always).any(axis=1))


@dataclass(frozen=True, eq=False)
class Columns:
    """All rows of a table as the last step of an estimator sees them in one fold.

    A feature is a block of columns: a number is one column, a nominal feature after a
    OneHotEncoder has one column per level.

    Parameters
    ----------
    values : float64 array of shape (rows, columns), C order
    owner : intp array of shape (columns,)
        The feature that each column belongs to.
    unusable : bool array of shape (features,)
        Features that hold what a matrix of numbers cannot: labels without an encoder, unknown or
        infinite values. Their columns are zero or absent; candidates with one of them go to the
        referee.
    density : Density or None
        Says which candidates reach the model as a sparse matrix; None where none does.
    """

    values: Floats
    owner: NDArray[np.intp]
    unusable: Bools
    density: Density | None = None

    def expand(self, candidates: Bools) -> Bools:
        """Return masks over the columns from masks over the features."""
        return np.ascontiguousarray(candidates[:, self.owner])

    def unsure(self, candidates: Bools) -> Bools:
        """Return which candidates only the estimator can answer for.

        Those with an unusable feature, and those without any column.
        """
        lost = (candidates & self.unusable).any(axis=1)
        return np.asarray(lost | ~candidates[:, self.owner].any(axis=1))

    def stay_sparse(self, candidates: Bools) -> Bools:
        """Return which candidates reach the model as a sparse matrix."""
        if self.density is None:
            return np.zeros(len(candidates), dtype=bool)
        return self.density.stay_sparse(candidates)


class Source(ABC):
    """The columns that the last step of an estimator sees, in every fold.

    Attributes
    ----------
    table : Table
    splits : Splits
    precision : float
        Relative rounding error of the type in which the estimator calculates: that of float64,
        or of float32 where the columns are float32.
    shared : bool
        Whether all folds see the same numbers, because nothing before the model learns.
    """

    table: Table
    splits: Splits
    precision: float
    shared: bool

    @abstractmethod
    def columns(self, fold: int) -> Columns:
        """Return all rows as fold ``fold`` sees them.

        Made anew at every call unless ``shared``: ask once per fold, while binding.
        """
