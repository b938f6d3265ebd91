"""Base class of classifiers over nominal, continuous and unknown values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from .._errors import InputError
from .._parameters import ClassifierMixin, Parameters, TakesAnyTable
from ..data._columns import is_frame
from ..data._feature_names import Features
from ..data._schema import Schema, learn_encode
from ..data._table import checked_weights

Floats = NDArray[np.float64]


def checked_table(estimator: Any, X: Any, reset: bool) -> Any:
    """Return ``X`` with its names and dtypes, after scikit-learn's own checks of its shape."""
    if not is_frame(X) and not isinstance(X, (list, tuple)):
        labels = hasattr(X, "dtype") and X.dtype.kind in "OUSTb"
        X = check_array(
            X,
            dtype=None,
            ensure_all_finite=False if labels else "allow-nan",
            estimator=estimator,
            input_name="X",
        )
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return X


def known_target(estimator: Any, y: Any) -> Any:
    """Return ``y``, which must not be None."""
    if y is None:
        raise InputError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    return y


@dataclass(frozen=True, eq=False)
class Rows:
    """Encoded training rows: what a classifier learns from.

    Parameters
    ----------
    values : float64 array of shape (rows, features)
        Continuous values, level codes of nominal ones, NaN where unknown.
    cardinalities : int64 array of shape (features,)
        Number of levels of each nominal feature; 0 for a continuous one.
    target : int64 array of shape (rows,)
    weight : float64 array of shape (rows,)
    n_classes : int
    """

    values: Floats
    cardinalities: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: Floats
    n_classes: int

    @property
    def nominal(self) -> NDArray[np.bool_]:
        """Flags of the nominal features."""
        return self.cardinalities > 0

    @property
    def class_weights(self) -> Floats:
        """Total weight of each class."""
        return np.bincount(self.target, self.weight, self.n_classes).astype(np.float64)

    def weights_by(self, cell: NDArray[np.int64], n_cells: int) -> Floats:
        """Return the weight of each class in each cell, given the cell of each row."""
        size = n_cells * self.n_classes
        flat = np.bincount(cell * self.n_classes + self.target, self.weight, minlength=size)
        return flat.reshape(n_cells, self.n_classes).astype(np.float64)

    def take(self, rows: NDArray[Any]) -> Rows:
        """Return the table with only these rows."""
        return Rows(
            self.values[rows],
            self.cardinalities,
            self.target[rows],
            self.weight[rows],
            self.n_classes,
        )

    def columns(self, part: slice) -> Rows:
        """Only these columns."""
        return replace(self, values=self.values[:, part], cardinalities=self.cardinalities[part])


class TableClassifier(TakesAnyTable, ClassifierMixin, Parameters, ABC):
    """Base of the classifiers that learn from encoded rows.

    A subclass is a dataclass of its parameters with two methods: ``_learn(rows)`` sets the
    fitted attributes, ``_chances(values)`` gives class probabilities of encoded rows.
    """

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        nominal: Features | None = None,
    ) -> Self:
        """Learn from a frame or an array.

        Parameters
        ----------
        X : frame or array of shape (rows, features)
            Strings, categories and booleans are nominal; NaN and None are unknown.
        y : array of shape (rows,)
        sample_weight : array of shape (rows,), optional
        nominal : numeric columns to treat as categories: names, positions, patterns, ...
        """
        self.check_parameters()
        X = checked_table(self, X, reset=True)
        y = column_or_1d(known_target(self, y), warn=True)
        check_classification_targets(y)
        self.classes_: NDArray[Any]
        self.schema_: Schema
        self.classes_, target = np.unique(y, return_inverse=True)
        self.schema_, values = self._read(X, nominal)
        if len(values) != len(target):
            raise InputError(
                f"`X` and `y` must have the same number of rows, but have {len(values)} "
                f"and {len(target)}."
            )
        self._refuse_unknown(values, range(values.shape[1]))
        weight = checked_weights(sample_weight, len(values))
        sizes = [0 if levels is None else max(len(levels), 1) for levels in self.schema_.levels]
        rows = Rows(values, np.array(sizes, np.int64), target, weight, len(self.classes_))
        kept = np.flatnonzero(weight)
        self._learn(rows if len(kept) == len(weight) else rows.take(kept))
        return self

    def _read(self, X: Any, nominal: Features | None) -> tuple[Schema, Floats]:
        """Return the schema and the encoded values, in an array of their own."""
        return learn_encode(X, nominal)

    @abstractmethod
    def _learn(self, rows: Rows) -> None:
        """Set the fitted attributes."""

    @abstractmethod
    def _chances(self, values: Floats) -> Floats:
        """Return class probabilities of encoded rows, shape (rows, classes)."""

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, shape (rows, classes)."""
        check_is_fitted(self)
        values = self.schema_.encode(checked_table(self, X, reset=False))
        # A level that training did not show is encoded as unknown too, and that is no mistake.
        continuous = [j for j, levels in enumerate(self.schema_.levels) if levels is None]
        self._refuse_unknown(values, continuous)
        return self._chances(values)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        chances = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[chances.argmax(axis=1)]
        return labels

    def _refuse_unknown(self, values: Floats, columns: Iterable[int]) -> None:
        if not self.refuses_unknown:
            return
        found = [self.schema_.names[j] for j in columns if np.isnan(values[:, j]).any()]
        if not found:
            return
        raise InputError(
            f"`X` of {type(self).__name__} must not hold unknown values (NaN), because "
            f"{self.refuses_unknown}, but {', '.join(map(repr, found[:3]))} "
            f"{'has' if len(found) == 1 else 'have'} some; fill them in first."
        )


class UnweightedClassifier(TableClassifier):
    """Base of the classifiers whose method has no weights of rows."""

    def fit(self, X: Any, y: Any, nominal: Features | None = None) -> Self:  # type: ignore[override]
        """Learn from a frame or an array.

        Parameters
        ----------
        X : frame or array of shape (rows, features)
            Strings, categories and booleans are nominal; NaN and None are unknown.
        y : array of shape (rows,)
        nominal : numeric columns to treat as categories, optional
        """
        return super().fit(X, y, nominal=nominal)


def shares(counts: Floats, prior: Floats) -> Floats:
    """Turn counts by class into probabilities; where there are none, return those of ``prior``."""
    total = counts.sum(axis=-1, keepdims=True)
    filled = np.where(total > 0.0, counts, prior)
    out: Floats = filled / filled.sum(axis=-1, keepdims=True)
    return out
