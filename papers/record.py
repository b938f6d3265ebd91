"""Record of a reproduction: one line per experiment, so that a cut loses no finished one."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fewest._errors import InputError
from fewest._run.journal_format import DamagedError, append, whole_lines
from fewest._version import __version__

from .experiment import Cell, Settings

FORMAT = 1


class Record:
    """Append-only file of finished experiments.

    The first line says which paper and settings it belongs to; the settings that change figures
    must agree when it is continued. A last line that was cut off is dropped.
    """

    def __init__(self, path: Path, paper: str, settings: Settings) -> None:
        self.path = path
        self.done: dict[str, dict[str, Any]] = {}
        self.header = {
            "fewest": "reproduction",
            "format": FORMAT,
            "paper": paper,
            "seed": settings.seed,
            "quick": settings.quick,
        }
        if path.exists() and path.stat().st_size > 0:
            self._continue()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._append(self.header)

    def _continue(self) -> None:
        try:
            lines, end = whole_lines(self.path.read_bytes())
        except DamagedError as damage:
            if damage.line == 1:
                raise self._foreign() from None
            raise InputError(
                f"{self.path} is damaged: {damage}. Give another --out, or delete the file to "
                "start anew."
            ) from None
        found = lines[0] if lines else {}
        if found.get("fewest") != "reproduction":
            raise self._foreign()
        for what, wanted in self.header.items():
            if found.get(what) != wanted:
                raise InputError(
                    f"{self.path} is from a run with {what} {found.get(what)!r}, but here it is "
                    f"{wanted!r}: give another --out, or delete the file to start anew."
                )
        self.done = {line["experiment"]: line for line in lines[1:]}
        os.truncate(self.path, end)

    def _foreign(self) -> InputError:
        return InputError(f"{self.path} is not a record of `python -m papers`: give another --out.")

    def add(
        self, key: str, cells: list[Cell], seconds: float, warnings: Sequence[str] = ()
    ) -> None:
        """Keep the cells of a finished experiment; they are on disk when this returns."""
        line = {
            "experiment": key,
            "cells": [_plain(cell) for cell in cells],
            "seconds": round(seconds, 3),
            "warnings": list(warnings),
            "date": datetime.now(UTC).strftime("%Y-%m-%d"),
            "version": __version__,
        }
        self.done[key] = line
        self._append(line)

    def cells(self) -> list[Cell]:
        """Return all figures found so far, in the order in which they were found."""
        return [Cell(**plain) for line in self.done.values() for plain in line["cells"]]

    @property
    def warnings(self) -> list[str]:
        """Warnings, with the experiment in which each happened."""
        return [f"{key}: {w}" for key, line in self.done.items() for w in line["warnings"]]

    @property
    def seconds(self) -> float:
        """Processor time that the finished experiments took together."""
        return float(sum(line["seconds"] for line in self.done.values()))

    @property
    def dates(self) -> list[str]:
        """Days on which experiments finished."""
        return sorted({line["date"] for line in self.done.values()})

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("ab") as file:
            append(file.fileno(), (json.dumps(line) + "\n").encode())


def _plain(cell: Cell) -> dict[str, Any]:
    """Return what is in a cell; a curve that does not exist is left out."""
    plain = asdict(cell)
    return plain if cell.curve is not None else {k: v for k, v in plain.items() if k != "curve"}
