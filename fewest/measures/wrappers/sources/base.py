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
    """

    values: Floats
    owner: NDArray[np.intp]
    unusable: Bools

    def expand(self, candidates: Bools) -> Bools:
        """Return masks over the columns from masks over the features."""
        return np.ascontiguousarray(candidates[:, self.owner])

    def unsure(self, candidates: Bools) -> Bools:
        """Return which candidates only the estimator can answer for.

        Those with an unusable feature, and those without any column.
        """
        lost = (candidates & self.unusable).any(axis=1)
        return np.asarray(lost | ~candidates[:, self.owner].any(axis=1))


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
