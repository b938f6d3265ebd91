"""The rules of nearest neighbours: scikit-learn's, and NearestNeighbor and IB1."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...._kernels.neighbours.nearest import (
    BY_DISTANCE,
    EPS,
    SINGLE,
    UNIFORM,
    answers_by_differences,
    answers_by_products,
)
from ...._kernels.scoring.probabilities import ODDS
from ...._kernels.scoring.ranks import row_keys
from ....classifiers._nearest_neighbor import class_rank, neighbour_votes, range_scale
from ....data._table import Table
from ..metrics.metric import Floats, Ints, Metric, Responses, Truth
from ..sources.pipelines import FoldColumns, Source
from .rule import Bools, Rule, Size, no_keys

#: How neighbours vote, by ``weights``.
WAYS = {None: UNIFORM, "uniform": UNIFORM, "distance": BY_DISTANCE}
#: The power of differences, by the name of a metric.
POWERS = {"euclidean": 2.0, "l2": 2.0, "manhattan": 1.0, "l1": 1.0, "cityblock": 1.0}
#: Beyond so many columns ``algorithm="auto"`` compares all rows, by products of matrices.
TREES = 15
#: Beyond so many rows scikit-learn's trees are faster than comparing all rows, and of few columns
#: they are beyond so many rows for each column; half as many where distances are no products.
MANY_ROWS, MANY_FOR_A_COLUMN = 50_000, 2500
#: Powers of two beyond which powers of differences leave the range of float64.
RANGE = 1000.0
#: The power of two of a column that is constant.
CONSTANT = -5000.0
#: Distances that differ by less, relative to them, are equal but for rounding.
NEAR = 1e-12
#: Sums that are held at once.
MOST_SUMS = 1 << 24
#: Means that rounding may move by more, relative to the range of the answers, are in doubt.
LOOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Prepared:
    """The columns of a fold (or of all) and what single precision needs of them.

    ``units`` are the values, centred and divided by two to the ``power``, so that they are at
    most 1. ``largest`` is the largest absolute value of each column, and ``whole`` says which
    columns hold whole numbers.
    """

    columns: FoldColumns
    units: NDArray[np.float32]
    power: Floats
    largest: Floats
    whole: Bools

    @staticmethod
    def of(columns: FoldColumns) -> Prepared:
        """Centre and scale columns."""
        values = columns.values
        whole = (values == np.round(values)).all(axis=0)
        with np.errstate(over="ignore", invalid="ignore"):
            mean = values.mean(axis=0)
            away = values - np.where(whole, np.round(mean), mean)
            span = np.abs(away).max(axis=0, initial=0.0)
            varies = (values != values[:1]).any(axis=0)
            power = np.ceil(np.log2(span, out=np.full(len(span), CONSTANT), where=varies))
            power = np.where(np.isfinite(power), power, RANGE + 1.0)
            units = np.ldexp(away * varies, -power.astype(np.int64)).astype(np.float32)
        largest = np.abs(values).max(axis=0, initial=0.0)
        return Prepared(columns, np.ascontiguousarray(units.T), power, largest, whole)


@dataclass(frozen=True, eq=False)
class Batch:
    """Candidates as masks over columns, and how their distances are rounded.

    ``factor`` and ``unit`` bring columns and distances to the units of the widest column,
    ``error`` is that of single precision, ``relative`` and ``lengths`` are
    those of scikit-learn's products;
    see :func:`~fewest._kernels.neighbours.nearest.answers_by_products`.
    """

    masks: Bools
    factor: NDArray[np.float32]
    unit: Floats
    error: Floats
    relative: Floats
    lengths: Floats


class NeighborsRule(Rule):
    """KNeighborsClassifier and KNeighborsRegressor: of equally near rows the earlier one counts.

    Distances that differ by less than the rounding error of scikit-learn's ways to compute them,
    but are not equal, are in doubt where the answer depends on them.
    """

    takes_weights: ClassVar[bool] = False

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        power = power_of(model)
        assert power is not None
        self.power = power
        self.numeric = source.table.classes is None
        self.outputs = 1 if self.numeric else max(2, source.table.n_classes)
        #: Whether equally near rows are in doubt.
        self.ties = False
        self._prepared: dict[int, Prepared] = {}

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Check the metric, the weights, the number of neighbours and the number of rows."""
        name, k = type(model).__name__, model.n_neighbors
        if model.metric_params is not None:
            return f"{name} with metric_params is trained"
        if power_of(model) is None:
            return f"{name} with metric={model.metric!r} and p={model.p!r} is trained"
        if table.sparse is not None and power_of(model) not in (1.0, 2.0):
            return f"{name} refuses sparse rows with p={model.p!r}"
        if not isinstance(model.weights, str | None) or model.weights not in WAYS:
            return f"{name} with weights={model.weights!r} is trained"
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k < table.n_rows:
            return f"n_neighbors={k!r} is not possible with {table.n_rows} rows"
        if table.n_rows > MANY_ROWS:
            return f"with more than {MANY_ROWS:,} rows the trees of {name} are faster"
        return None

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Count the terms of the distances of all pairs of rows."""
        return float(size.rows) * size.rows * (size.columns + 8)

    def respond(self, fold: int, candidates: Bools) -> tuple[Responses, Bools]:
        """Let the nearest training rows answer for the test rows."""
        train, test = self.source.splits[fold]
        ready, labels = self._ready(fold), self.labels(fold)
        masks, unsure = ready.columns.expand(candidates), ready.columns.unsure(candidates)
        widest = np.where(masks, ready.power, CONSTANT).max(axis=1, initial=CONSTANT)
        widest[widest == CONSTANT] = 0.0
        unsure = unsure | (np.abs(self.power * widest) > RANGE)
        if self.power not in (1.0, 2.0):  # it refuses sparse rows
            unsure |= ready.columns.stay_sparse(candidates)
        unsure |= self._faster_by_trees(masks) | (self.model.n_neighbors > len(train))
        out = np.zeros((len(masks), 1 if self.numeric else max(2, len(labels)), len(test)))
        slack = np.full((len(masks), len(test)), -1.0)
        some = np.flatnonzero(~unsure)
        if len(some) == len(masks):
            self._answer(fold, ready, self._batch(masks, widest, ready, len(train)), out, slack)
        elif len(some):
            part, own = out[some], slack[some]
            batch = self._batch(masks[some], widest[some], ready, len(train))
            self._answer(fold, ready, batch, part, own)
            out[some], slack[some] = part, own
        if self.numeric:
            unsure |= (slack > LOOSE).any(axis=1)
        keys = partial(_keys, ready.columns.values, test, masks)
        return Responses(out, slack, True, ODDS, keys, shares=out), unsure

    def free(self, fold: int, candidates: Bools, metric: Metric, truth: Truth) -> Bools:
        """Return for which candidates equally near rows, up to rounding, change the score."""
        strict = copy(self)
        strict.ties = True
        return strict.judge(fold, candidates, metric, truth)[1]

    def _ready(self, fold: int) -> Prepared:
        fold = 0 if self.source.shared else fold
        if fold not in self._prepared:
            self._prepared[fold] = Prepared.of(self.source.columns(fold))
        return self._prepared[fold]

    def _batch(self, masks: Bools, widest: Floats, ready: Prepared, n_train: int) -> Batch:
        size, p = masks.sum(axis=1), self.power
        factor = np.exp2(np.minimum(ready.power - widest[:, None], 0.0)).astype(np.float32)
        exact = (masks <= ready.whole).all(axis=1)
        sums = masks @ np.exp2(2.0 * np.minimum(ready.power, 500.0) + 2.0)
        error = np.where(exact & (sums <= 2.0**24), 0.0, (size + 8) * SINGLE)
        squares = masks @ np.minimum(ready.largest, 2.0**60) ** 2
        cancels = self._products(size, n_train) & ~(exact & (4.0 * squares < 2.0**53))
        lost = np.where(cancels, EPS * (size + 8), NEAR if self.ties else 0.0)
        return Batch(masks, factor, np.exp2(-p * widest), error, 2.0 * lost, 3.0 * lost)

    def _faster_by_trees(self, masks: Bools) -> Bools:
        """Return which candidates have so few columns that scikit-learn's trees are faster."""
        size = masks.sum(axis=1)
        share = 1.0 if self.power == 2.0 else 0.5
        many = self.source.table.n_rows > share * MANY_FOR_A_COLUMN * (size + 1)
        brute = self.model.algorithm == "brute" or self.source.table.sparse is not None
        return np.asarray(many & (size <= TREES) & (not brute))

    def _products(self, size: Ints, n_train: int) -> Bools:
        """Return for which candidates scikit-learn multiplies rows, which cancels."""
        sparse = self.source.table.sparse is not None and self.source.shared
        if self.power != 2.0 or self.model.algorithm in ("kd_tree", "ball_tree"):
            return np.full(len(size), self.power == 2.0 and sparse)
        many = self.model.n_neighbors >= n_train // 2
        return np.asarray((size > TREES) | (self.model.algorithm == "brute") | many | sparse)

    def _answer(self, fold: int, ready: Prepared, batch: Batch, out: Floats, slack: Floats) -> None:
        train, test = self.source.splits[fold]
        target = self.source.table.target[train]
        if not self.numeric:
            target = np.searchsorted(self.labels(fold), target)
        common = (
            int(self.model.n_neighbors), WAYS[self.model.weights], self.ties,
            np.ascontiguousarray(target, dtype=np.float64), self.numeric,
        )  # fmt: skip
        if self.power == 2.0:
            answers_by_products(
                ready.units, ready.columns.values, train, test, batch.masks, batch.factor,
                batch.unit, batch.error, batch.relative, batch.lengths, *common, out, slack,
            )  # fmt: skip
            return
        used = np.flatnonzero(batch.masks.any(axis=0))
        values = np.ascontiguousarray(ready.columns.values[:, used])
        weights = np.ascontiguousarray(batch.masks[:, used], dtype=np.float64)
        near = (weights * batch.factor[:, used].astype(np.float64) ** self.power).astype(np.float32)
        scale = np.exp2(-np.maximum(ready.power[used], -RANGE))[None]
        nobody, rank = np.full(len(test), -1), np.zeros((1, out.shape[1]), dtype=np.int64)
        # Differences of float32 are rounded where scikit-learn compares all rows.
        relative = 4.0 * self.source.precision if self.source.precision > EPS else 0.0
        relative = max(relative, NEAR if self.ties else 0.0)
        step = max(1, MOST_SUMS // len(train))
        for low in range(0, len(weights), step):
            part = slice(low, low + step)
            answers_by_differences(
                values, train, test, nobody, scale, np.ones_like(scale),
                np.zeros(len(used), dtype=bool), self.power, near[part], weights[part],
                relative, *common, rank, out[part], slack[part],
            )  # fmt: skip


class TableNeighborsRule(Rule):
    """NearestNeighbor and IB1: all rows as near as the k-th vote, and nothing is in doubt."""

    takes_tables: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = False

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        self.outputs = max(2, source.table.n_classes)

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Check the parameters; weights belong to all features of a table."""
        model.check_parameters()
        name = type(model).__name__
        if model.weights is not None:
            return f"{name} with weights of the features is trained"
        if model.prototypes != "all":
            return f"{name} with prototypes={model.prototypes!r} is trained"
        if isinstance(table.X, np.ndarray) and table.X.dtype.kind == "O":
            return f"{name} reads the kinds of the columns from arrays of objects itself"
        return None

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Count the terms of the distances of all pairs of rows."""
        return float(size.rows) * size.rows * (size.columns + 8)

    def respond(self, fold: int, candidates: Bools) -> tuple[Responses, Bools]:
        """Let the nearest training rows vote."""
        table, (train, test) = self.source.table, self.source.splits[fold]
        labels, slack = self.labels(fold), np.full((len(candidates), len(test)), -1.0)
        if self.model.k > len(train):
            return self.leave(fold, candidates)
        target = np.searchsorted(labels, table.target[train])
        out = neighbour_votes(
            table.doubles, train, test, range_scale(table.doubles[train], table.nominal)[0][None],
            table.nominal, candidates.astype(np.float64), self.model.k, target,
            class_rank(np.bincount(target, minlength=max(2, len(labels))))[None],
        )  # fmt: skip
        sure = np.zeros(len(candidates), dtype=bool)
        return Responses(out, slack, True, ODDS, no_keys, shares=out), sure


def power_of(model: Any) -> float | None:
    """Return the power of differences in the metric of a model; None where it has no such.

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> power_of(KNeighborsClassifier(p=3)), power_of(KNeighborsClassifier(metric="cosine"))
    (3.0, None)
    """
    if model.metric_params is not None or not isinstance(model.metric, str):
        return None
    if model.metric == "minkowski":
        p = model.p
        usual = isinstance(p, int | float | np.number) and not isinstance(p, bool)
        return float(p) if usual and 1.0 <= p <= 64.0 else None
    return POWERS.get(model.metric)


def _keys(values: Floats, test: Ints, masks: Bools, some: Ints) -> NDArray[np.uint64]:
    rows = np.ascontiguousarray(values[test].T) + 0.0
    return np.asarray(row_keys(rows.view(np.int64), masks[some]))
