"""Scorer over some columns of a table, for candidates over all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._abilities import Audit
from ._measure import Candidates, Scorer, Scores
from ._steps import Steps


class Narrowed(Scorer):
    """Scores candidates that never use a column outside ``kept`` by a scorer of these columns.

    A measure that is bound to 500 of 20,000 columns needs a fraction of the time and the memory.

    Parameters
    ----------
    inner : Scorer
        Bound to the table of the kept columns.
    kept : int array
        Their positions among all columns, ascending.
    n_features : int
        How many columns there are in all.

    Notes
    -----
    It is not judged on parts of the rows (:meth:`Scorer.on_rows`): the columns were chosen on all
    of them.
    """

    def __init__(self, inner: Scorer, kept: NDArray[np.intp], n_features: int) -> None:
        self.inner, self.kept, self.n_features = inner, kept, n_features
        self.batch, self.prefer, self.operations = inner.batch, inner.prefer, inner.operations
        self.threshold, self.goal_names, self.notes = (
            inner.threshold, inner.goal_names, inner.notes,
        )  # fmt: skip

    def score(self, candidates: Candidates) -> Scores:
        """Score the kept columns of each candidate."""
        return self.inner.score(np.ascontiguousarray(np.asarray(candidates)[:, self.kept]))

    def score_steps(self, steps: Steps) -> Scores:
        """Score neighbours that differ in a kept column."""
        place = np.searchsorted(self.kept, steps.units)
        return self.inner.score_steps(Steps(steps.base[self.kept], place, steps.levels))

    def audit(self, candidates: NDArray[np.bool_]) -> Audit | None:
        """Audit the kept columns of each candidate."""
        return self.inner.audit(np.ascontiguousarray(candidates[:, self.kept]))

    def cuts(self, candidate: NDArray[np.bool_], limit: int = 1) -> NDArray[np.bool_]:
        """Return the cuts of the inner scorer, over all columns."""
        found = self.inner.cuts(candidate[self.kept], limit)
        wide = np.zeros((len(found), self.n_features), dtype=bool)
        wide[:, self.kept] = found
        return wide
