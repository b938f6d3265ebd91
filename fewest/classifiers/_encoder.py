"""TableEncoder: a table of numbers, labels and unknown values as numbers for any model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from .._parameters import Parameters, TakesAnyTable, TransformerMixin, whole
from ..data._feature_names import Features
from ..data._schema import Schema, learn_encode
from ._base import checked_table


@dataclass(eq=False, repr=False)
class TableEncoder(TakesAnyTable, TransformerMixin, Parameters):
    """Turn a table into numbers: continuous columns scaled, nominal ones as dummies.

    A continuous column has mean 0 and standard deviation 1 in the training rows; an unknown value
    becomes the mean. A nominal column becomes one column per level of the training rows, which is
    1 where the value is that level; an unknown value, or a level that training did not have, is 0
    in all of them. Every column is treated on its own, so that a subset of the columns is encoded
    as it is within the whole table.

    Parameters
    ----------
    max_levels : int or None, default None
        Of a nominal column with more levels than this in the training rows, only the most frequent
        get a column (of equally frequent ones, the first in order). The others are treated as
        levels that training did not have. None: every level gets a column.

    Attributes
    ----------
    schema_ : Schema
        Names, kinds and levels of the columns.
    frequent_ : tuple
        For each nominal column the codes of the levels that have a column of the output; None for
        a continuous one.
    owner_ : intp array
        The column of ``X`` that each column of the output comes from.

    Examples
    --------
    >>> X = np.array([[1.5, "red"], [3.5, "blue"], [2.5, "red"]], dtype=object)
    >>> TableEncoder().fit_transform(X).round(2)
    array([[-1.22,  0.  ,  1.  ],
           [ 1.22,  1.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  ]])
    >>> TableEncoder(max_levels=1).fit_transform(X).round(2)
    array([[-1.22,  1.  ],
           [ 1.22,  0.  ],
           [ 0.  ,  1.  ]])
    """

    max_levels: int | None = whole(None, low=1, optional=True)

    def fit(self, X: Any, y: Any = None, *, nominal: Features | None = None) -> Self:
        """Learn the levels of nominal columns, and mean and spread of the others.

        Parameters
        ----------
        X : frame or array of shape (rows, columns)
        y : ignored
        nominal : numeric columns to treat as categories: names, positions, patterns, ...
        """
        self.check_parameters()
        X = checked_table(self, X, reset=True)
        self.schema_: Schema
        self.schema_, values = learn_encode(X, nominal)
        known = ~np.isnan(values)
        count = np.maximum(known.sum(axis=0), 1)
        self.mean_: NDArray[np.float64] = np.where(known, values, 0.0).sum(axis=0) / count
        away = np.where(known, values - self.mean_, 0.0)
        spread = np.sqrt((away**2).sum(axis=0) / count)
        # A spread of rounding alone is none.
        tiny = 10.0 * np.finfo(np.float64).eps * np.abs(self.mean_)
        self.scale_: NDArray[np.float64] = np.where(spread > tiny, spread, 1.0)
        self.frequent_: tuple[NDArray[np.intp] | None, ...] = tuple(
            None if levels is None else _frequent(values[:, j], len(levels), self.max_levels)
            for j, levels in enumerate(self.schema_.levels)
        )
        sizes = [1 if codes is None else len(codes) for codes in self.frequent_]
        self.owner_: NDArray[np.int_] = np.repeat(np.arange(len(sizes)), sizes)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return the table as numbers.

        Parameters
        ----------
        X : frame or array of shape (rows, columns)
        """
        check_is_fitted(self, "schema_")
        values = self.schema_.encode(checked_table(self, X, reset=False))
        scaled = np.nan_to_num((values - self.mean_) / self.scale_, nan=0.0)
        if all(codes is None for codes in self.frequent_):
            return scaled
        parts = [
            scaled[:, [j]] if codes is None else (values[:, j, None] == codes).astype(np.float64)
            for j, codes in enumerate(self.frequent_)
        ]
        return np.hstack(parts)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the name of every column of the output: ``colour_red`` for a level."""
        check_is_fitted(self, "schema_")
        names = []
        for j, (name, codes) in enumerate(zip(self.schema_.names, self.frequent_, strict=True)):
            levels = self.schema_.levels[j] or ()
            names += [name] if codes is None else [f"{name}_{levels[c]}" for c in codes]
        return np.array(names, dtype=object)


def _frequent(column: NDArray[np.float64], size: int, most: int | None) -> NDArray[np.intp]:
    """Return the codes of the most frequent levels in ascending order; of all if none is given."""
    if most is None or size <= most:
        return np.arange(size)
    counts = np.bincount(column[~np.isnan(column)].astype(np.intp), minlength=size)
    return np.sort(np.argsort(-counts, kind="stable")[:most])
