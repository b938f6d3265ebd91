"""The statistics of all generations of a run, worked out together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .archive import Archive

#: Candidates are written out in parts of about so many cells.
PART_CELLS = 2**24


@dataclass
class Noted:
    """What is kept of every batch while a run goes on; one entry per batch in each list."""

    #: The rows of the candidates in the archive.
    rows: list[NDArray[np.intp]] = field(default_factory=list)
    #: The size of the archive, and the row of the best candidate in it (-1: none yet).
    evaluations: list[int] = field(default_factory=list)
    best_row: list[int] = field(default_factory=list)
    #: Seconds since the start, and seconds spent on scoring and on the next proposal.
    seconds: list[float] = field(default_factory=list)
    scoring: list[float] = field(default_factory=list)
    thinking: list[float] = field(default_factory=list)

    def add(
        self,
        rows: NDArray[np.intp],
        evaluations: int,
        best_row: int,
        seconds: float,
        scoring: float,
    ) -> None:
        """Note one more batch."""
        self.rows.append(rows)
        self.evaluations.append(evaluations)
        self.best_row.append(best_row)
        self.seconds.append(seconds)
        self.scoring.append(scoring)
        self.thinking.append(0.0)


def described(archive: Archive, noted: Noted, most_features: int) -> list[dict[str, Any]]:
    """One entry per batch; with the share of each feature where there are not too many."""
    if not noted.rows:
        return []
    sizes = np.array([len(rows) for rows in noted.rows])
    rows, starts = np.concatenate(noted.rows), np.cumsum(sizes) - sizes
    best = np.array(noted.best_row)
    known = best >= 0
    columns: dict[str, list[Any]] = {
        "generation": list(range(len(sizes))),
        "candidates": sizes.tolist(),
        "evaluations": noted.evaluations,
        **_values(archive.value[rows], starts),
        "mean_size": (np.add.reduceat(archive.size[rows], starts) / sizes).tolist(),
        "best_so_far": np.where(known, archive.value[best], np.nan).tolist(),
        "best_size": np.where(known, archive.size[best], 0).tolist(),
        "best_row": [None if row < 0 else row for row in noted.best_row],
        "seconds": _micro(noted.seconds),
        "scoring_seconds": _micro(noted.scoring),
        "search_seconds": _micro(noted.thinking),
    }
    if archive.space.frequency(archive.candidates[:1]).shape[0] <= most_features:
        columns["frequency"] = [row for part in _shares(archive, noted.rows) for row in part]
    return [dict(zip(columns, entry, strict=True)) for entry in zip(*columns.values(), strict=True)]


def _micro(seconds: list[float]) -> list[float]:
    return [round(s, 6) for s in seconds]


def _values(value: NDArray[np.float64], starts: NDArray[np.intp]) -> dict[str, list[Any]]:
    """Highest, mean and standard deviation of the scores; None where a batch has no score."""
    missing = np.isnan(value)
    scored = np.add.reduceat(~missing, starts, dtype=np.int64)
    lengths = np.diff(np.append(starts, len(value)))
    with np.errstate(invalid="ignore"):
        mean = np.add.reduceat(np.where(missing, 0.0, value), starts) / scored
        difference = np.where(missing, 0.0, value - np.repeat(mean, lengths))
        deviation = np.sqrt(np.add.reduceat(difference**2, starts) / scored)
    best = np.fmax.reduceat(value, starts)
    columns = {"best": best, "mean": mean, "std": deviation}
    return {
        name: [found if n else None for found, n in zip(column.tolist(), scored, strict=True)]
        for name, column in columns.items()
    }


def _shares(archive: Archive, batches: list[NDArray[np.intp]]) -> Iterator[list[list[float]]]:
    """How often each feature is used in each batch, in parts that fit in memory."""
    room = max(1, PART_CELLS // max(1, archive.space.n_units))
    first = 0
    while first < len(batches):
        last, total = first, 0
        while last < len(batches) and (last == first or total + len(batches[last]) <= room):
            total += len(batches[last])
            last += 1
        own = batches[first:last]
        sizes = np.array([len(rows) for rows in own])
        used = archive.space.uses(np.asarray(archive.candidates[np.concatenate(own)]))
        counts = np.add.reduceat(used, np.cumsum(sizes) - sizes, axis=0, dtype=np.int64)
        yield np.round(counts / sizes[:, None], 4).tolist()
        first = last
