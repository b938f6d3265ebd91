"""Nearest neighbours of left-out rows, for many weightings of the features at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...classifiers.neighbours.blocks import Blocks, Neighbours, Queries, find_neighbours
from ...classifiers.neighbours.ranges import class_rank, range_scale, scales_without_own
from ...classifiers.neighbours.subset_votes import find_votes, summable
from ...data.table import Table
from ...kernels.neighbours.terms import WIDTH
from .folds import fold_of_rows
from .splits import Splits

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Entries of the largest array that one call makes.
MOST = 4_000_000


@dataclass(frozen=True, eq=False)
class TestedRows:
    """Rows that are left out, and who may then be their neighbours.

    ``fold`` is the fold of each of ``rows``; ``group`` is that of every place (see
    :class:`~fewest.classifiers.neighbours.blocks.Blocks`): rows of the same group as a query are
    no neighbours of it.
    """

    rows: NDArray[np.intp]
    fold: Ints
    queries: Queries
    group: Ints

    def neighbours(
        self,
        laid: Blocks,
        target: Ints,
        weights: Floats,
        k: int,
        *,
        squared: bool = True,
        measured: bool = False,
        whole: bool = False,
        absolute: Floats | None = None,
        lowest: NDArray[np.bool_] | None = None,
        fills: bool = False,
        begin: Ints | None = None,
    ) -> Neighbours:
        """What is found under each row of ``weights``; see ``find_neighbours``, ``find_votes``."""
        if not measured and summable(laid, self.queries, weights):
            return find_votes(
                laid,
                self.queries,
                weights,
                k,
                group=self.group,
                target=laid.spread(target, 0),
                squared=squared,
                whole=whole,
                absolute=np.zeros(len(weights)) if absolute is None else absolute,
                lowest=np.zeros(len(weights), dtype=bool) if lowest is None else lowest,
                fills=fills,
                begin=begin,
            )
        return find_neighbours(
            laid,
            self.queries,
            weights,
            k,
            group=self.group,
            target=laid.spread(target, 0),
            squared=squared,
            measured=measured,
            whole=whole,
            absolute=absolute,
            lowest=lowest,
            fills=fills,
        )


def rows_under_test(table: Table, laid: Blocks, splits: Splits, scaled: bool) -> list[TestedRows]:
    """The tested rows of some splits: all at once where the folds part the rows."""
    fold = fold_of_rows(table.n_rows, splits)
    if fold is not None:
        tested = np.flatnonzero(fold < len(splits))
        return [_rows(table, laid, splits, tested, fold[tested], fold, fold[tested], scaled)]
    found = []
    for number, (train, test) in enumerate(splits):
        group = np.ones(table.n_rows, dtype=np.int64)
        group[train] = 0
        own = np.ones(len(test), dtype=np.int64)
        folds = np.full(len(test), number, dtype=np.int64)
        found.append(_rows(table, laid, splits, test, folds, group, own, scaled))
    return found


def _rows(
    table: Table,
    laid: Blocks,
    splits: Splits,
    rows: NDArray[np.intp],
    fold: Ints,
    group: Ints,
    own: Ints,
    scaled: bool,
) -> TestedRows:
    scale = np.ones((len(splits), table.n_features))
    rank = np.zeros((len(splits), max(1, table.n_classes)), dtype=np.int64)
    for number, (train, _) in enumerate(splits):
        if scaled:
            scale[number] = range_scale(table.block(train), table.nominal)[0]
        if scaled and table.classes is not None:
            rank[number] = class_rank(np.bincount(table.target[train], minlength=table.n_classes))
        elif table.classes is not None:
            rank[number] = np.arange(table.n_classes)[::-1]
    queries = Queries(
        table.block(rows),
        own,
        laid.place[rows] // WIDTH,
        scale[fold],
        rank[fold],
    )
    return TestedRows(rows, fold, queries, laid.spread(group, -1))


def left_out_alone(table: Table, laid: Blocks) -> TestedRows:
    """Every row left out on its own: its range and its class are not counted."""
    n = table.n_rows
    counts = np.bincount(table.target, minlength=table.n_classes)
    ranks = np.array([class_rank(counts - own) for own in np.eye(table.n_classes, dtype=np.int64)])
    alone = np.arange(n, dtype=np.int64)
    queries = Queries(
        table.doubles,
        alone,
        laid.place // WIDTH,
        scales_without_own(table.doubles, table.nominal),
        ranks[table.target],
    )
    return TestedRows(np.arange(n), alone, queries, laid.spread(alone, -1))


def fold_accuracies(right: NDArray[np.bool_], fold: Ints, n_folds: int) -> Floats:
    """The share of right rows in each fold, shape (candidates, folds).

    >>> fold_accuracies(np.array([[True, False, True]]), np.array([0, 0, 1]), 2)
    array([[0.5, 1. ]])
    """
    member = np.zeros((len(fold), n_folds))
    member[np.arange(len(fold)), fold] = 1.0
    shares: Floats = (right.astype(np.float64) @ member) / member.sum(axis=0)
    return shares


def slices(n_candidates: int, per_candidate: int) -> list[slice]:
    """Parts of a batch whose arrays stay small."""
    size = max(1, MOST // max(1, per_candidate))
    return [slice(low, low + size) for low in range(0, max(1, n_candidates), size)]
