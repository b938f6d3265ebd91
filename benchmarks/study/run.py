"""Runs the study: one line of JSON per table and method, so that it can go on after a stop."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import joblib

import fewest
from benchmarks.study.cpu import OutOfTimeError, cpu_limit
from benchmarks.study.evaluate import judge_method, judge_peer
from benchmarks.study.methods import FILTERS, MAIN, TEN, Method, budgets, cheap, methods, models
from benchmarks.study.peers import installed
from fewest.data._load import catalog as read_catalog
from fewest.data._load import checkout_folder

GENERATED = ("corral", "parity3+3", "led24", "redundant21", "red30of3")
SHIPPED = ("wdbc", "wine", "iris")
LARGEST = 70_000
#: Cells (rows × features) up to which all methods run; larger tables get the cheap ones.
SMALL = 30_000
#: A method that needs more CPU time for the ten selections on a table is given up.
MOST_SECONDS, UNFINISHED = 30, "did not finish within {} s"


def tables(quick: bool) -> dict[str, int]:
    """The data sets and their cells (rows × features), small ones first."""
    if quick:
        return dict.fromkeys(TEN, 0)
    known = read_catalog(checkout_folder()[0])
    cells = {
        name: entry["instances"] * entry["features"]
        for name, entry in known.items()
        if entry["instances"] <= LARGEST and not name.endswith(("-test", "-notapplicable"))
    }
    cells |= dict.fromkeys((*GENERATED, *SHIPPED), 10_000)
    return dict(sorted(cells.items(), key=lambda pair: pair[1]))


def large_tables() -> list[str]:
    """The tables that only the cheap methods are run on."""
    return [name for name, cells in tables(False).items() if cells > SMALL]


def plan(quick: bool) -> Iterator[tuple[str, Method | str]]:
    """What tells most comes first, so that a stop leaves whole comparisons.

    Every stage is done on all of its tables before the next begins, method by method.
    """
    found = tables(quick)
    if quick:
        yield from ((name, method) for method in methods(True) for name in found)
        return
    small = [name for name, cells in found.items() if cells <= SMALL]
    large = large_tables()
    stages: list[tuple[Sequence[Method | str], list[str]]] = [
        (methods(True), small),
        (cheap()[:3], large),
        (budgets(), list(TEN)),
        (methods(False), small),
        (models(), list(TEN)),
        (installed(), list(TEN)),
        (budgets(), small),
        (cheap(), large),
    ]
    for kinds, names in stages:
        yield from ((name, method) for method in kinds for name in names)


def coverage(rows: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """How many runs of each part of the full study are done, and how many there are."""
    done = {(row["table"], row["measure"], row["search"]) for row in rows}
    large, counts = set(large_tables()), dict[str, tuple[int, int]]()
    for own in {key(t, m): key(t, m) for t, m in plan(False)}.values():
        part = _part(own, own[0] in large)
        before = counts.get(part, (0, 0))
        counts[part] = (before[0] + (own in done), before[1] + 1)
    return counts


def _part(own: tuple[str, str, str], large: bool) -> str:
    _, measure, search = own
    if large:
        return "large tables"
    if measure == "peer":
        return "other libraries"
    if measure not in (MAIN, *FILTERS):
        return "other models"
    budget = search.endswith(" evaluations") and search != "random, 1000 evaluations"
    return "budgets of evaluations" if budget else "searches over naive Bayes, and filters"


def key(table: str, method: Method | str) -> tuple[str, str, str]:
    """What tells a row of the study from all others."""
    if isinstance(method, str):
        return table, "peer", method
    return table, method.measure, method.name


def run(out: Path, quick: bool, jobs: int, minutes: float | None) -> None:
    """Do what is not done yet, until the time is up."""
    done = {(row["table"], row["measure"], row["search"]) for row in read(out)}
    todo = {key(t, m): (t, m) for t, m in plan(quick) if key(t, m) not in done}
    end = time.monotonic() + 60.0 * minutes if minutes else float("inf")
    found = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(
        joblib.delayed(_rows)(table, method, end) for table, method in todo.values()
    )
    _drop_cut_line(out)
    with out.open("a", encoding="utf-8") as file:
        for rows in found:
            for row in rows:
                file.write(json.dumps(row, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())


def read(out: Path) -> list[dict[str, Any]]:
    """The rows so far; a last line that was cut off does not count."""
    rows = []
    for line in out.read_text(encoding="utf-8").splitlines() if out.exists() else []:
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return rows


def _drop_cut_line(out: Path) -> None:
    """Remove a last line that was cut off, so that the next one begins on its own."""
    if out.exists():
        lines = out.read_text(encoding="utf-8").splitlines()[: len(read(out))]
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _rows(table: str, method: Method | str, end: float) -> list[dict[str, Any]]:
    """The rows of one method on one table, one per choice rule."""
    if time.monotonic() > end:
        return []
    warnings.simplefilter("ignore")
    name, measure, search = key(table, method)
    head = {"table": name, "measure": measure, "search": search}
    data = fewest.load(table)
    try:
        with cpu_limit(MOST_SECONDS):
            found = (
                judge_peer(data, method) if isinstance(method, str) else judge_method(data, method)
            )
    except OutOfTimeError:
        return [{**head, "refused": UNFINISHED.format(MOST_SECONDS)}]
    except (ValueError, TypeError) as error:
        return [{**head, "refused": f"{type(error).__name__}: {error}"[:150]}]
    return [{**head, **row} for row in found]
