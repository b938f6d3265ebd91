"""Tiny tables, and a measure that looks up the value of a subset."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._parameters import number, whole
from ..data._table import Table
from ..measures._abilities import IMPORTANCES, L1_PATH, Importances, Question
from ..measures._measure import Candidates, Measure, Scorer, Scores


def toy_table(n_rows: int = 40, n_features: int = 5, n_classes: int = 2, seed: int = 0) -> Table:
    """Return a table of continuous features of which the first two separate the classes.

    >>> toy_table(n_rows=6, n_features=3).values.shape
    (6, 3)
    """
    rng = np.random.default_rng(seed)
    target = np.arange(n_rows) % n_classes
    values = rng.normal(size=(n_rows, n_features))
    values[:, :2] += target[:, None]
    return _table(values, [None] * n_features, target)


def nominal_table(n_rows: int = 48, n_features: int = 5, seed: int = 0) -> Table:
    """Return a table of nominal features with 2 and 3 levels; the class is the first, with noise.

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
    """Return a table of mixed kinds with unknown values, a constant and an all-unknown column.

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
    """Return all rows of ``n_features`` bits; the class is the parity of the first three.

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
    """Return a table of continuous features and a numeric target that depends on the first two.

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


#: A mapping from sorted feature indices to a value, a function of the mask, or 2^d values.
Lookup = Mapping[tuple[int, ...], float] | Callable[[NDArray[np.bool_]], float] | NDArray[Any]


@dataclass
class TableMeasure(Measure):
    """Measure that looks up the value of each subset in a table or a function of yours.

    Parameters
    ----------
    lookup : mapping, function or array
        A mapping from the tuple of sorted feature indices to the value; or a function of one
        row of candidates; or an array of 2^d values, indexed by the sum of 2^i over the subset.
    folds : int or None
        With a number, the scores carry that many fold values whose mean is the value.
    default : float or None
        The value of subsets that a mapping does not hold; None makes them NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.testing import TableMeasure, toy_table
    >>> scorer = TableMeasure({(0,): 0.8, (0, 2): 0.9}, default=0.5).bind(toy_table(n_features=3))
    >>> scorer.score(np.array([[True, False, True], [False, True, False]])).value
    array([0.9, 0.5])
    """

    name: ClassVar[str] = "table"
    needs_classes: ClassVar[bool] = False

    lookup: Any = None
    folds: int | None = whole(None, low=2, optional=True)
    default: float | None = number(None, optional=True)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Return the scorer for as many features; the rows of the table are not used."""
        self.check_parameters()
        if isinstance(self.lookup, np.ndarray) and self.lookup.shape != (2**table.n_features,):
            raise InputError(
                f"`lookup` must hold {2**table.n_features} values (2 to the power of "
                f"{table.n_features} features), but has the shape {self.lookup.shape}."
            )
        if not (callable(self.lookup) or isinstance(self.lookup, Mapping | np.ndarray)):
            raise InputError(
                f"`lookup` must be a mapping, a function or an array, but is {self.lookup!r}."
            )
        return TableScorer(self.lookup, self.folds, self.default, table.n_features)


@dataclass
class MonotoneTableMeasure(TableMeasure):
    """Measure from a lookup of which you promise that a superset never has a lower value.

    Parameters
    ----------
    threshold : float
        The value that a subset must reach.

    Examples
    --------
    >>> from fewest.search import FocusM, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[1]), threshold=1.0)
    >>> drive(FocusM(), Subsets(3), measure.bind(toy_table(n_features=3))).answer
    array([False,  True, False])
    """

    name: ClassVar[str] = "monotone-table"
    monotone: ClassVar[bool] = True

    threshold: float = number(1.0)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Return the scorer, with its threshold."""
        scorer = super().bind(table, rng)
        scorer.threshold = self.threshold
        return scorer


class TableScorer(Scorer):
    """Looks up every candidate; deterministic, and the same for every split of a batch.

    The importance of a feature is what the value loses without it; shadows are small random
    numbers. The L1 path takes the features in the order of their values alone.
    """

    advises: tuple[str, ...] = (IMPORTANCES, L1_PATH)

    def __init__(
        self, lookup: Lookup, folds: int | None, default: float | None, n_features: int
    ) -> None:
        self.lookup = lookup
        self.folds = folds
        self.n_features = n_features
        self.default: float = np.nan if default is None else default

    def score(self, candidates: Candidates) -> Scores:
        """Return the value of every row, and its folds where they are requested."""
        masks = np.asarray(candidates)
        value = self._values(masks)
        return Scores(value, None if self.folds is None else _folds(masks, value, self.folds))

    def importances(self, question: Question) -> Importances:
        """Return what each feature adds to the others of the subset."""
        inside = np.flatnonzero(question.subset)
        without = np.repeat(question.subset[None], len(inside), axis=0)
        without[np.arange(len(inside)), inside] = False
        value = self.score(question.subset[None]).value[0]
        importances = np.full(len(question.subset), np.nan)
        importances[inside] = value - self.score(without).value
        shadows = np.random.default_rng(question.seed).normal(0, 0.01, len(inside))
        return Importances(importances, shadows if question.shadows else None, float(value))

    def l1_path(self, model: str, most: int) -> NDArray[np.bool_]:
        """Return the best feature alone, the best two, and so on."""
        features = self.n_features
        alone = self.score(np.eye(features, dtype=bool)).value
        ranks = np.argsort(np.argsort(-np.nan_to_num(alone, nan=-np.inf), kind="stable"))
        return np.asarray(ranks[None, :] < np.arange(features + 1)[:, None])

    def _values(self, masks: Candidates) -> NDArray[np.float64]:
        if isinstance(self.lookup, np.ndarray):
            index = masks @ (1 << np.arange(masks.shape[1]))
            return np.asarray(self.lookup[index], dtype=float)
        if isinstance(self.lookup, Mapping):
            found = [self.lookup.get(tuple(np.flatnonzero(m).tolist())) for m in masks]
            return np.array([self.default if v is None else v for v in found], dtype=float)
        return np.array([self.lookup(mask) for mask in masks], dtype=float)


def _folds(masks: Candidates, value: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Return fold values with mean ``value``: noise that depends on the subset alone."""
    noise = np.empty((len(masks), k))
    for row, mask in enumerate(np.ascontiguousarray(masks)):
        noise[row] = np.random.default_rng(zlib.crc32(mask.tobytes())).normal(0, 0.01, k)
    centred: NDArray[np.float64] = value[:, None] + noise - noise.mean(axis=1, keepdims=True)
    return centred


def random_values(n_features: int, seed: int = 0, levels: int | None = None) -> NDArray[Any]:
    """Draw a value for each of the 2^d subsets; ``levels`` rounds them so that many tie.

    >>> random_values(2, seed=1, levels=4).shape
    (4,)
    """
    values = np.random.default_rng(seed).random(2**n_features)
    return values if levels is None else np.asarray(np.floor(values * levels) / levels)


def monotone_values(n_features: int, seed: int = 0) -> NDArray[Any]:
    """Draw values in [0, 1] for the 2^d subsets; a superset is never lower, and the full set is 1.

    The share of random masks that the subset hits, like the pairs of rows that it distinguishes.

    >>> monotone_values(2, seed=1)[[0, 3]]
    array([0., 1.])
    """
    rng = np.random.default_rng(seed)
    masks = rng.integers(1, 2**n_features, size=2 * n_features + 2)
    subsets = np.arange(2**n_features)
    hit: NDArray[np.float64] = ((subsets[:, None] & masks) > 0).mean(axis=1)
    return hit
