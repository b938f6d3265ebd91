"""Numbers in memory: a table as it is, or as the column-wise steps of a pipeline turn it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.impute import SimpleImputer

from ....classifiers._encoder import TableEncoder
from ....data._columns import is_frame
from ....data._rows import take_columns, take_rows
from ....data._table import Table
from ..splits import Splits
from .pipelines import (
    Bools,
    Branch,
    Floats,
    FoldColumns,
    Source,
    density_of,
    owners,
    prepared,
    truth_values,
)


class MemorySource(Source):
    """The numbers of a table in memory.

    Parameters
    ----------
    table : Table
    splits : Splits
    branches : sequence of Branch, or None
        What comes before the model; None where it gets the table as it is.

    Examples
    --------
    >>> from fewest.testing import toy_table
    >>> table = toy_table()
    >>> rows = np.arange(table.n_rows)
    >>> source = MemorySource(table, ((rows[1:], rows[:1]),))
    >>> source.columns(0).values.shape == (table.n_rows, table.n_features)
    True
    """

    def __init__(
        self, table: Table, splits: Splits, branches: Sequence[Branch] | None = None
    ) -> None:
        self.table, self.splits, self.branches = table, splits, branches
        self.precision = precision_of(table)

    def columns(self, fold: int) -> FoldColumns:
        """Return all rows as fold ``fold`` sees them."""
        if self.branches is None:
            return self._plain
        found = [part for branch in self.branches for part in self._passed(branch, fold)]
        values = [np.empty((self.table.n_rows, 0)), *(part for part, _ in found)]
        owner = [np.empty(0, dtype=np.intp), *(own for _, own in found)]
        whole, features, d = np.hstack(values), np.concatenate(owner), self.table.n_features
        density = density_of(self.branches, features, whole[self.splits[fold][0]], d)
        return replace(usable(whole, features, d, self._used), density=density)

    @cached_property
    def _plain(self) -> FoldColumns:
        values, unusable = plain_numbers(self.table)
        everyone = np.arange(self.table.n_features)
        return FoldColumns(values, everyone, unusable)

    def refused(self, candidates: Any) -> Bools:
        """Return which candidates give an imputer truth values alone, which it refuses."""
        found = super().refused(candidates)
        for bits, others in self._imputed:
            masks = np.asarray(candidates)
            found |= masks[:, bits].any(axis=1) & ~masks[:, others].any(axis=1)
        return found

    @cached_property
    def _imputed(self) -> list[tuple[Bools, Bools]]:
        """Truth values, and others, of each branch that begins with an imputer."""
        bits, found = truth_values(self.table), []
        for branch in self.branches or ():
            if branch.steps and isinstance(branch.steps[0], SimpleImputer):
                own = np.isin(np.arange(len(bits)), branch.features)
                found.append((own & bits, own & ~bits))
        return [(own, others) for own, others in found if own.any()]

    @cached_property
    def _used(self) -> Bools:
        """Which features pass any branch; the others are dropped by the pipeline."""
        used = np.zeros(self.table.n_features, dtype=bool)
        for branch in self.branches or ():
            used[list(branch.features)] = True
        return used

    def _passed(self, branch: Branch, fold: int) -> list[tuple[Floats, NDArray[np.intp]]]:
        """Return what a branch makes of its features; without those that it refuses."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return [self._transformed(branch, fold)]
        except Exception:
            # The estimator will say what is wrong with a feature when a candidate holds it.
            if len(branch.features) < 2:
                return []
            alone = (Branch((j,), branch.steps) for j in branch.features)
            return [part for single in alone for part in self._passed(single, fold)]

    def _transformed(self, branch: Branch, fold: int) -> tuple[Floats, NDArray[np.intp]]:
        train = self.splits[fold][0]
        X: Any = self.table.values if self.table.X is None else self.table.X
        rows, owner = take_columns(X, np.array(branch.features)), np.array(branch.features)
        for step in branch.steps:
            known = np.flatnonzero(self.table.nominal[owner]).tolist()
            # Only an encoder of the table itself is given which columns are nominal.
            given = {"nominal": known} if isinstance(step, TableEncoder) and known else {}
            fitted = prepared(step).fit(take_rows(rows, train), **given)
            rows = fitted.transform(rows)
            # A ColumnTransformer stacks most blocks as a dense array.
            rows = rows.toarray() if sparse.issparse(rows) else rows
            owner = owner[owners(fitted, len(owner))]
        rows = rows.toarray() if sparse.issparse(rows) else np.asarray(rows)
        return np.ascontiguousarray(rows, dtype=np.float64), owner


def usable(values: Floats, owner: NDArray[np.intp], n_features: int, used: Bools) -> FoldColumns:
    """Return columns whose features without a column, or with NaN or infinity, are unusable."""
    finite = np.isfinite(values).all(axis=0)
    unusable = np.zeros(n_features, dtype=bool)
    unusable[owner[~finite]] = True
    unusable |= used & (np.bincount(owner, minlength=n_features) == 0)
    return FoldColumns(np.where(finite, values, 0.0), owner, unusable)


def plain_numbers(table: Table) -> tuple[Floats, Bools]:
    """Return the values as an estimator of numbers gets them, and which features hold others.

    Unusable are unknown and infinite values, and nominal columns whose levels are no numbers.
    """
    values = table.doubles
    bad = np.asarray(~np.isfinite(values).all(axis=0))
    codes = np.flatnonzero(table.nominal) if table.X is not None else ()
    numbers = values.copy() if bad.any() or len(codes) else values
    for j in codes:
        levels = np.array(table.levels[j])
        if levels.dtype.kind not in "biuf":
            bad[j] = True
        elif not bad[j]:
            numbers[:, j] = levels[values[:, j].astype(np.intp)]
    numbers[:, bad] = 0.0
    return numbers, bad


def precision_of(table: Table) -> float:
    """Return the relative rounding error of the type in which an estimator calculates."""
    single = float(np.finfo(np.float32).eps)
    X = table.X
    if X is not None and is_frame(X):
        kinds = nw.from_native(X, eager_only=True).schema.values()
        return single if any(kind == nw.Float32 for kind in kinds) else _DOUBLE
    dtype = getattr(table.values if X is None else X, "dtype", None)
    if dtype == np.float16:
        return float(np.finfo(np.float16).eps)
    return single if dtype == np.float32 else _DOUBLE


_DOUBLE = float(np.finfo(np.float64).eps)
