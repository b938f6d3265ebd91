"""Journal: every score as it is made, so that nothing is lost.

The first line says what the run is. Each further line holds candidates and their scores; the
first line of a batch also tells how often each feature is in that batch. Importances that a search
asked for are lines of their own. A search is a generator
over one seeded stream: run again with the recorded scores at hand, it comes to where it stopped,
and goes on from there. A last line that was cut off is dropped. A line that was damaged stops the
reading with a sentence (see :mod:`fewest._run.journal_format` for the checksums).
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .._errors import InputError
from ..data._loaders.contents import refuse_special
from ..measures._abilities import Importances
from ..measures._measure import Candidates, Scores
from ..search._spaces.space import Space
from .journal_format import (
    FORMAT,
    Chain,
    DamagedError,
    Reader,
    append,
    check_header,
    check_line,
    intact_prefix,
)
from .whole_files import lock, new_beside

#: What must agree between a journal and the run that continues it.
IDENTITY_KEYS = ("data", "search", "measure", "space", "seed", "version", "consensus")


@dataclass(frozen=True)
class Recording(os.PathLike[str]):
    """Path of a journal, with what else its first line should hold.

    >>> os.fspath(Recording("run.jsonl", {"command": {"data": "iris"}}))
    'run.jsonl'
    """

    path: str
    about: dict[str, Any]

    def __fspath__(self) -> str:
        return self.path


class Journal:
    """Append-only file of scores, written by one process at a time."""

    def __init__(self, path: str | os.PathLike[str], header: dict[str, Any]) -> None:
        self.path: Path = Path(path)
        self.recorded: dict[bytes, dict[str, Any]] = {}
        self.told: dict[str, Importances] = {}
        self._chain: Chain | None = Chain()
        about = path.about if isinstance(path, Recording) else {}
        header = {"fewest": "journal", "format": FORMAT, **header, **about}
        with self._writing():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not has_lines(self.path):
                self._begin(header)
            self._continue(header)

    def _begin(self, header: dict[str, Any]) -> None:
        """Put a new journal in place, whole with its first line."""
        with new_beside(self.path) as (descriptor, partial):
            append(descriptor, Chain().sealed(header))
            if self.path.exists():
                os.replace(partial, self.path)  # an empty file, as `mktemp` makes them
                return
            try:
                # A link, unlike a rename, fails if another process was faster.
                os.link(partial, self.path)
            except FileExistsError:
                return
            except (PermissionError, NotImplementedError):
                os.replace(partial, self.path)  # a disk without links

    def _continue(self, header: dict[str, Any]) -> None:
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        try:
            lock(self._file, self.path)
            lines, end, self._chain = _read(self.path, _content(self._file))
            _check_same_run(self.path, lines[0], header)
            for line in lines[1:]:
                self._remember(line)
            # Whatever a crash tore off is cut away, so that the next line starts clean.
            os.ftruncate(self._file, end)
        except BaseException:
            os.close(self._file)
            raise

    def _remember(self, line: dict[str, Any]) -> None:
        if "asked" in line:
            values, shadows = (
                None if line[name] is None else np.array([_number(v) for v in line[name]])
                for name in ("importances", "shadows")
            )
            assert values is not None
            self.told[line["asked"]] = Importances(values, shadows, _number(line["score"]))
            return
        folds = line.get("folds")
        for i, key in enumerate(line["keys"]):
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

    def record_importances(self, asked: str, answer: Importances) -> None:
        """Append the answer to a question about importances."""
        shadows = None if answer.shadows is None else _plain(answer.shadows)
        self._append(
            {
                "asked": asked,
                "importances": _plain(answer.values),
                "shadows": shadows,
                "score": _plain(np.array([answer.score]))[0],
            }
        )

    def check_alike(self, scores: Scores) -> None:
        """Raise unless the recorded scores have as many folds and the same goals as these."""
        old = next(iter(self.recorded.values()), None)
        if old is None:
            return
        folds = (0 if old["folds"] is None else len(old["folds"]), sorted(old["goals"]))
        own = (0 if scores.folds is None else scores.folds.shape[1], sorted(scores.goals))
        if folds != own:
            raise InputError(
                f"The journal {self.path} does not hold scores of this run: they have {folds[0]} "
                f"folds and the goals {folds[1]}, but here it is {own[0]} and {own[1]}. Start the "
                "run again with another journal."
            )

    def take(self, keys: list[bytes]) -> Scores:
        """Return the recorded scores of these keys."""
        found = [self.recorded[key] for key in keys]
        folds = None if found[0]["folds"] is None else np.array([f["folds"] for f in found])
        goals = {name: np.array([f["goals"][name] for f in found]) for name in found[0]["goals"]}
        return Scores(np.array([f["value"] for f in found]), folds, goals)

    def _append(self, line: dict[str, Any]) -> None:
        chain = self._chain
        text = (json.dumps(line) + "\n").encode() if chain is None else chain.sealed(line)
        end = os.fstat(self._file).st_size
        with self._writing():
            try:
                append(self._file, text)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._file, end)  # no half line stays
                raise

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
        """Close the file, which also unlocks it."""
        with contextlib.suppress(OSError):
            os.close(self._file)


def has_lines(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a journal to continue: a file, or else, that is not empty."""
    path = Path(path)
    if path.exists() and not path.is_file():
        raise InputError(f"`journal` must be a file, but {path} is a folder or a device.")
    return path.exists() and path.stat().st_size > 0


def read_lines(path: str | os.PathLike[str]) -> tuple[list[dict[str, Any]], int]:
    """Return the whole lines of a journal, and where the last of them ends in bytes."""
    return _read(path, _bytes(path))[:2]


def salvage(path: str | os.PathLike[str]) -> tuple[Path, int, int]:
    """Copy the intact lines from the first on to a new file beside the journal.

    Returns its path, how many lines it has, and how many the journal had.
    """
    raw = _bytes(path)
    kept, end = intact_prefix(raw)
    if kept == 0:
        raise InputError(
            f"Nothing of the journal {path} can be kept: its first line, which says what the run "
            "is, is damaged. Start the run again with another journal."
        )
    _read(path, raw[:end])
    source, number = Path(path), 1
    while (target := source.with_name(f"{source.stem}-salvaged-{number}{source.suffix}")).exists():
        number += 1
    try:
        with new_beside(target) as (descriptor, partial):
            append(descriptor, raw[:end])
            os.replace(partial, target)
    except OSError as error:
        raise InputError(f"The intact lines cannot be written to {target} ({error}).") from error
    return target, kept, raw.count(b"\n") + (not raw.endswith(b"\n"))


def _bytes(path: str | os.PathLike[str]) -> bytes:
    refuse_special(path)
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"The journal {path} cannot be read ({error.strerror}).") from error


def _content(descriptor: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        return file.read()


def _read(
    path: str | os.PathLike[str], raw: bytes
) -> tuple[list[dict[str, Any]], int, Chain | None]:
    """Return the lines, where they end, and the chain to go on with (None for version 0.1)."""
    parts, reader = raw.split(b"\n")[:-1], Reader()
    lines: list[dict[str, Any]] = []
    first: dict[str, Any] = {}
    try:
        for part in parts:
            line = reader.read(part)
            lines.append(line)
            if reader.count == 1:
                check_header(path, line)
                continue
            first = first or ({} if "asked" in line else line)
            check_line(line, reader.count, first or line, lines[0])
    except DamagedError as damage:
        raise _damaged(path, damage, lines) from None
    if not lines:
        raise InputError(f"{path} is not a journal of fewest: its first line does not say so.")
    return lines, sum(len(part) + 1 for part in parts), reader.chain


def _damaged(
    path: str | os.PathLike[str], damage: DamagedError, lines: list[dict[str, Any]]
) -> InputError:
    if not lines:
        return InputError(
            f"{path} is not a journal of fewest, or its first line is damaged: {damage}."
        )
    return InputError(
        f"The journal {path} is damaged: {damage}. `fewest resume {path} --salvage` keeps the "
        f"{damage.line - 1} lines before it in a new file."
    )


def _check_same_run(path: Path, found: dict[str, Any], header: dict[str, Any]) -> None:
    wanted = json.loads(json.dumps(header))
    for what in IDENTITY_KEYS:
        if found.get(what) != wanted.get(what):
            raise InputError(
                f"The journal {path} is from another run: its {what} is {found.get(what)!r}, "
                f"here it is {wanted.get(what)!r}. Give another journal, or repeat that run."
            )


def _plain(values: Any) -> list[float | None]:
    if np.isinf(values).any():
        raise InputError("A score is infinite: check `scoring`, or what the measure returns.")
    return [None if np.isnan(v) else float(v) for v in values]


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
