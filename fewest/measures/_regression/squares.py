"""Cross products of a table with a numeric target, all that least squares needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError
from ..._kernels.linear.residuals import residual_squares
from ...data._table import Table
from .._measure import Measure

Floats = NDArray[np.float64]

#: A matrix of all pairs of more columns than this takes more than a gigabyte.
MOST_COLUMNS = 10_000


class NumericTarget(Measure):
    """Base of the measures for a numeric target."""

    needs_classes: ClassVar[bool] = False

    @property
    def task(self) -> str | None:
        """Required kind of target: a number."""
        return "regression"


@dataclass(frozen=True, eq=False)
class CrossProducts:
    """Cross products of columns about their means, each of length 1, and with the target.

    gram (features, features): the correlations; a constant column has zeros.
    right (features,): the correlations with the target.
    total: sum of squares of the target about its mean, in its own units.
    """

    gram: Floats
    right: Floats
    total: float
    n_rows: int

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.right)

    @staticmethod
    def of(table: Table, reader: str) -> CrossProducts:
        """Compute the cross products of a table; ``reader`` names the measure in errors."""
        X, y = numbers_of(table, reader), target_of(table, reader)
        X = X - X.mean(axis=0)
        length = np.sqrt(np.einsum("ij,ij->j", X, X))
        # A column whose spread is rounding alone is constant.
        still = length <= 1e-12 * np.abs(table.doubles).max(axis=0) * np.sqrt(len(y))
        X = np.where(still, 0.0, X / np.where(still, 1.0, length))
        y = y - y.mean()
        total = float(y @ y)
        return CrossProducts(X.T @ X, X.T @ (y / np.sqrt(total)), total, len(y))

    def unexplained(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return residual sums of squares over ``total``, one per subset: 1 - R²."""
        candidates = np.ascontiguousarray(subsets, dtype=bool)
        return np.asarray(residual_squares(self.gram, self.right, 1.0, candidates))


def target_of(table: Table, reader: str) -> Floats:
    """Return the target as numbers that are not all the same."""
    if table.classes is not None:
        raise InputError(
            f"the measure `{reader}` needs a target that is a number, but it is a class; use a "
            'measure for classes such as "naive-bayes".'
        )
    target = table.target.astype(np.float64)
    if len(target) < 3 or target.max() == target.min():
        raise InputError(
            f"the measure `{reader}` needs at least 3 rows and a target that is not constant."
        )
    return target


def numbers_of(table: Table, reader: str) -> Floats:
    """Return the features as numbers; labels that are numbers count as such."""
    if table.n_features > MOST_COLUMNS:
        raise InputError(
            f"the measure `{reader}` takes at most {MOST_COLUMNS:,} features, but there are "
            f"{table.n_features:,}; choose some by a filter such as `pearson` first."
        )
    unknown = [table.names[j] for j in np.flatnonzero(table.incomplete)]
    if unknown:
        raise InputError(
            f"the measure `{reader}` needs known values, but {_some(unknown)} has unknown ones; "
            "impute them, or leave such columns out with `exclude` and remove them."
        )
    values = np.array(table.values, dtype=np.float64)
    for j in np.flatnonzero(table.nominal):
        levels = np.array(table.levels[j])
        if levels.dtype.kind not in "biuf":
            raise InputError(
                f"the measure `{reader}` needs numbers, but {table.names[j]!r} has labels; encode "
                "it (OneHotEncoder) and name its columns in `groups`."
            )
        values[:, j] = levels[values[:, j].astype(np.intp)]
    return values


def _some(names: list[str]) -> str:
    return repr(names[0]) + (f" (and {len(names) - 1} more)" if len(names) > 1 else "")
