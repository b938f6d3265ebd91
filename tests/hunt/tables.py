"""Random tables that are hard on arithmetic: scales, constants, copies, gaps, labels, ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

Rng = np.random.Generator
STORAGES = ("array", "single", "frame", "sparse", "polars", "integers")


@dataclass
class Drawn:
    """A table as a user would give it, with the weights and groups of its rows."""

    X: Any
    y: Any
    #: Positions of columns of labels.
    nominal: list[int]
    #: "array", "frame", "polars" or "sparse".
    storage: str
    weight: Any = None
    groups: Any = None

    def columns(self, kept: Any) -> Any:
        """Return some columns, in the way in which the table is stored."""
        places = np.flatnonzero(kept)
        if self.storage == "frame":
            return self.X.iloc[:, places]
        if self.storage == "polars":
            return self.X[:, places.tolist()]
        return self.X[:, places]

    def rows(self, order: Any, columns: Any) -> Any:
        """Return the columns ``columns`` made of other rows."""
        if self.storage == "frame":
            return columns.iloc[order].reset_index(drop=True)
        return columns[order]

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return tuple(self.X.shape)


def draw_table(
    rng: Rng, *, levels: bool, nominal: bool, gaps: bool, regression: bool, weighted: bool
) -> Drawn:
    """Draw a table, of whole numbers from 0 on if ``levels``.

    ``nominal`` and ``gaps`` say whether it may have columns of labels and unknown values.
    """
    n, d = _size(rng)
    target, y = _target(rng, n, regression)
    storage = str(rng.choice(STORAGES, p=[0.44, 0.12, 0.27, 0.07, 0.05, 0.05]))
    if nominal and storage != "polars":
        storage = "frame"
    if levels:
        columns = [_levels(rng, target) for _ in range(d)]
    else:
        columns = _numbers(rng, target, d, storage == "single" or rng.random() > 0.2)
    labels = rng.choice(d, rng.integers(1, d + 1), replace=False).tolist() if nominal else []
    gaps = gaps and storage in ("array", "frame", "single")
    table = Drawn(_stored(rng, columns, storage, labels, gaps), y, labels, _kind(storage))
    if weighted and rng.random() < 0.25:
        table.weight = _weights(rng, n)
    if rng.random() < 0.1:
        table.groups = rng.integers(0, max(3, n // 8), n)
    return table


def _size(rng: Rng) -> tuple[int, int]:
    kind = rng.random()
    if kind < 0.1:
        return int(rng.integers(8, 16)), int(rng.integers(2, 6))
    if kind < 0.2:  # fewer rows than columns
        return int(rng.integers(12, 20)), int(rng.integers(15, 31))
    if kind < 0.23:  # wide enough for shared solutions of steps
        return int(rng.integers(30, 60)), int(rng.integers(64, 90))
    return int(rng.integers(20, 121)), int(rng.integers(2, 13))


def _target(rng: Rng, n: int, regression: bool) -> tuple[Any, Any]:
    """Return numbers that columns depend on, and the target."""
    if regression:
        target = rng.normal(size=n)
        scale = 10.0 ** rng.choice([0, 0, 0, 0, rng.uniform(-3, 6)])
        y = target * scale + rng.choice([0.0, 0.0, 100.0 * scale])
        if rng.random() < 0.15:
            y = np.round(target * 3)
        return target, y
    k = min(n // 3, int(rng.choice([2, 2, 2, 3, 3, 4, 7])))
    if rng.random() < 0.1:  # two rows of each class but the first
        target = np.zeros(n, dtype=int)
        target[: 2 * (k - 1)] = np.repeat(np.arange(1, k), 2)
        target = rng.permutation(target)
    else:
        share = rng.dirichlet(np.full(k, rng.choice([1.0, 20.0])))
        target = rng.choice(k, n, p=share)
        target[:k] = np.arange(k)
    target = np.sort(target) if rng.random() < 0.1 else target
    return target.astype(float), _labels(rng, target)


def _labels(rng: Rng, target: Any) -> Any:
    k = int(target.max()) + 1
    kind = rng.choice(["plain", "plain", "strings", "bool", "negative", "whole", "far", "category"])
    if kind == "strings":
        return np.array(["no", "yes", "ä", "Z", "", "10", "9"])[target]
    if kind == "bool" and k == 2:
        return target == 1
    if kind == "negative":
        return np.array([-1, 1, 0, -7, 5, 9, -2])[target]
    if kind == "whole":
        return np.array([1.0, 2.0, -3.0, 0.0, 8.0, 5.0, 6.0])[target]
    if kind == "far":
        return np.array([10**6, 3, 10**12, -(10**9), 0, 7, 8])[target]
    if kind == "category":
        return pd.Series(pd.Categorical.from_codes(target, list("zyxwvut")[:k]))
    return target.astype(np.int64)


def _numbers(rng: Rng, target: Any, d: int, tame: bool) -> list[Any]:
    """Columns of numbers; some depend on earlier ones."""
    columns: list[Any] = []
    for _ in range(d):
        kind = rng.random()
        if columns and kind < 0.14:
            columns.append(_relative(rng, columns))
            continue
        columns.append(_column(rng, target, tame))
    return columns


def _relative(rng: Rng, columns: list[Any]) -> Any:
    """A copy, a near copy, a multiple, or a sum of two columns."""
    one, other = columns[rng.integers(len(columns))], columns[rng.integers(len(columns))]
    kind = rng.integers(4)
    if kind == 0:
        return one.copy()
    if kind == 1:
        return one * (1 + 10.0 ** rng.uniform(-15, -5) * rng.normal(size=len(one)))
    if kind == 2:
        return one * rng.choice([-1.0, 2.0, 3.0, 0.1])
    return one + other if np.isfinite(one + other).all() else one.copy()


def _column(rng: Rng, target: Any, tame: bool) -> Any:
    n = len(target)
    kind = rng.random()
    if kind < 0.05:
        return np.full(n, rng.choice([0.0, 1.0, -3.7, 1e-9, 1e6]))
    if kind < 0.2:  # ties
        return np.round(rng.normal(size=n) + target * rng.choice([0.0, 0.7]), rng.integers(0, 2))
    if kind < 0.28:
        return (rng.random(n) < 0.2 + 0.5 * (target == target[0])).astype(float)
    values = rng.normal(size=n) + target * rng.choice([0.0, 0.3, 1.0, 4.0])
    if kind < 0.33:  # constant in one class or half of the rows
        values[target <= np.median(target)] = 1.5
    if kind < 0.36:
        values[rng.integers(n)] *= 1e6
    if kind < 0.46:  # a spread that is small beside the mean
        values = 1.0 + values * 10.0 ** rng.uniform(-14, -2)
    low, high = (-4, 5) if tame else (-300, 150)
    return values * 10.0 ** rng.choice([0.0, rng.uniform(low, high)])


def _levels(rng: Rng, target: Any) -> Any:
    """Small whole numbers from 0 on."""
    k = int(rng.integers(1, 6))
    free = rng.integers(0, k, len(target))
    ranks = np.unique(target, return_inverse=True)[1]
    return np.where(rng.random(len(target)) < rng.random(), ranks % k, free).astype(float)


def _stored(rng: Rng, columns: list[Any], storage: str, nominal: list[int], gaps: bool) -> Any:
    values = np.column_stack(columns)
    if gaps:
        holes = rng.random(values.shape) < rng.choice([0.02, 0.2])
        values[holes & (rng.random(values.shape[1]) < 0.5)] = np.nan
    if storage == "single":
        return np.clip(values, -1e30, 1e30).astype(np.float32)
    if storage == "integers":
        return np.clip(np.round(values), -1e6, 1e6).astype(np.int64)
    if storage == "sparse":
        small = np.where(np.abs(values - np.median(values, axis=0)) < values.std(axis=0), 0, values)
        return (sparse.csr_matrix if rng.random() < 0.5 else sparse.csc_array)(small)
    if storage in ("frame", "polars"):
        return _frame(rng, values, nominal, storage == "polars")
    if rng.random() < 0.01:
        values[rng.integers(len(values)), rng.integers(values.shape[1])] = np.inf
    return np.asfortranarray(values) if rng.random() < 0.3 else values


def _frame(rng: Rng, values: Any, nominal: list[int], polars: bool) -> Any:
    names = [f"c{j}" for j in range(values.shape[1])]
    frame = pd.DataFrame(values, columns=names)
    for j in nominal:
        ranks = np.unique(values[:, j], return_inverse=True)[1]
        labels = np.array(list("bacde"))[ranks % int(rng.integers(1, 6))]
        frame[names[j]] = pd.Series(labels, dtype=object)
        if not polars and rng.random() < 0.3:
            frame[names[j]] = frame[names[j]].astype("category")
    for j in set(range(len(names))) - set(nominal):
        if rng.random() < 0.1 and np.nanmax(np.abs(values[:, j])) < 1e30:
            frame[names[j]] = frame[names[j]].astype(np.float32)
        elif rng.random() < 0.05 and not np.isnan(values[:, j]).any():
            frame[names[j]] = values[:, j] > np.median(values[:, j])
    if not polars and rng.random() < 0.2:
        frame.index = rng.permutation(len(frame)) + 100
    return pl.DataFrame({c: frame[c].tolist() for c in names}) if polars else frame


def _kind(storage: str) -> str:
    return {"single": "array", "integers": "array"}.get(storage, storage)


def _weights(rng: Rng, n: int) -> Any:
    kind = rng.integers(3)
    if kind == 0:
        return rng.integers(1, 4, n).astype(float)
    weight = rng.exponential(size=n) + 0.01
    if kind == 1:
        weight[rng.random(n) < 0.2] = 0.0
    return weight * rng.choice([1.0, 1e-3, 100.0])
