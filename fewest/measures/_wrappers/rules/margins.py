"""What naive Bayes learns on a fold, and the margins of its test rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._kernels.bayes.class_margins import gather_columns, judge, judge_masks, value_margins
from ....classifiers._naive_bayes import Evidence
from ..sources.pipelines import ColumnDensity

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]

#: A mean that may be off by more than this share of the standard deviation leaves too many doubts.
COARSE = 1e-3
#: Products of matrices are faster where candidates have one feature in so many.
MANY = 16
#: Fewer values are gathered faster by numpy.
FEW = 1 << 14


@dataclass(frozen=True, eq=False)
class FoldModel:
    """What was learned from the training rows of a fold, of every column on its own."""

    numbers: Any  #: (n, columns): all rows of the table, or those that the fold tests.
    rows: Places  #: Where the test rows are in it.
    #: The test rows whose class was trained, sorted by class, as places among the test rows;
    #: without those that ``odd`` lists.
    order: Places
    bounds: Ints  #: (classes + 1,): where the rows of each class begin in ``order``.
    owner: Places  #: (columns,): the feature that each column belongs to.
    unsure: Bools  #: (features,): candidates with one of these go to the referee.
    learned: Evidence
    #: (columns,): the largest of these over the columns of a candidate is added to all its
    #: variances.
    wide: Floats
    unit: float  #: Relative error of sums and variances; negative where they are exact.
    shift: Floats  #: (columns,): error of the means.
    #: Says which candidates reach the model as a sparse matrix, if it refuses one.
    density: ColumnDensity | None = None
    #: Test rows for which the columns together rule all classes out: they have no margins.
    odd: Places = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def without_odd(self) -> FoldModel:
        """Return the model with rows that all classes may be ruled out for listed apart."""
        ruled = np.isneginf(self.learned.levels)
        if not ruled.any():
            return self
        columns = np.flatnonzero(ruled.any(axis=(1, 2)))
        out = np.zeros((len(self.order), ruled.shape[2]), dtype=bool)
        for j, x in zip(columns, self.values(self.order, columns), strict=True):
            known = np.flatnonzero(x < ruled.shape[1])
            out[known] |= ruled[j, x[known].astype(np.intp)]
        odd = out.all(axis=1)
        bounds = np.append(0, np.cumsum(~odd))[self.bounds]
        return replace(self, order=self.order[~odd], odd=np.sort(self.order[odd]), bounds=bounds)

    @cached_property
    def coarse(self) -> Bools:
        """Columns whose margins are too uncertain to be summed with those of others."""
        positive = self.wide[self.wide > 0.0]
        more = np.maximum(self.wide, positive.min() if len(positive) else 0.0)
        least = (self.learned.variance + more).min(axis=0)
        clear = self.learned.nominal | (self.shift**2 <= COARSE**2 * least)
        return np.asarray(~clear | self.unsure[self.owner])

    def values(self, places: Places, columns: Places) -> Floats:
        """Return columns of some test rows, shape (columns, rows)."""
        rows = self.rows[places]
        if not isinstance(self.numbers, np.ndarray):
            return np.ascontiguousarray(self.numbers[:, columns][rows].T)
        if len(rows) * len(columns) < FEW or not self.numbers.flags.c_contiguous:
            whole = len(columns) == self.numbers.shape[1]
            part = self.numbers[rows] if whole else self.numbers[rows][:, columns]
            return np.ascontiguousarray(part.T, dtype=np.float64)
        out = np.empty((len(columns), len(rows)))
        gather_columns(self.numbers, rows, columns, out)
        return out


@dataclass(frozen=True, eq=False)
class Block:
    """Test rows of one or more folds with the same number of classes, beside each other.

    ``bounds`` says for each fold where the rows of its classes begin; ``x`` has the shape
    (columns, rows).
    """

    folds: tuple[int, ...]
    bounds: tuple[Ints, ...]
    x: Floats

    @property
    def rivals(self) -> int:
        """Number of classes but one."""
        return len(self.bounds[0]) - 2


def blocks(models: Sequence[FoldModel | None], columns: Places, most: int) -> Iterator[Block]:
    """Read some columns of all test rows, in blocks of about ``most`` margins."""
    known = [(fold, model) for fold, model in enumerate(models) if model is not None]
    for rivals in sorted({len(model.bounds) - 2 for _, model in known}):
        size, filled = max(64, most // max(1, len(columns) * rivals)), 0
        parts: list[tuple[int, Ints, Floats]] = []
        for fold, model in known:
            for low in range(0, len(model.order) if len(model.bounds) == rivals + 2 else 0, size):
                places = model.order[low : low + size]
                bounds = filled + np.clip(model.bounds - low, 0, len(places))
                parts.append((fold, bounds, model.values(places, columns)))
                filled += len(places)
                if filled >= size:
                    yield _beside(parts)
                    parts, filled = [], 0
        if parts:
            yield _beside(parts)


def _beside(parts: list[tuple[int, Ints, Floats]]) -> Block:
    folds, bounds, x = zip(*parts, strict=True)
    return Block(folds, bounds, x[0] if len(x) == 1 else np.concatenate(x, axis=1))


@dataclass(frozen=True, eq=False)
class Margins:
    """Return the margins of a block, without its values."""

    block: Block
    margins: Floats
    base: Floats
    tolerance: Floats

    @staticmethod
    def of(
        block: Block,
        models: Sequence[FoldModel | None],
        columns: Places,
        more: Floats,
        rough: Floats,
    ) -> Margins:
        """Make the margins of the columns of a block.

        ``more`` is added to the variances of each fold, ``rough`` is the relative error of that.
        """
        size = block.rivals * block.x.shape[1]
        margins, base, tolerance = np.zeros((len(columns), size)), np.empty(size), np.empty(size)
        for fold, bounds in zip(block.folds, block.bounds, strict=True):
            model = models[fold]
            assert model is not None
            own = model.learned
            value_margins(
                block.x, columns, bounds, own.log_prior, own.nominal, own.levels, own.mean,
                own.variance, more[fold], model.unit, rough[fold], model.shift, margins, base,
                tolerance,
            )  # fmt: skip
        return Margins(replace(block, x=np.empty((0, 0))), margins, base, tolerance)

    @cached_property
    def finite(self) -> bool:
        """Whether all margins are numbers."""
        return bool(np.isfinite(self.margins).all())

    @cached_property
    def ends(self) -> Ints:
        """Where the rows of each fold begin."""
        return np.array([0, *(bounds[-1] for bounds in self.block.bounds)])

    def count(self, masks: Bools, right: Ints, doubtful: Ints) -> None:
        """Add the rows that candidates have right and those in doubt, shape (folds, m)."""
        found = self._nothing(len(masks))
        given = self.margins, self.base, self.tolerance, self.block.rivals, self.ends
        if self.finite and MANY * np.count_nonzero(masks) >= masks.size:
            judge_masks(*given, masks.astype(np.float64), *found)
        else:
            rows, members = np.nonzero(masks)
            ends = np.searchsorted(rows, np.arange(len(masks) + 1))
            judge(*given, members, np.ones(len(members)), ends, *found)
        self._add(found, right, doubtful)

    def count_steps(
        self, have: Places, units: Places, gains: Ints, right: Ints, doubtful: Ints
    ) -> None:
        """Do the same for neighbours of one candidate, whose margins are summed once."""
        found, start = self._nothing(len(units)), self.base.copy()
        for margins in self.margins[have]:
            start += margins
        judge(
            self.margins, start, self.tolerance, self.block.rivals, self.ends, units,
            gains.astype(np.float64), np.arange(len(units) + 1), *found,
        )  # fmt: skip
        self._add(found, right, doubtful)

    def _nothing(self, m: int) -> Ints:
        return np.zeros((2, len(self.block.folds), m), dtype=np.int64)

    def _add(self, found: Ints, right: Ints, doubtful: Ints) -> None:
        folds = list(self.block.folds)
        right[folds] += found[0]
        doubtful[folds] += found[1]
