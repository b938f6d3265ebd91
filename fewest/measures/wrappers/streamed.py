"""Naive Bayes over many rows: margins are made block by block; small tables keep them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...classifiers.bayes.naive_bayes import Evidence
from ...data.blocks import BLOCK_ROWS, row_blocks
from ...data.class_sums import ClassSums
from ...data.table import Table
from ...kernels.bayes.margins import nibbles, prior_margins
from ...kernels.bayes.value_margins import value_margins
from ..base import Candidates, Scores
from ..steps import Steps
from .additive import AdditiveScorer, Floats, FoldRows, Ints, Margins, Packed
from .folds import Splits, fold_of_rows

EPS = float(np.finfo(np.float64).eps)

#: Margins are kept if there are no more than this; else each batch makes them anew, which costs
#: about as much as to read so many from memory.
KEPT = 2**20


@dataclass(frozen=True, eq=False)
class FoldModel:
    """The test rows of a fold and what was learned without them.

    ``rough`` is the relative error of the variances and ``shift`` the error of the means, of
    shape (features,): how far other sums of the same rows may be from these.
    """

    test: FoldRows
    learned: Evidence
    rough: Floats
    shift: Floats


@dataclass(frozen=True, eq=False)
class Blocks:
    """Margins of blocks of rows: of each its fold, and its rows among the test rows there."""

    folds: list[int]
    rows: list[slice]
    margins: Margins


class StreamedScorer(AdditiveScorer):
    """An additive scorer that reads the rows of the table for every batch.

    Parameters
    ----------
    table : Table
    folds : list of FoldModel
    unit : float
        Relative error of a sum of log-likelihoods, as the classifier computes it.
    """

    #: How many times as many margins are kept.
    room = 1

    def __init__(self, table: Table, folds: list[FoldModel], unit: float) -> None:
        super().__init__([fold.test.size for fold in folds])
        self.table = table
        self.folds = folds
        self.unit = unit
        rivals = max(fold.test.n_classes for fold in folds) - 1
        self.kept: list[Blocks] | None = None
        if table.n_rows * table.n_features * rivals <= self.room * KEPT:
            self.kept = _joined(self._made())

    @abstractmethod
    def settle(self, candidate: NDArray[np.bool_], fold: int, rows: slice) -> int | None:
        """How many of some test rows of a fold the classifier has right; None if unknown."""

    def blocks(self) -> Iterable[Blocks]:
        """The margins of the test rows of all folds."""
        return self._made() if self.kept is None else self.kept

    def _made(self) -> Iterator[Blocks]:
        for fold, own in enumerate(self.folds):
            known, low = own.learned, 0
            for x, bounds in own.test.blocks(self.table):
                base = prior_margins(known.log_prior, bounds, 0, x.shape[1])
                margins = np.zeros((len(x), len(base)))
                start = self.unit * (1.0 + 2.0 * np.abs(known.log_prior).max())
                tolerance = np.full(len(base), start)
                value_margins(
                    x, bounds, known.nominal, known.levels, known.mean, known.variance, self.unit,
                    own.rough, own.shift, margins, tolerance,
                )  # fmt: skip
                rows = slice(low, low + x.shape[1])
                rivals = own.test.n_classes - 1
                yield Blocks([fold], [rows], Margins.whole(rivals, margins, base, tolerance))
                low = rows.stop

    def score(self, candidates: Candidates) -> Scores:
        """The fold accuracies of every candidate (each with at least one feature)."""
        candidates = np.asarray(candidates, dtype=bool)
        packed = nibbles(np.ascontiguousarray(candidates))
        return self._by_blocks(candidates, lambda own, *counts: own.judge(packed, *counts))

    def judge_fold(self, fold: int, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Sum the margins."""
        for own in self.blocks():
            sure, open_rows = np.zeros((2, len(own.folds), len(packed)), dtype=np.int64)
            own.margins.judge(packed, sure, open_rows)
            mine = np.array(own.folds) == fold
            right += sure[mine].sum(axis=0)
            doubtful += open_rows[mine].sum(axis=0)

    def score_steps(self, steps: Steps) -> Scores:
        """The fold accuracies of neighbours of one candidate, whose margins are summed once."""
        return self._by_blocks(steps, lambda own, *counts: own.judge_steps(steps, *counts))

    def _by_blocks(
        self, batch: Candidates | Steps, judge: Callable[[Margins, Ints, Ints], None]
    ) -> Scores:
        """Count block by block; what is in doubt is settled in its block, if it can be."""
        right, doubtful = np.zeros((2, len(self.sizes), len(batch)), dtype=np.int64)
        for own in self.blocks():
            sure, open_rows = np.zeros((2, len(own.folds), len(batch)), dtype=np.int64)
            judge(own.margins, sure, open_rows)
            for block, i in np.argwhere(open_rows) if open_rows.any() else ():
                found = self.settle(batch[i], own.folds[block], own.rows[block])
                sure[block, i], open_rows[block, i] = (
                    (sure[block, i], 1) if found is None else (found, 0)
                )
            for block, fold in enumerate(own.folds):
                right[fold] += sure[block]
                doubtful[fold] += open_rows[block]
        return self.decided(batch, right, doubtful)


def _joined(blocks: Iterable[Blocks]) -> list[Blocks]:
    """The blocks of all folds with the same number of classes as one: judged in one go."""
    alike: dict[int, list[Blocks]] = {}
    for block in blocks:
        alike.setdefault(block.margins.rivals, []).append(block)
    return [
        Blocks(
            [fold for block in own for fold in block.folds],
            [rows for block in own for rows in block.rows],
            Margins.joined([block.margins for block in own]),
        )
        for own in alike.values()
    ]


def fold_sums(table: Table, splits: Splits, plain: bool = False) -> ClassSums | None:
    """Sums by fold and class, by one reading of the table; None where the folds overlap.

    Rows that no fold tests are in one more fold at the end. With ``plain`` all columns are
    numbers.
    """
    fold = fold_of_rows(table.n_rows, splits)
    if fold is None:
        return None
    kinds = np.zeros_like(table.nominal) if plain else table.nominal
    levels = int(table.cardinalities.max(initial=0))
    sums = ClassSums.nothing(kinds, levels, len(splits) + 1, table.n_classes)
    for rows in row_blocks(table.n_rows):
        part = table.block(rows)
        sums.add(part, table.target[rows], fold[rows], np.ones(len(part)))
    return sums


def extremes(table: Table) -> tuple[Floats, Floats]:
    """The smallest and the largest known value of each column."""
    low, high = np.full(table.n_features, np.inf), np.full(table.n_features, -np.inf)
    for rows in row_blocks(table.n_rows):
        part = table.values[rows]
        low = np.fmin(low, np.fmin.reduce(part, axis=0))
        high = np.fmax(high, np.fmax.reduce(part, axis=0))
    return low, high


def rounding(n: int, largest: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Relative error of variances and error of means that are joined from parts of the rows.

    Rows are added one by one within a block, and blocks one by one. An error of a mean changes
    the squares between the blocks in proportion to it.
    """
    unit = 4.0 * (min(n, BLOCK_ROWS) + n / BLOCK_ROWS + 32.0) * EPS
    shift = unit * largest
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.fmin(shift / np.sqrt(variance.min(axis=0)), 1.0)
    return unit + 4.0 * share + share**2, shift
