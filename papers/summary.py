"""Paper against here, and whether they agree, as plain data: what the renderers show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fewest._run.versions import versions
from fewest._version import __version__

from .experiment import Cell
from .paper import Figure, Paper
from .runner import Record

#: Differences up to these are none, whatever the standard deviations: published figures are
#: rounded, and splits are drawn at random.
NEGLIGIBLE_DIFFERENCE = {
    "accuracy": 0.5,
    "error": 0.5,
    "size": 0.5,
    "generations": 0.5,
    "percent": 2.0,
    "bits": 0.02,
    "nodes": 0.5,
    "exact": 0.0,
    "count": 0.0,
    "ratio": 0.0,
    "seconds": 0.0,
    "draws": 0.0,
    "budget": 0.0,
    "fitness": 1.0,
    "curve": 0.0,
    "wins": 2.0,
    "rank": 0.5,
    "networks": 0.5,
    "network": 0.0,
}
#: How a verdict is shown.
SIGNS = {"same": "=", "near": "≈", "higher": "▲", "lower": "▼", "": ""}
TEST_LEVEL = 0.05

AGREEMENT_RULE = (
    "= within one standard deviation of the difference of two runs (√(s² + s²), of paper and "
    "here), or too small to matter; ≈ within two; ▲ ▼ higher or lower by more. p values agree "
    f"where both are below, or both above, {TEST_LEVEL}."
)
Plain = dict[str, Any]


def summarize(
    paper: Paper,
    record: Record,
    absent: list[str],
    partial: bool = False,
    derived: Sequence[Cell] = (),
) -> Plain:
    """Return every figure found here beside the published one, with a verdict; ready for JSON.

    ``derived`` are figures that follow from those of the record.
    """
    every = _sorted(paper, [*record.cells(), *derived])
    cells = _beside([(cell.reading, _cell(paper, cell)) for cell in every])
    domains = {cell["domain"] for cell in cells}
    entries = paper.domains.items()
    return {
        "fewest": "reproduction",
        "format": 1,
        "paper": paper.name,
        "title": paper.title,
        "source": paper.source,
        "seed": record.header["seed"],
        "quick": record.header["quick"],
        "dates": record.dates,
        "seconds": round(record.seconds, 1),
        "version": __version__,
        "versions": versions(),
        "partial": partial,
        "rule": AGREEMENT_RULE,
        "verdicts": _counted(cells),
        "beside_verdicts": _counted([c["beside"] for c in cells if c["beside"] is not None]),
        "unexplained": sum(c["verdict"] in ("higher", "lower") and not c["why"] for c in cells),
        "reading": paper.reading,
        "beside": paper.beside,
        "missing": list(paper.missing),
        "differs": [e["differs"] for d, e in entries if d in domains and "differs" in e],
        "absent": absent,
        "warnings": record.warnings,
        "tables": [_table(paper, number, cells) for number in _numbers(paper, cells)],
        "cells": cells,
    }


def _cell(paper: Paper, cell: Cell) -> Plain:
    published = paper.figure(cell.table, cell.domain, cell.method)
    here = None if math.isnan(cell.here) else cell.here
    mean, std = (None, None) if published is None else published
    given = cell.method in paper.tables[cell.table].get("given", ())
    word = verdict(paper.kind(cell.table), cell.method, published, cell.here, cell.std)
    claim = paper.claim(cell.table, cell.domain, cell.method)
    if claim != (None, None) and here is not None:
        word = claim_verdict(claim, here)
    why = ""
    if word in ("higher", "lower") and not given:
        why = paper.reason(cell.table, cell.domain, cell.method)
    note = ". ".join(part for part in (cell.note, why) if part)
    return {
        "table": cell.table,
        "domain": cell.domain,
        "method": cell.method,
        "paper": mean,
        "paper_std": std,
        "claim": list(claim),
        "here": here,
        "std": cell.std,
        "difference": None if mean is None or here is None else here - mean,
        # What is known before the experiment is no agreement.
        "verdict": "" if given else word,
        "note": note,
        "curve": cell.curve,
        "why": why,
    }


def _counted(cells: list[Plain]) -> dict[str, int]:
    return dict(Counter(cell["verdict"] for cell in cells if cell["verdict"]))


def _beside(cells: list[tuple[str, Plain]]) -> list[Plain]:
    """Return one line per figure; that of another reading is beside the one that is compared."""
    found: dict[tuple[str, str, str], Plain] = {}
    for reading, cell in cells:
        key = cell["table"], cell["domain"], cell["method"]
        own = found.setdefault(key, {**cell, **EMPTY_LINE} if reading else cell)
        if reading:
            own["beside"] = {name: cell[name] for name in EMPTY_LINE if name != "beside"}
        elif own is not cell:
            found[key] = {**cell, "beside": own["beside"]}
    return [{"beside": None, **cell} for cell in found.values()]


#: What a line says while only the other reading of its figure has been run.
EMPTY_LINE: Plain = {
    "here": None, "std": None, "difference": None, "verdict": "", "note": "", "beside": None,
}  # fmt: skip


def _sorted(paper: Paper, cells: list[Cell]) -> list[Cell]:
    """Sort in the order of the paper: tables, domains, methods; its own methods first."""
    tables = list(paper.tables)

    def place(cell: Cell) -> tuple[int, int, int]:
        rows = paper.tables[cell.table]["rows"]
        methods = list(rows.get(cell.domain, ()))
        known = methods.index(cell.method) if cell.method in methods else len(methods)
        return tables.index(cell.table), [*paper.domains, *rows].index(cell.domain), known

    return sorted(cells, key=place)


def _numbers(paper: Paper, cells: list[Plain]) -> list[str]:
    present = {cell["table"] for cell in cells}
    return [number for number in paper.tables if number in present]


def _table(paper: Paper, number: str, cells: list[Plain]) -> Plain:
    entry = paper.tables[number]
    own = [cell for cell in cells if cell["table"] == number]
    return {
        "number": number,
        "title": entry["title"],
        "kind": entry["kind"],
        "about": entry.get("about", ""),
        "averages": _averages(own, entry) if entry["kind"] in ("accuracy", "error") else [],
    }


def _averages(cells: list[Plain], entry: Plain) -> list[Plain]:
    """Return the mean over the domains that both the paper and this run have, by method.

    ``printed`` is what the paper says itself, over all of its domains.
    """
    found = []
    for method in dict.fromkeys(cell["method"] for cell in cells):
        both = [c for c in cells if c["method"] == method and c["difference"] is not None]
        if len(both) > 1 and method != "p-value":
            paper = sum(c["paper"] for c in both) / len(both)
            here = sum(c["here"] for c in both) / len(both)
            found.append(
                {
                    "method": method,
                    "domains": len(both),
                    "paper": paper,
                    "here": here,
                    "difference": here - paper,
                    "printed": entry.get("averages", {}).get(method),
                }
            )
    return found


def verdict(kind: str, method: str, paper: Figure | None, here: float, std: float | None) -> str:
    """Return ``same``, ``near``, ``higher`` or ``lower``; empty where the paper has no figure.

    Examples
    --------
    >>> verdict("accuracy", "NB", (84.84, 3.12), 83.0, 2.0)
    'same'
    >>> verdict("exact", "M", (8.0, None), 9.0, None)
    'higher'
    """
    if paper is None or math.isnan(here):
        return ""
    mean, spread = paper
    side = "higher" if here > mean else "lower"
    if method == "p-value":
        return "same" if (mean < TEST_LEVEL) == (here < TEST_LEVEL) else side
    width = max(math.hypot(spread or 0.0, std or 0.0), NEGLIGIBLE_DIFFERENCE[kind])
    off = abs(here - mean)
    if off <= width + 1e-9:
        return "same"
    return "near" if off <= 2 * width else side


def claim_verdict(claim: tuple[float | None, float | None], here: float) -> str:
    """Return ``same`` where a figure is as large as the paper's text says, else its side.

    >>> claim_verdict((2, None), 3.1), claim_verdict((None, 1), 3.1)
    ('same', 'higher')
    """
    low, high = claim
    if low is not None and here <= low:
        return "lower"
    return "higher" if high is not None and here > high else "same"
