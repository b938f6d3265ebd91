"""Run the experiments of a paper, and keep a record of the finished ones."""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from fewest._errors import InputError
from fewest._run.journal_format import DamagedError, append, whole_lines
from fewest._version import __version__

from .domains import why_absent
from .experiment import Cell, Experiment, Settings
from .paper import Paper

FORMAT = 1
#: Called for each experiment before it runs: how many are done, how many there are, which is next.
OnStart = Callable[[int, int, str], None]


class Interrupted(BaseException):
    """Ctrl-C. Not a KeyboardInterrupt, which a selection takes as "enough" and goes on."""


def plan(
    paper: Paper,
    settings: Settings,
    domains: list[str] | None = None,
    parts: list[str] | None = None,
) -> tuple[list[Experiment], list[str]]:
    """Return the experiments to run, and a sentence for each domain whose data are not here.

    With ``quick`` and no domain or part named, only the small ones are run.
    """
    module = importlib.import_module(f".{paper.name}", __package__)
    unknown = [part for part in parts or [] if part not in module.PARTS]
    if unknown:
        raise InputError(
            f"`--part` must be one of {', '.join(module.PARTS)} for {paper.name}, but is "
            f"{unknown[0]!r}."
        )
    chosen = paper.chosen(domains)
    wanted = [e for e in module.experiments(paper, settings) if e.domain in chosen]
    if parts:
        wanted = [e for e in wanted if e.part in parts]
    if settings.quick and not domains:
        wanted = [e for e in wanted if e.domain in module.QUICK[e.part]]
    missing = {d: why_absent(paper, d) for d in dict.fromkeys(e.domain for e in wanted)}
    sentences = [sentence for sentence in missing.values() if sentence is not None]
    return [e for e in wanted if missing[e.domain] is None], sentences


def parts_of(paper: Paper, tables: list[str]) -> list[str]:
    """Return the parts that give these tables.

    >>> from papers.paper import read_paper
    >>> parts_of(read_paper("inza2002"), ["7.2", "7.3"])
    ['weighting']
    """
    known = getattr(importlib.import_module(f".{paper.name}", __package__), "PART_OF", {})
    for table in tables:
        if table not in known:
            raise InputError(
                f"`--table` must be one of {', '.join(known) or 'none'} for {paper.name}, but is "
                f"{table!r}; use --part otherwise."
            )
    return list(dict.fromkeys(known[table] for table in tables))


def remaining(
    paper: Paper, settings: Settings, record: Record, parts: Collection[str] = ()
) -> list[str]:
    """Return sentences about what the reproduction, or some parts of it, has and the record not."""
    module = importlib.import_module(f".{paper.name}", __package__)
    sentences: list[str] = []
    left: dict[str, dict[str, None]] = {}
    for experiment in module.experiments(paper, settings):
        if parts and experiment.part not in parts:
            continue
        reason = paper.domains[experiment.domain].get("absent")
        if reason is not None:
            sentences.append(reason)
        elif experiment.key not in record.done:
            left.setdefault(experiment.part, {})[experiment.domain] = None
    sentences += [f"Not run yet, part {part}: {', '.join(names)}." for part, names in left.items()]
    return list(dict.fromkeys(sentences))


def derived(paper: Paper, record: Record) -> list[Cell]:
    """Return figures that follow from several experiments: ranks, wins and losses."""
    module = importlib.import_module(f".{paper.name}", __package__)
    found: list[Cell] = module.derived(paper, record.cells()) if hasattr(module, "derived") else []
    return found


def run(
    experiments: Iterable[Experiment],
    record: Record,
    on_start: OnStart | None = None,
    jobs: int | None = None,
) -> None:
    """Run what is not in the record, ``jobs`` experiments at a time, one processor each.

    Ctrl-C leaves the record with what is finished.

    Raises
    ------
    Interrupted
        After Ctrl-C. The experiment that was running is not in the record.
    """
    wanted = list(experiments)
    left = [e for e in wanted if e.key not in record.done]

    def announce(key: str) -> None:
        if on_start is not None:
            on_start(sum(e.key in record.done for e in wanted), len(wanted), key)

    with _interruptible():
        if jobs is not None and jobs != 1 and len(left) > 1:
            for finished in _at_once(left, jobs):
                announce(finished[0])
                record.add(*finished)
            return
        for experiment in left:
            announce(experiment.key)
            record.add(*_finished(experiment))


Finished = tuple[str, list[Cell], float, list[str]]


def _finished(experiment: Experiment) -> Finished:
    """Run an experiment: its key, its cells, its processor seconds and what was warned of."""
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cells = experiment.run()
    messages = dict.fromkeys(str(w.message) for w in caught)
    return experiment.key, cells, time.process_time() - start, list(messages)


def _at_once(experiments: list[Experiment], jobs: int) -> Iterator[Finished]:
    """Run several processes; yield what is finished first."""
    workers = min(len(experiments), jobs if jobs > 0 else multiprocessing.cpu_count())
    # Fresh processes: a fork would take over locks of threads that do not live on in it.
    with multiprocessing.get_context("spawn").Pool(workers, _leave_ctrl_c_to_the_parent) as pool:
        yield from pool.imap_unordered(_finished, experiments)


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise Interrupted, which nothing below catches."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
