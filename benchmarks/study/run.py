"""Runs the study: one line of JSON per table and method, so that it can go on after a stop."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib

import fewest
from fewest.data.load import catalog as read_catalog
from fewest.data.load import checkout_folder
from fewest.errors import InputError

from .methods import Method, filter_methods, methods

#: Tables of the quick version: small, and of every kind.
QUICK = (
    "wdbc", "ionosphere", "heart-statlog", "hepatitis", "glass", "vehicle", "votes", "lymphography",
    "breast-cancer", "horse-colic", "soybean-small", "credit-crx", "german-credit", "led24",
)  # fmt: skip
MEASURES = {True: ("naive-bayes",), False: ("naive-bayes", "tan", "id3", "c4.5")}
GENERATED = ("led24", "redundant21", "red30of3", "corral")
SHIPPED = ("wdbc", "wine", "iris")
LARGEST = 70_000


def tables(quick: bool) -> list[str]:
    """The names of the data sets."""
    if quick:
        return list(QUICK)
    folder = checkout_folder()[0]
    known = read_catalog(folder)
    fit = [n for n, e in known.items() if e["instances"] <= LARGEST and not n.endswith("-test")]
    return [*fit, *GENERATED, *SHIPPED]


def plan(quick: bool) -> Iterator[tuple[str, Method]]:
    """Every table with every method, the tables outside, so that a stop leaves whole tables."""
    for table in tables(quick):
        for measure in MEASURES[quick]:
            yield from ((table, method) for method in methods(measure, quick))
        yield from ((table, method) for method in filter_methods())


def run(out: Path, quick: bool, jobs: int, minutes: float | None) -> None:
    """Do what is not done yet, until the time is up."""
    done = {(row["table"], row["measure"], row["method"]) for row in read(out)}
    todo = [
        (table, method)
        for table, method in plan(quick)
        if (table, method.measure, method.name) not in done
    ]
    end = time.monotonic() + 60.0 * minutes if minutes else float("inf")
    rows = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(
        joblib.delayed(_row)(table, method, end) for table, method in todo
    )
    with out.open("a", encoding="utf-8") as file:
        for row in rows:
            if row is not None:
                file.write(json.dumps(row) + "\n")
                file.flush()


def read(out: Path) -> list[dict[str, Any]]:
    """The rows so far; a last line that was cut off does not count."""
    rows = []
    for line in out.read_text(encoding="utf-8").splitlines() if out.exists() else []:
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return rows


def _row(table: str, method: Method, end: float) -> dict[str, Any] | None:
    if time.monotonic() > end:
        return None
    warnings.simplefilter("ignore")
    data = fewest.load(table)
    start = time.process_time()
    judge = None if method.measure in MEASURES[False] else "naive-bayes"
    try:
        found = fewest.validate(method.selector(), data.X, data.y, estimator=judge, random_state=1)
    except InputError as error:
        return {"table": table, "measure": method.measure, "method": method.name,
                "refused": str(error)}  # fmt: skip
    relevant = [data.names.index(n) for n in data.relevant] if data.relevant else None
    row = {
        "table": table,
        "measure": method.measure,
        "method": method.name,
        "accuracy": round(found.accuracy, 5),
        "all": round(found.baseline, 5),
        "verdict": found.difference.verdict,
        "size": sum(found.sizes) / len(found.sizes),
        "features": len(found.names),
        "stability": round(found.stability, 4),
        "seconds": round(time.process_time() - start, 3),
    }
    if relevant:
        kept = found.supports[:, relevant].sum(axis=1)
        row["recall"] = round(float((kept / len(relevant)).mean()), 4)
        row["precision"] = round(float((kept / found.supports.sum(axis=1)).mean()), 4)
    return row
