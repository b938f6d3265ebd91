"""Linear twins for tables that are too wide for a matrix of all pairs of columns per fold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ....data.table import Table
from ...base import Candidates, Scorer, Scores
from ...steps import Steps
from ..additive import plain_numbers
from ..wrapped import WrappedScorer
from .borders import Borders
from .columns import MOST_COLUMNS

#: Candidates share their cross products while they have at most this many columns together.
TOGETHER = 100


class WideScorer(Scorer):
    """Binds twins to the columns of a few candidates at a time.

    Subsets of wide tables are small. Those that follow each other in a batch are scored by one
    twin of the columns that they have together; a subset with more columns than a twin takes is
    left to the estimator. Steps that add a column need no twin at all (see ``borders``).
    """

    #: The empty subset is scored by the estimator.
    asks_when_empty = True

    def __init__(
        self,
        table: Table,
        slow: WrappedScorer,
        bind: Callable[[Table], Scorer | None],
        borders: Borders | None = None,
    ) -> None:
        self.table = table
        self.slow = slow
        self.bind = bind
        self.borders = borders

    def score(self, candidates: Candidates) -> Scores:
        """The fold scores of every candidate (each with at least one feature)."""
        candidates = np.asarray(candidates, dtype=bool)
        parts = [self._block(candidates[rows], columns) for rows, columns in blocks(candidates)]
        folds = np.concatenate(parts)
        return Scores(folds.mean(axis=1), folds)

    def score_steps(self, steps: Steps) -> Scores:
        """The same for neighbours of one candidate, which is solved once for all that add to it."""
        if self.borders is None or not self.borders.take(steps):
            return super().score_steps(steps)
        return self.borders.score(steps, self.score)

    def _block(
        self, candidates: NDArray[np.bool_], columns: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        twin = None
        if len(columns) <= MOST_COLUMNS:
            twin = self.bind(narrow(self.table, columns))
        scores = self.slow.score(candidates) if twin is None else twin.score(candidates[:, columns])
        assert scores.folds is not None
        return scores.folds


def blocks(candidates: NDArray[np.bool_]) -> Iterator[tuple[slice, NDArray[np.intp]]]:
    """Runs of candidates with few columns together, and these columns.

    >>> list(blocks(np.eye(2, dtype=bool)))
    [(slice(0, 2, None), array([0, 1]))]
    """
    start, together = 0, np.zeros(candidates.shape[1], dtype=bool)
    for i, candidate in enumerate(candidates):
        both = together | candidate
        if i > start and both.sum() > TOGETHER:
            yield slice(start, i), np.flatnonzero(together)
            start, both = i, candidate
        together = both
    yield slice(start, len(candidates)), np.flatnonzero(together)


def numbers_of(table: Table) -> Table | None:
    """The table as arrays of numbers, as an estimator sees it; None where it holds others."""
    X = plain_numbers(table)
    if X is None or not np.isfinite(X).all():
        return None
    return replace(table, values=X, levels=(None,) * table.n_features, X=None)


def narrow(table: Table, columns: NDArray[np.intp]) -> Table:
    """Some columns of a table of numbers."""
    return replace(
        table,
        names=tuple(table.names[j] for j in columns),
        values=np.ascontiguousarray(table.values[:, columns], dtype=np.float64),
        levels=(None,) * len(columns),
    )
