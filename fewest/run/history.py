"""The history of a run: one entry per generation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Candidates, Scores
from ..search.better import Better
from ..search.spaces.base import Space
from .archive import Archive
from .entries import Noted, described

#: Feature frequencies by generation are kept up to this many features.
MOST_FREQUENCIES = 400


class History:
    """The batches of a run, and the best candidate so far.

    A run may have tens of thousands of small batches. So a batch is only noted, by its rows in
    the archive; :attr:`entries` works out the statistics of all of them together.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self.best: list[float] = []
        self.costs: list[float] = []
        self.best_value = float("nan")
        self._best_row = -1
        self._best_cost = np.inf
        self._archive = Archive(space)
        self._noted = Noted()
        self._seen = 0

    def __len__(self) -> int:
        return len(self.best)

    @property
    def generation(self) -> int:
        """The number of the next generation, from 0."""
        return len(self.best)

    @property
    def best_row(self) -> int | None:
        """The row of the best candidate so far in the archive, None before there is one."""
        return self._best_row if self._best_row >= 0 else None

    @property
    def best_size(self) -> int:
        """The size of the best candidate so far, 0 before there is one."""
        return int(self._archive.size[self._best_row]) if self._best_row >= 0 else 0

    @property
    def entries(self) -> list[dict[str, Any]]:
        """One entry per generation."""
        return described(self._archive, self._noted, MOST_FREQUENCIES)

    def note(
        self,
        rows: NDArray[np.intp],
        scores: Scores,
        archive: Archive,
        seconds: float,
        scoring: float,
    ) -> None:
        """Add a batch that has been scored, given by its rows in the archive."""
        self._archive = archive
        self._advance(archive)
        top = float(np.fmax.reduce(scores.value))
        self.best.append(top if top == top else float("-inf"))
        self.costs.append(self._best_cost)
        self._noted.add(rows, len(archive), self._best_row, seconds, scoring)

    def _advance(self, archive: Archive) -> None:
        """Compare the best so far with what the archive has new: no full scan each time."""
        first, self._seen = self._seen, len(archive)
        rows = first + np.flatnonzero(archive.feasible[first:])
        rows = rows[self._may_be_best(archive, rows)]
        if not len(rows):
            return
        if self._best_row >= 0:
            rows = np.append(rows, self._best_row)
        value = archive.value[rows]
        row = int(rows[Better(self.space).best(archive.candidates[rows], value)])
        self._best_row, self.best_value = row, float(archive.value[row])
        self._best_cost = float(archive.cost[row])

    def _may_be_best(self, archive: Archive, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which rows are not worse than the best so far in value, or equal but more expensive."""
        value = archive.value[rows]
        if self._best_row < 0:
            return ~np.isnan(value)
        rounded, best = np.round(value, 12), np.round(self.best_value, 12)
        cheap = archive.cost[rows] <= self._best_cost
        return np.asarray((rounded > best) | ((rounded == best) & cheap))

    def about(self, batch: Candidates) -> dict[str, Any]:
        """What a journal tells of a batch to come: its number, and how often each feature is in.

        A single candidate is no population, and says as much itself.
        """
        told: dict[str, Any] = {"generation": self.generation}
        if len(batch) > 1:
            frequency = self.space.frequency(batch)
            if len(frequency) <= MOST_FREQUENCIES:
                told["frequency"] = [round(share, 4) for share in frequency.tolist()]
        return told

    def note_thinking(self, seconds: float) -> None:
        """Add the time that the search needed for its next batch."""
        if len(self):
            self._noted.thinking[-1] += seconds
