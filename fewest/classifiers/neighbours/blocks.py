"""Rows laid out for the search of neighbours, and candidates as short sums of terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.neighbours.nearest import nearest_rows
from ...kernels.neighbours.terms import WIDTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Distances in double precision that differ by less, relative to them, are equal: sums of the
#: same differences in another order differ by less.
EQUAL = 1e-12
#: At least so many candidates pay for tables of sums.
FEW = 32


@dataclass(frozen=True, eq=False)
class Blocks:
    """Rows in blocks of rows that are near each other, so that far blocks can be skipped.

    ``place[i]`` is where row i stands, ``row[p]`` is the row at place p (-1 for none).
    """

    blocks: Floats
    low: Floats
    high: Floats
    values: Floats
    overlap: NDArray[np.bool_]
    place: Ints
    row: Ints

    @staticmethod
    def of(values: Floats, overlap: NDArray[np.bool_], *, in_order: bool = False) -> Blocks:
        """Lay out rows; NaN is unknown, ``overlap`` says which features hold labels.

        With ``in_order`` they stay in their order.
        """
        order = np.arange(len(values)) if in_order else _near_each_other(values)
        n, d = values.shape
        n_blocks = -(-n // WIDTH)
        row = np.full(n_blocks * WIDTH, -1, dtype=np.int64)
        row[:n] = order
        laid = np.ascontiguousarray(values[np.where(row < 0, order[-1], row)])
        blocks = np.ascontiguousarray(laid.reshape(n_blocks, WIDTH, d).transpose(0, 2, 1))
        unknown = np.isnan(blocks).any(axis=2)
        low = np.where(unknown, -np.inf, blocks.min(axis=2)).T
        high = np.where(unknown, np.inf, blocks.max(axis=2)).T
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        return Blocks(
            blocks, np.ascontiguousarray(low), np.ascontiguousarray(high), laid, overlap, place, row
        )

    def spread(self, by_row: NDArray[Any], nothing: Any) -> NDArray[Any]:
        """What belongs to the rows, in the order of the places; ``nothing`` where there is none."""
        return np.where(self.row < 0, nothing, by_row[self.row])


def _near_each_other(values: Floats) -> Ints:
    """An order in which rows side by side are near: halves by the widest feature, and so on."""
    filled = np.where(np.isnan(values), 0.0, values)
    out: list[NDArray[np.intp]] = []
    todo = [np.arange(len(values))]
    while todo:
        part = todo.pop()
        if len(part) <= WIDTH:
            out.append(part)
            continue
        widest = int(filled[part].var(axis=0).argmax())
        part = part[np.argsort(filled[part, widest], kind="stable")]
        half = (len(part) // WIDTH + 1) // 2 * WIDTH
        todo += [part[half:], part[:half]]
    return np.concatenate(out).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Terms:
    """Weight vectors as sums of few terms (see :mod:`fewest.kernels.neighbours.terms`)."""

    parent: Ints
    feature: Ints
    step: NDArray[np.float32]
    chosen: NDArray[np.uint64]
    factor: NDArray[np.float32]
    count: Ints

    @staticmethod
    def of(weights: Floats) -> Terms:
        """The terms of a batch of weight vectors, one row each."""
        levels = np.unique(weights[weights != 0.0])
        if len(weights) >= FEW and len(levels) <= 2:
            return _looked_up(weights, levels)
        return _multiplied(weights)


def _multiplied(weights: Floats) -> Terms:
    """Every feature is a term; its factor is its weight."""
    d = weights.shape[1]
    order = np.argsort(weights == 0.0, axis=1, kind="stable").astype(np.int64)
    return Terms(
        np.full(d, -1, dtype=np.int64),
        np.arange(d, dtype=np.int64),
        np.ones(d, dtype=np.float32),
        order.astype(np.uint64),
        np.take_along_axis(weights, order, axis=1).astype(np.float32),
        np.count_nonzero(weights, axis=1).astype(np.int64),
    )


def _looked_up(weights: Floats, levels: Floats) -> Terms:
    """The sums over every few features for every choice of their levels."""
    m, d = weights.shape
    base = len(levels) + 1
    width = 4 if base <= 2 else 3
    codes = np.searchsorted(levels, weights) + 1
    codes[weights == 0.0] = 0
    groups = [np.arange(j, min(j + width, d)) for j in range(0, d, width)]
    number = np.column_stack([codes[:, g] @ base ** np.arange(len(g)) for g in groups])
    parent, feature, step, first = _sums(groups, base, levels)
    at = number + first
    order = np.argsort(number == 0, axis=1, kind="stable")
    return Terms(
        parent,
        feature,
        step,
        np.take_along_axis(np.maximum(at, 0), order, axis=1).astype(np.uint64),
        np.ones((m, len(groups)), dtype=np.float32),
        np.count_nonzero(number, axis=1).astype(np.int64),
    )


def _sums(
    groups: list[NDArray[Any]], base: int, levels: Floats
) -> tuple[Ints, Ints, NDArray[np.float32], Ints]:
    """Each sum as a smaller one and one feature more; term 0 of a group is never looked up."""
    parent: list[int] = []
    feature: list[int] = []
    step: list[float] = []
    first: list[int] = []
    for group in groups:
        start = len(parent) - 1
        first.append(start)
        for code in range(1, base ** len(group)):
            digit = int(np.log(code + 0.5) / np.log(base))
            rest = code % base**digit
            parent.append(start + rest if rest else -1)
            feature.append(int(group[digit]))
            step.append(levels[code // base**digit - 1])
    return (
        np.array(parent, dtype=np.int64),
        np.array(feature, dtype=np.int64),
        np.array(step, dtype=np.float32),
        np.array(first, dtype=np.int64),
    )


@dataclass(frozen=True, eq=False)
class Queries:
    """Rows whose neighbours are asked for.

    ``own`` is the group of each (its rows are no neighbours), ``scale`` what the differences of
    numbers are multiplied by, ``rank`` which class wins among equals; shapes (queries,),
    (queries, features), (queries, classes).
    """

    values: Floats
    own: Ints
    home: Ints
    scale: Floats
    rank: Ints


@dataclass(frozen=True, eq=False)
class Neighbours:
    """What was found, one row per candidate and column per query."""

    predicted: Ints
    open_ties: NDArray[np.bool_]
    near: Ints
    far: Floats

    @staticmethod
    def room(m: int, n: int, k: int) -> Neighbours:
        """Room for m candidates and n queries, and for k neighbours of each; 0 for votes alone."""
        shape = (m, n, k) if k else (0, 0, 0)
        return Neighbours(
            np.empty((m, n), dtype=np.int64),
            np.empty((m, n), dtype=bool),
            np.empty(shape, dtype=np.int64),
            np.empty(shape),
        )


def find_neighbours(
    laid: Blocks,
    queries: Queries,
    weights: Floats,
    k: int,
    *,
    group: Ints,
    target: Ints,
    squared: bool = True,
    measured: bool = False,
    whole: bool = False,
    absolute: Floats | None = None,
    lowest: NDArray[np.bool_] | None = None,
    fills: bool = False,
) -> Neighbours:
    """The neighbours of queries under each row of ``weights``.

    ``group`` and ``target`` are those of the places. ``whole`` promises that all distances are
    small whole numbers, so that single precision is exact. Distances that differ by less than
    ``absolute`` (one number per candidate) are equal. Where ``lowest`` is set, the first of
    equally near rows decides alone (k = 1). With ``fills`` exactly k rows vote, as in
    scikit-learn, and ties are open only where it matters which.
    """
    terms = Terms.of(weights)
    m, n = len(weights), len(queries.values)
    found = Neighbours.room(m, n, k if measured else 0)
    error = 0.0 if whole else 4.0 * (weights.shape[1] + 8) * float(np.finfo(np.float32).eps)
    nearest_rows(
        laid.blocks, laid.low, laid.high, laid.values, laid.overlap, squared,
        group.reshape(len(laid.blocks), WIDTH), queries.values, queries.own, queries.home,
        queries.scale, terms.parent, terms.feature, terms.step, terms.chosen, terms.factor,
        terms.count, weights, k, np.float32(1.0 + error), EQUAL,
        np.zeros(m) if absolute is None else absolute, target, queries.rank, laid.row,
        np.zeros(m, dtype=bool) if lowest is None else lowest, fills, measured,
        found.near, found.far, found.predicted, found.open_ties,
    )  # fmt: skip
    return found
