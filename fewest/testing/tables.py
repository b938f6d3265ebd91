"""Tiny tables for tests: each shows one thing that real tables do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table


def toy_table(n_rows: int = 40, n_features: int = 5, n_classes: int = 2, seed: int = 0) -> Table:
    """Continuous features of which the first two tell the classes apart.

    >>> toy_table(n_rows=6, n_features=3).values.shape
    (6, 3)
    """
    rng = np.random.default_rng(seed)
    target = np.arange(n_rows) % n_classes
    values = rng.normal(size=(n_rows, n_features))
    values[:, :2] += target[:, None]
    return _table(values, [None] * n_features, target)


def nominal_table(n_rows: int = 48, n_features: int = 5, seed: int = 0) -> Table:
    """Nominal features with 2 and 3 levels; the class is the first one, with some noise.

    Examples
    --------
    >>> from fewest.testing import nominal_table
    >>> table = nominal_table()
    >>> table.n_rows, table.n_features
    (48, 5)
    """
    rng = np.random.default_rng(seed)
    sizes = [2 + i % 2 for i in range(n_features)]
    values = np.column_stack([np.arange(n_rows) // (i + 1) % r for i, r in enumerate(sizes)])
    target = np.where(rng.random(n_rows) < 0.1, 1 - values[:, 0], values[:, 0])
    target[:2] = 0, 1
    return _table(values.astype(float), [_levels(r) for r in sizes], target)


def mixed_table(n_rows: int = 48, seed: int = 0) -> Table:
    """Continuous and nominal features, unknown values, a constant and an all-unknown column.

    Examples
    --------
    >>> from fewest.testing import mixed_table
    >>> table = mixed_table()
    >>> table.n_rows, table.n_features
    (48, 6)
    """
    continuous, nominal = toy_table(n_rows, 2, seed=seed), nominal_table(n_rows, 2, seed=seed)
    values = np.column_stack([continuous.values, nominal.values, np.ones(n_rows), np.ones(n_rows)])
    values[np.random.default_rng(seed).random(values.shape) < 0.1] = np.nan
    values[:, 4], values[:, 5] = 1.0, np.nan
    levels = [None, None, *nominal.levels, None, None]
    return _table(values, levels, continuous.target)


def parity_table(n_features: int = 5) -> Table:
    """All rows of ``n_features`` bits; the class is the parity of the first three.

    Examples
    --------
    >>> from fewest.testing import parity_table
    >>> table = parity_table()
    >>> table.n_rows, table.n_features
    (32, 5)
    """
    rows = np.arange(2**n_features)[:, None] >> np.arange(n_features) & 1
    return _table(rows.astype(float), [_levels(2)] * n_features, rows[:, :3].sum(axis=1) % 2)


def number_table(n_rows: int = 40, n_features: int = 4, seed: int = 0) -> Table:
    """Continuous features and a numeric target that depends on the first two.

    Examples
    --------
    >>> from fewest.testing import number_table
    >>> table = number_table()
    >>> table.n_rows, table.n_features
    (40, 4)
    """
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_rows, n_features))
    target = values[:, 0] - values[:, 1] + 0.1 * rng.normal(size=n_rows)
    return _table(values, [None] * n_features, target)


def _levels(r: int) -> tuple[object, ...]:
    return tuple("abcdefgh"[:r])


def _table(
    values: NDArray[np.float64],
    levels: list[tuple[object, ...] | None],
    target: NDArray[np.int64] | NDArray[np.float64],
) -> Table:
    number = target.dtype.kind == "f"
    return Table(
        names=tuple(f"x{i}" for i in range(values.shape[1])),
        values=values,
        levels=tuple(levels),
        target=target if number else target.astype(np.int64),
        classes=None if number else np.unique(target),
        X=values,
        y=target,
    )


#: All of them by name, for ``pytest.mark.parametrize``.
TOY_TABLES: dict[str, Callable[[], Table]] = {
    "continuous": toy_table,
    "nominal": nominal_table,
    "mixed": mixed_table,
    "parity": parity_table,
    "number": number_table,
}
