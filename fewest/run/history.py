"""The history of a run: one entry per generation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Candidates, Scores
from ..search.better import Better
from ..search.spaces.base import Space
from .archive import Archive

#: Feature frequencies by generation are kept up to this many features.
MOST_FREQUENCIES = 400


class History:
    """Statistics of every generation, and the best candidate so far."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.entries: list[dict[str, Any]] = []
        self.best: list[float] = []
        self.spread = 1.0
        self.best_value = float("nan")
        self.best_size = 0
        self._best_row: int | None = None
        self._seen = 0

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def generation(self) -> int:
        """The number of the next generation, from 0."""
        return len(self.entries)

    def note(
        self, batch: Candidates, scores: Scores, archive: Archive, seconds: float, scoring: float
    ) -> None:
        """Add the entry of a batch that has been scored."""
        frequency = self.space.frequency(batch)
        self.spread = self.space.spread(batch)
        self._advance(archive)
        value = scores.value[~np.isnan(scores.value)]
        entry: dict[str, Any] = {
            "generation": self.generation,
            "candidates": len(batch),
            "evaluations": len(archive),
            "best": float(value.max()) if len(value) else None,
            "mean": float(value.mean()) if len(value) else None,
            "std": float(value.std()) if len(value) else None,
            "mean_size": float(self.space.size(batch).mean()),
            "best_so_far": self.best_value,
            "best_size": self.best_size,
            "best_row": self._best_row,
            "seconds": seconds,
            "scoring_seconds": scoring,
            "search_seconds": 0.0,
        }
        if len(frequency) <= MOST_FREQUENCIES:
            entry["frequency"] = _plain(frequency)
        self.entries.append(entry)
        self.best.append(entry["best"] if entry["best"] is not None else float("-inf"))

    def _advance(self, archive: Archive) -> None:
        """Compare the best so far with what the archive has new: no full scan each time."""
        rows = np.arange(self._seen, len(archive))
        self._seen = len(archive)
        rows = rows[archive.feasible[rows]]
        rows = rows[~np.isnan(archive.scores.value[rows])]
        if self._best_row is not None:
            rows = np.append(rows, self._best_row)
        if not len(rows):
            return
        pool = archive.candidates[rows]
        row = int(rows[Better(self.space).best(pool, archive.scores.value[rows])])
        self._best_row, self.best_value = row, float(archive.scores.value[row])
        self.best_size = int(archive.masks(np.array([row])).sum())

    def about(self, batch: Candidates) -> dict[str, Any]:
        """What a journal tells of a batch to come: its number, and how often each feature is in.

        A single candidate is no population, and says as much itself.
        """
        told: dict[str, Any] = {"generation": self.generation}
        if len(batch) > 1:
            frequency = self.space.frequency(batch)
            if len(frequency) <= MOST_FREQUENCIES:
                told["frequency"] = _plain(frequency)
        return told

    def note_thinking(self, seconds: float) -> None:
        """Add the time that the search needed for its next batch."""
        if self.entries:
            self.entries[-1]["search_seconds"] += seconds


def _plain(frequency: NDArray[np.float64]) -> list[float]:
    return [round(f, 4) for f in frequency.tolist()]
