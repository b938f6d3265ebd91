"""Columns of every fold about their means, in their own units, and the moments of their rows."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data._class_sums import Moments
from .sources.pipelines import FoldColumns, Source
from .splits import Split

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]

#: Columns of all folds are kept while they take at most this many bytes.
KEPT_BYTES = 1 << 30
#: Training and test rows are kept while they are at most this many.
KEPT_ROWS = 1_000_000
#: A smaller share of a sum of squares than this is computed anew, not by a difference.
CANCELLED = 1e-2
#: Powers of ten beyond which squares leave the range of the type: of float64, of float32.
RANGES = {True: 140.0, False: 15.0}


@dataclass(frozen=True, eq=False)
class Scaled:
    """All rows of a fold about the means of the columns, in units near their spread."""

    values: Floats  #: (rows, columns)
    #: (columns,): powers of two near the standard deviations; 1 for a constant column.
    unit: Floats
    centre: Floats  #: (columns,): the means in these units.
    #: (columns,): how far the rounding of the numbers themselves may move a value, in these units.
    drift: Floats
    #: (columns,): columns whose squares leave the range of the type in which the estimator
    #: calculates.
    strange: Bools

    @staticmethod
    def of(numbers: Floats, precision: float) -> Scaled:
        """Scale columns of finite numbers; powers of two round nothing."""
        largest = np.maximum(numbers.max(axis=0, initial=0.0), -numbers.min(axis=0, initial=0.0))
        first = _power_of_two(largest)
        with np.errstate(all="ignore"):
            values = numbers / first
            centre = values.mean(axis=0)
            values -= centre
            second = _power_of_two(np.sqrt(np.einsum("ij,ij->j", values, values) / len(values)))
            values /= second
            unit = first * second
            level = np.where(second < 1.0, largest / first / second, 1.0)
            power = np.log10(np.maximum(largest, 1e-320)), np.log10(np.maximum(unit, 1e-320))
        reach = RANGES[precision < 1e-12]
        strange = (power[0] > reach) | ((power[1] < -reach) & (largest > 0.0))
        return Scaled(values, unit, centre / second, 4.0 * precision * level, strange)

    def take(self, columns: Places) -> Scaled:
        """Return some of the columns."""
        unit, centre, drift = (part[columns] for part in (self.unit, self.centre, self.drift))
        values = np.ascontiguousarray(self.values[:, columns])
        return Scaled(values, unit, centre, drift, self.strange[columns])


def _power_of_two(size: Floats) -> Floats:
    """Return the power of two below each size; 1 for nothing."""
    exponent = np.frexp(np.where((size > 0.0) & np.isfinite(size), size, 1.0))[1]
    return np.asarray(np.ldexp(1.0, exponent - 1))


@dataclass(frozen=True, eq=False)
class FoldTarget:
    """What rows are told apart by, or regressed on."""

    numbers: Floats | None = None  #: (rows, targets)
    groups: Ints | None = None  #: (rows,): classes, each with moments of its own.
    n_groups: int = 1
    weight: Floats | None = None  #: (rows,)
    by_fold: bool = False  #: Whether the weights are those of one fold only.

    def of(self, rows: Any) -> FoldTarget:
        """Return some rows."""
        parts = (self.numbers, self.groups, self.weight)
        numbers, groups, weight = (None if part is None else part[rows] for part in parts)
        return FoldTarget(numbers, groups, self.n_groups, weight, self.by_fold)  # type: ignore[arg-type]

    def beside(self, values: Floats) -> Floats:
        """Return columns followed by the numbers."""
        return values if self.numbers is None else np.column_stack([values, self.numbers])

    def moments(self, values: Floats) -> Moments:
        """Return the moments of columns and numbers."""
        return Moments.of(self.beside(values), self.groups, self.n_groups, self.weight)


@dataclass(frozen=True, eq=False)
class Sums:
    """What linear rules need of the training rows of a fold."""

    weight: Floats  #: (groups,)
    mean: Floats  #: (groups, columns + targets)
    square: Floats  #: (columns,): sums of squares about the means of the groups.
    cross: Floats  #: (targets, columns): products with the targets.
    gram: Floats | None  #: (columns, columns): products of all pairs of columns.

    @staticmethod
    def of(moments: Moments, columns: int) -> Sums:
        """Take what is needed of moments whose last columns are targets."""
        within = moments.within()
        gram = np.ascontiguousarray(within[:columns, :columns])
        cross = np.ascontiguousarray(within[columns:, :columns])
        return Sums(moments.weight, moments.mean, np.diagonal(gram).copy(), cross, gram)

    def cancelled(self) -> Bools:
        """Return the columns of which so little is left about the means that rounding shows."""
        means = self.mean[:, : len(self.square)]
        return np.asarray(self.square < 1e-6 * (self.square + self.weight @ means**2))


class FoldNumbers:
    """The scaled columns of every fold of a source, made when a fold is first asked for.

    Those of a shared source are made once, and the moments of training rows are those of all
    rows less those of the test rows. Otherwise every fold has columns and moments of its own.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._kept: dict[int, tuple[FoldColumns, Scaled]] = {}
        self._wholes: dict[Any, Any] = {}
        self._rows: dict[tuple[int, int], Floats] = {}
        self._splits: dict[int, Split] = {}
        self._parted: dict[int, bool] = {}
        self._lock = threading.RLock()

    def __getstate__(self) -> dict[str, Any]:
        return {"source": self.source}

    def __setstate__(self, state: dict[str, Any]) -> None:
        FoldNumbers.__init__(self, state["source"])

    def of(self, fold: int) -> tuple[FoldColumns, Scaled]:
        """Return the columns of a fold, as they are and scaled."""
        key = 0 if self.source.shared else fold
        with self._lock:
            if key not in self._kept:
                columns = self.source.columns(fold)
                scaled = Scaled.of(columns.values, self.source.precision)
                if not self.source.shared:
                    columns = replace(columns, values=np.empty((0, 0)))
                if scaled.values.nbytes * (len(self._kept) + 1) > KEPT_BYTES:
                    self._kept.clear()
                self._kept[key] = columns, scaled
            return self._kept[key]

    def take(self, fold: int, columns: Places) -> Scaled:
        """Return some scaled columns of a fold."""
        scaled = self.of(fold)[1]
        if not self.source.shared:
            return scaled.take(columns)
        found: Scaled = self.whole(("taken", columns.tobytes()), lambda: scaled.take(columns))
        return found

    def split(self, fold: int) -> Split:
        """Return training and test rows of a fold; those of small tables are kept."""
        splits = self.source.splits
        if self.source.table.n_rows * len(splits) > KEPT_ROWS:
            return splits[fold]
        if fold not in self._splits:
            self._splits[fold] = splits[fold]
        return self._splits[fold]

    def width(self) -> int:
        """Return the number of columns of the first fold."""
        return len(self.of(0)[0].owner)

    def parted(self, fold: int) -> bool:
        """Return whether a fold of shared columns trains on all rows that it does not test."""
        train, test = self.split(fold)
        n = self.source.table.n_rows
        if not self.source.shared or len(train) + len(test) != n or len(test) >= len(train):
            return False
        if fold not in self._parted:
            used = np.zeros(n, dtype=bool)
            used[train] = used[test] = True
            self._parted[fold] = bool(used.all())
        return self._parted[fold]

    def whole(self, key: Any, make: Any) -> Any:
        """Return what is made of all rows once for all folds; the last ones are kept."""
        with self._lock:
            if key not in self._wholes:
                if len(self._wholes) >= 512:
                    self._wholes.clear()
                self._wholes[key] = make()
            return self._wholes[key]

    def sums(
        self, fold: int, scaled: Scaled, target: FoldTarget, key: Any, pairs: bool = True
    ) -> tuple[Sums, Moments | None]:
        """Return sums over the training rows of a fold, and moments of its test rows.

        Parameters
        ----------
        scaled : Scaled
            Columns of the fold.
        target : Target
        key : hashable
            Says which columns these are.
        pairs : bool
            Whether products of all pairs of columns are made; without them there are no moments
            of the test rows either.
        """
        if not pairs:
            train = self.split(fold)[0]
            return _thin(scaled.values[train], target.of(train)), None
        trained, tested = self.moments(fold, scaled, target, key)
        return Sums.of(trained, len(scaled.unit)), tested

    def moments(
        self, fold: int, scaled: Scaled, target: FoldTarget, key: Any
    ) -> tuple[Moments, Moments]:
        """Return the moments of the training rows and of the test rows of a fold."""
        train, test = self.split(fold)
        tested = target.of(test).moments(scaled.values[test])
        if not target.by_fold and self.parted(fold):
            whole = self.whole(key, lambda: target.moments(scaled.values))
            trained = whole - tested
            if not _cancelled(trained, whole):
                return trained, tested
        return target.of(train).moments(scaled.values[train]), tested

    def products(
        self, fold: int, scaled: Scaled, target: FoldTarget, sums: Sums, have: Places
    ) -> Floats:
        """Return products of some columns with all, about the means of the groups.

        Rows of the last columns that were asked for are kept: a search adds one at a time.
        """
        known = {(fold, j) for j in have.tolist()}
        with self._lock:
            for name in [name for name in self._rows if name[0] == fold and name not in known]:
                del self._rows[name]
            for _, j in known - set(self._rows):
                self._rows[fold, j] = self._product(fold, scaled.values, target, j)
            found = np.array([self._rows[fold, j] for j in have.tolist()])
        d = scaled.values.shape[1]
        means = sums.mean[:, :d]
        return found.reshape(len(have), d) - (means[:, have] * sums.weight[:, None]).T @ means

    def _product(self, fold: int, values: Floats, target: FoldTarget, j: int) -> Floats:
        train, test = self.split(fold)
        if target.by_fold or not self.parted(fold):
            return _products_of(values[train], target.of(train).weight, j)
        whole = self.whole(("row", j), lambda: _products_of(values, target.weight, j))
        return np.asarray(whole - _products_of(values[test], target.of(test).weight, j))


def _products_of(values: Floats, weight: Floats | None, j: int) -> Floats:
    own = values[:, j] if weight is None else values[:, j] * weight
    return np.asarray(own @ values)


def _thin(values: Floats, target: FoldTarget) -> Sums:
    """Return sums without products of pairs of columns."""
    n, d = values.shape
    both = target.beside(values)
    weight, mean = np.zeros(target.n_groups), np.zeros((target.n_groups, both.shape[1]))
    square, cross = np.zeros(d), np.zeros((both.shape[1] - d, d))
    for g in range(target.n_groups):
        rows = np.flatnonzero(target.groups == g) if target.groups is not None else slice(None)
        own = np.ones(n)[rows] if target.weight is None else target.weight[rows]
        weight[g] = own.sum()
        if weight[g] > 0.0:
            mean[g] = own @ both[rows] / weight[g]
            away = both[rows] - mean[g]
            square += np.einsum("i,ij,ij->j", own, away[:, :d], away[:, :d])
            cross += (away[:, d:] * own[:, None]).T @ away[:, :d]
    return Sums(weight, mean, square, cross, None)


def _cancelled(rest: Moments, whole: Moments) -> bool:
    """Return whether so little of a column is left that rounding of the whole shows in it."""
    left = np.diagonal(rest.scatter, axis1=1, axis2=2)
    return bool((left < CANCELLED * np.diagonal(whole.scatter, axis1=1, axis2=2)).any())
