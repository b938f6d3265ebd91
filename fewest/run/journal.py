"""The journal: every score as it is made, one line a chunk, so that nothing is lost.

The first line says what the run is; each further line holds candidates and their scores, and the
first line of a batch how often each feature is in that batch. A search is a generator over one
seeded stream, so running it again with the recorded scores at hand leads to where it stopped, and
on from there. A last line that was cut off is dropped.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..errors import InputError
from ..measures.base import Candidates, Scores
from ..search.spaces.base import Space
from .lines import append_line, whole_lines

FORMAT = 1
#: What must agree between a journal and the run that continues it.
IDENTITY = ("data", "search", "measure", "space", "seed", "version")


@dataclass(frozen=True)
class Recording(os.PathLike[str]):
    """The path of a journal, with what else its first line should tell.

    >>> os.fspath(Recording("run.jsonl", {"command": {"data": "iris"}}))
    'run.jsonl'
    """

    path: str
    about: dict[str, Any]

    def __fspath__(self) -> str:
        return self.path


class Journal:
    """An append-only file of scores."""

    def __init__(self, path: str | os.PathLike[str], header: dict[str, Any]) -> None:
        self.path = Path(path)
        self.recorded: dict[bytes, dict[str, Any]] = {}
        about = path.about if isinstance(path, Recording) else {}
        header = {"fewest": "journal", "format": FORMAT, **header, **about}
        if self.path.exists() and self.path.stat().st_size > 0:
            self._continue(header)
        else:
            with self._writing():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file: IO[str] = self.path.open("w", encoding="utf-8")
            self._append(header)

    def _continue(self, header: dict[str, Any]) -> None:
        lines, end = read_lines(self.path)
        _check_same_run(self.path, lines[0], header)
        for line in lines[1:]:
            self._remember(line)
        with self._writing():
            # Whatever a crash tore off is cut away, so that the next line starts clean.
            os.truncate(self.path, end)
            self._file = self.path.open("a", encoding="utf-8")

    def _remember(self, line: dict[str, Any]) -> None:
        folds = line.get("folds")
        for i, key in enumerate(line.get("keys", ())):
            self.recorded[bytes.fromhex(key)] = {
                "value": _number(line["value"][i]),
                "folds": None if folds is None else [_number(f) for f in folds[i]],
                "goals": {name: _number(g[i]) for name, g in line.get("goals", {}).items()},
            }

    def record(self, space: Space, candidates: Candidates, scores: Scores, **about: Any) -> None:
        """Append the scores of some candidates; they are on disk when this returns.

        ``about`` is what else the line tells, such as the generation.
        """
        line: dict[str, Any] = {
            **about,
            "keys": [key.hex() for key in space.keys(candidates)],
            "value": _plain(scores.value),
        }
        if scores.folds is not None:
            line["folds"] = [_plain(row) for row in scores.folds]
        if scores.goals:
            line["goals"] = {name: _plain(goal) for name, goal in scores.goals.items()}
        self._append(line)

    def take(self, keys: list[bytes]) -> Scores:
        """The recorded scores of these keys."""
        found = [self.recorded[key] for key in keys]
        folds = None if found[0]["folds"] is None else np.array([f["folds"] for f in found])
        goals = {name: np.array([f["goals"][name] for f in found]) for name in found[0]["goals"]}
        return Scores(np.array([f["value"] for f in found]), folds, goals)

    def _append(self, line: dict[str, Any]) -> None:
        with self._writing():
            append_line(self._file, line)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(
                f"The journal {self.path} cannot be written ({error.strerror}); what it holds so "
                "far stays. Free the disk or choose another path, and resume."
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_lines(path: str | os.PathLike[str]) -> tuple[list[dict[str, Any]], int]:
    """The whole lines of a journal, and where the last of them ends in bytes."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"The journal {path} cannot be read ({error.strerror}).") from error
    lines, end = whole_lines(raw)
    if not lines or lines[0].get("fewest") != "journal":
        raise InputError(f"{path} is not a journal of fewest: its first line does not say so.")
    if lines[0].get("format") != FORMAT:
        raise InputError(
            f"The journal {path} has format {lines[0].get('format')}, but this version reads "
            f"format {FORMAT}; resume it with fewest {lines[0].get('version')}."
        )
    return lines, end


def _check_same_run(path: Path, found: dict[str, Any], header: dict[str, Any]) -> None:
    wanted = json.loads(json.dumps(header))
    for what in IDENTITY:
        if found.get(what) != wanted.get(what):
            raise InputError(
                f"The journal {path} is from another run: its {what} is {found.get(what)!r}, "
                f"here it is {wanted.get(what)!r}. Give another journal, or repeat that run."
            )


def _plain(values: Any) -> list[float | None]:
    return [None if np.isnan(v) else float(v) for v in values]


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
