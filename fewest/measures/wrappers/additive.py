"""Fold accuracies of classifiers that add up evidence: a whole batch of subsets at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from ...data.blocks import BLOCK_ROWS, row_blocks
from ...data.columns import is_frame
from ...data.table import Table
from ...kernels.bayes.gather import gather_columns
from ...kernels.bayes.margins import evidence_margins, judge, judge_steps, nibbles, prior_margins
from ...kernels.bayes.short_margins import judge_rounded, rounding_pays, shorten
from ..base import Candidates, Scorer, Scores
from ..steps import Steps
from .splits import Split, Splits
from .wrapped import WrappedScorer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Packed = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class FoldRows:
    """The test rows of a fold, sorted by class; those of class t from bounds[t] on.

    Classes are numbered as the classifier numbers them: those of the training rows. Test rows
    of other classes can never be right: they count in ``size`` and are left out of ``rows``.
    """

    rows: NDArray[np.intp]
    bounds: Ints
    size: int

    @staticmethod
    def of(table: Table, split: Split) -> FoldRows:
        """Sort the test rows of a fold."""
        train, test = split
        seen = _seen(table, train)
        trained = np.flatnonzero(seen)
        rows = test[np.argsort(table.target[test], kind="stable")]
        rows = rows[seen[table.target[rows]]]
        bounds = np.searchsorted(table.target[rows], np.append(trained, table.n_classes))
        return FoldRows(rows, bounds.astype(np.int64), len(test))

    @property
    def n_classes(self) -> int:
        """Number of classes that the training rows show."""
        return len(self.bounds) - 1

    @property
    def truth(self) -> Ints:
        """The class of each row."""
        return np.repeat(np.arange(self.n_classes), np.diff(self.bounds))

    def blocks(self, table: Table, columns: Any = slice(None)) -> Iterator[tuple[Floats, Ints]]:
        """Values by column, shape (features, rows), and bounds of each block of the rows."""
        for part in row_blocks(len(self.rows)):
            x = columns_of(table, self.rows[part], columns)
            yield x, np.clip(self.bounds - part.start, 0, x.shape[1])


def columns_of(table: Table, rows: NDArray[np.intp], columns: Any = slice(None)) -> Floats:
    """The values of some rows by column, shape (features, rows)."""
    values = table.values
    if len(rows) < BLOCK_ROWS or not isinstance(values, np.ndarray) or not values.flags.carray:
        return np.ascontiguousarray(values[rows][:, columns].T, dtype=np.float64)
    out = np.empty((values.shape[1], len(rows)))
    gather_columns(values, rows, out)
    return np.ascontiguousarray(out[columns])


@dataclass(frozen=True, eq=False)
class Margins:
    """The margins of some rows; see :func:`~fewest.kernels.bayes.margins.judge`.

    ``bounds`` tells where the parts of the rows begin that are counted apart: those of several
    folds. ``short`` holds the margins in 16 bits, by which most rows are told; steps do without.
    """

    rivals: int
    margins: Floats
    base: Floats
    tolerance: Floats
    bounds: Ints

    @staticmethod
    def whole(rivals: int, margins: Floats, base: Floats, tolerance: Floats) -> Margins:
        """Margins of rows that are all counted together."""
        return Margins(rivals, margins, base, tolerance, np.array([0, len(base) // rivals]))

    @staticmethod
    def joined(parts: Sequence[Margins]) -> Margins:
        """Those of several parts, counted apart; all have the same number of rivals."""
        rivals = parts[0].rivals

        def beside(arrays: list[Floats]) -> Floats:
            # For each rival the rows of all parts.
            rows = [array.reshape(-1, rivals, array.shape[-1] // rivals) for array in arrays]
            return np.ascontiguousarray(np.concatenate(rows, axis=2)).reshape(len(rows[0]), -1)

        margins = beside([part.margins for part in parts])
        base = beside([part.base for part in parts])[0]
        tolerance = beside([part.tolerance for part in parts])[0]
        ends = np.cumsum([part.bounds[-1] for part in parts])
        return Margins(rivals, margins, base, tolerance, np.append(0, ends))

    @cached_property
    def short(self) -> NDArray[np.int16]:
        """The margins, rounded."""
        return np.asarray(shorten(self.margins, self.base, self.tolerance))

    def judge(self, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Add the rows of each part that each candidate has right, and those in doubt."""
        counts = np.atleast_2d(right), np.atleast_2d(doubtful)
        rest = self.rivals, self.bounds, packed, np.arange(len(packed)), *counts
        full = self.margins, self.base, self.tolerance
        if rounding_pays(packed, *self.margins.shape):
            judge_rounded(*full, self.short, *rest)
        else:
            judge(*full, *rest)

    def judge_steps(self, steps: Steps, right: Ints, doubtful: Ints) -> None:
        """The same for neighbours of one candidate, whose margins are summed once."""
        judge_steps(
            self.margins, self.base, self.tolerance, self.rivals, self.bounds,
            np.flatnonzero(steps.base), steps.units, steps.gains, np.atleast_2d(right),
            np.atleast_2d(doubtful),
        )  # fmt: skip


class AdditiveScorer(Scorer):
    """Counts the rows that each candidate gets right; doubtful folds go to a referee.

    Sums in floating point cannot tell which class is ahead where two are equal up to
    rounding. Candidates with such a row are decided, fold by fold, with the very arithmetic of
    the classifier, so that the scores are always its own.
    """

    batch = 1024
    prefer = "threads"

    def __init__(self, sizes: list[int]) -> None:
        self.sizes = sizes

    @abstractmethod
    def judge_fold(self, fold: int, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Add the counts of one fold; see :func:`fewest.kernels.bayes.margins.judge`."""

    @abstractmethod
    def referee(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """The accuracy of one candidate on one fold, as the classifier itself would have it."""

    def score(self, candidates: Candidates) -> Scores:
        """The fold accuracies of every candidate (each with at least one feature)."""
        candidates = np.asarray(candidates, dtype=bool)
        packed = nibbles(np.ascontiguousarray(candidates))

        def judge(fold: int, right: Ints, doubtful: Ints) -> None:
            self.judge_fold(fold, packed, right, doubtful)

        return self._judged(candidates, judge)

    def _judged(
        self, batch: Candidates | Steps, judge: Callable[[int, Ints, Ints], None]
    ) -> Scores:
        """Count fold by fold; ask the referee where a candidate is in doubt."""
        right, doubtful = np.zeros((2, len(self.sizes), len(batch)), dtype=np.int64)
        for fold in range(len(self.sizes)):
            judge(fold, right[fold], doubtful[fold])
        return self.decided(batch, right, doubtful)

    def decided(self, batch: Candidates | Steps, right: Ints, doubtful: Ints) -> Scores:
        """The fold accuracies from counts of shape (folds, candidates)."""
        # In the memory by candidates: the order of the sums of their means depends on it.
        folds = np.ascontiguousarray((right / np.array(self.sizes)[:, None]).T)
        for fold, i in np.argwhere(doubtful) if doubtful.any() else ():
            folds[i, fold] = self.referee(batch[i], int(fold))
        return Scores(folds.mean(axis=1), folds)


@dataclass(frozen=True, eq=False)
class FoldEvidence:
    """What each feature says of the test rows of a fold: log-likelihoods, trained without it.

    ``evidence`` has the shape (features, classes, rows), rows as in :class:`FoldRows`.
    """

    test: FoldRows
    log_prior: Floats
    evidence: Floats


class EvidenceScorer(AdditiveScorer):
    """An additive scorer from log-likelihoods that do not depend on the candidate.

    Parameters
    ----------
    folds : list of FoldEvidence
    unit : float
        Relative error of a sum of log-likelihoods, as the classifier computes it.
    prior_first : bool
        Whether the classifier starts its sum with the prior, or ends with it.
    slow : WrappedScorer or None
        The referee; None where the classifier adds feature after feature, in their order, so
        that its sums are known to the last bit.
    """

    def __init__(
        self,
        folds: list[FoldEvidence],
        unit: float,
        prior_first: bool = False,
        slow: WrappedScorer | None = None,
    ) -> None:
        super().__init__([fold.test.size for fold in folds])
        self.folds = folds
        self.prior_first = prior_first
        self.slow = slow
        self.margins = [self.make_margins(fold, unit) for fold in folds]

    def make_margins(self, fold: FoldEvidence, unit: float) -> Margins:
        """The margins of a fold."""
        return Margins.whole(len(fold.log_prior) - 1, *margins_of(fold, unit))

    def judge_fold(self, fold: int, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Sum the margins."""
        self.margins[fold].judge(packed, right, doubtful)

    def score_steps(self, steps: Steps) -> Scores:
        """The fold accuracies of neighbours of one candidate, whose margins are summed once."""

        def judge(fold: int, right: Ints, doubtful: Ints) -> None:
            self.margins[fold].judge_steps(steps, right, doubtful)

        return self._judged(steps, judge)

    def referee(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """Sum in the classifier's order, or ask the classifier."""
        if self.slow is not None:
            return self.slow.folds_of(candidate, [fold])[0]
        known = self.folds[fold]
        total = np.zeros(known.evidence.shape[1:])
        if self.prior_first:
            total += known.log_prior[:, None]
        for j in np.flatnonzero(candidate):
            total += known.evidence[j]
        if not self.prior_first:
            total += known.log_prior[:, None]
        truth = np.repeat(np.arange(len(known.log_prior)), np.diff(known.test.bounds))
        return float((self.decide(total, known.log_prior) == truth).sum() / known.test.size)

    def decide(self, total: Floats, log_prior: Floats) -> Ints:
        """The class of each row, from sums of shape (classes, rows)."""
        answer: Ints = total.argmax(axis=0)
        return answer


def margins_of(fold: FoldEvidence, unit: float) -> tuple[Floats, Floats, Floats]:
    """Margins, margins without any feature and tolerances of a fold."""
    d, n_classes, n = fold.evidence.shape
    margins = np.empty((d, (n_classes - 1) * n))
    size = np.empty(margins.shape[1])
    evidence_margins(fold.evidence, fold.test.bounds, 0, n, margins, size)
    base = prior_margins(fold.log_prior, fold.test.bounds, 0, n)
    size += 1.0 + 2.0 * np.abs(fold.log_prior).max()
    return margins, base, unit * size


def trained_target(table: Table, split: Split) -> Ints:
    """The classes of the training rows, numbered from 0 without gaps."""
    number: Ints = np.cumsum(_seen(table, split[0]), dtype=np.int64) - 1
    return np.asarray(number[table.target[split[0]]])


def fewest_trained(table: Table, splits: Splits) -> int:
    """The smallest number of classes that the training rows of a fold show."""
    return min(int(_seen(table, train).sum()) for train, _ in splits)


def _seen(table: Table, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which classes some rows show."""
    return np.bincount(table.target[rows], minlength=table.n_classes) > 0


def plain_table(table: Table) -> Table | None:
    """The table with the numbers that a scikit-learn estimator gets; None as for them."""
    if table.X is None or not table.nominal.any():
        known = _holds_doubles(table) and not table.incomplete.any()
        return table if known else None
    values = plain_numbers(table)
    kinds = (None,) * table.n_features
    return None if values is None else replace(table, values=values, levels=kinds)


def plain_numbers(table: Table) -> Floats | None:
    """The values as a scikit-learn estimator of numbers gets them; None where it would not.

    None also for float32, in which such an estimator would calculate, and for sparse columns.
    """
    if not _holds_doubles(table) or table.incomplete.any():
        return None
    values = table.doubles
    if table.X is None or not table.nominal.any():
        return values
    values = values.copy()
    for j in np.flatnonzero(table.nominal):
        levels = np.array(table.levels[j])
        if levels.dtype.kind not in "biuf":
            return None
        values[:, j] = levels[values[:, j].astype(np.intp)]
    return values


def _holds_doubles(table: Table) -> bool:
    X = table.X
    if X is None:
        return True
    if is_frame(X):
        kinds = nw.from_native(X, eager_only=True).schema.values()
        return all(k.is_integer() or k in (nw.Float64, nw.Boolean) for k in kinds)
    return isinstance(X, np.ndarray) and (X.dtype.kind in "biu" or X.dtype == np.float64)
