"""History of a run: one entry per generation, in memory and in a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ..measures._measure import Candidates, Scores
from ..search._better import Better
from ..search._spaces.space import Space
from .archive import Archive

#: Candidates are written out in parts of about this many cells.
CELLS_PER_PART = 2**24


@dataclass
class Noted:
    """Notes on every batch while a run goes on; one entry per batch in each list."""

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
    """Return one entry per batch; with the share of each feature where there are not too many."""
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
    """Return highest, mean and standard deviation of the scores; None for batches without one."""
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
    """Yield how often each feature is used in each batch, in parts that fit in memory."""
    room = max(1, CELLS_PER_PART // max(1, archive.space.n_units))
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


#: Feature frequencies by generation are kept up to this many features.
MOST_FREQUENCIES = 400


class History:
    """Batches of a run, and the best candidate so far.

    A run may have tens of thousands of small batches. So a batch is only noted, by its rows in
    the archive; :attr:`entries` works out the statistics of all of them together.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self.best: list[float] = []
        self.costs: list[float] = []
        self.best_value: float = float("nan")
        self._best_row = -1
        self._best_cost = np.inf
        self._archive = Archive(space)
        self._noted = Noted()
        self._seen = 0

    def __len__(self) -> int:
        return len(self.best)

    @property
    def generation(self) -> int:
        """Number of the next generation, from 0."""
        return len(self.best)

    @property
    def best_row(self) -> int | None:
        """Row of the best candidate so far in the archive, None before there is one."""
        return self._best_row if self._best_row >= 0 else None

    @property
    def best_size(self) -> int:
        """Size of the best candidate so far, 0 before there is one."""
        return int(self._archive.size[self._best_row]) if self._best_row >= 0 else 0

    @property
    def entries(self) -> list[dict[str, Any]]:
        """Return one entry per generation."""
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
        """Mark the rows not worse than the best so far in value, or equal but more expensive."""
        value = archive.value[rows]
        if self._best_row < 0:
            return ~np.isnan(value)
        rounded, best = np.round(value, 12), np.round(self.best_value, 12)
        cheap = archive.cost[rows] <= self._best_cost
        return np.asarray((rounded > best) | ((rounded == best) & cheap))

    def about(self, batch: Candidates) -> dict[str, Any]:
        """Return what a journal notes of a batch to come: its number and the use of each feature.

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


Plain = dict[str, Any]
#: Written only where it changes; null means "as in the generation before".
BEST = "best_features"
#: Shares of features; 0.0 and 1.0, which most of them are, are written as 0 and 1.
SHARES = "frequency"


def columns(history: Sequence[Mapping[str, Any]]) -> Plain | Sequence[Mapping[str, Any]]:
    """Return the entries as columns; unchanged where they do not all have the same keys.

    >>> columns([{"best": 0.5, "best_features": [2]}, {"best": 0.6, "best_features": [2]}])
    {'best': [0.5, 0.6], 'best_features': [[2], None]}
    """
    keys = list(history[0]) if history else []
    if not keys or any(list(entry) != keys for entry in history):
        return history
    found: Plain = {key: [entry[key] for entry in history] for key in keys}
    if BEST in found:
        told = found[BEST]
        changes = (a != b for a, b in zip(told[1:], told, strict=False))
        found[BEST] = [told[0], *(t if c else None for t, c in zip(told[1:], changes, strict=True))]
    if SHARES in found and all(isinstance(row, list) for row in found[SHARES]):
        found[SHARES] = [[int(s) if s in (0.0, 1.0) else s for s in row] for row in found[SHARES]]
    return found


def entries(told: Any, where: str) -> Any:
    """Return the entries behind columns; anything that is not an object of lists is unchanged.

    >>> entries({"best": [0.5, 0.6], "best_features": [[2], None]}, "r.json")[1]
    {'best': 0.6, 'best_features': [2]}
    """
    if not isinstance(told, dict):
        return told
    lists = list(told.values())
    if not all(isinstance(one, list) for one in lists) or len({len(one) for one in lists}) > 1:
        raise InputError(
            f"`history` in {where} must have one list per quantity, all of the same length."
        )
    if BEST in told:
        told = {**told, BEST: _filled(told[BEST])}
    return [dict(zip(told, entry, strict=True)) for entry in zip(*told.values(), strict=True)]


def _filled(changes: list[Any]) -> list[Any]:
    filled, last = [], None
    for change in changes:
        last = last if change is None else change
        filled.append(last)
    return filled


def lines(plain: Plain) -> str:
    """Write JSON with one line per field: short, and still readable and comparable by lines.

    >>> print(lines({"a": [1, 2], "b": None}), end="")
    {
     "a": [1,2],
     "b": null
    }
    """
    told = (
        f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'), allow_nan=False)}"
        for key, value in plain.items()
    )
    return "{\n" + ",\n".join(told) + "\n}\n"
