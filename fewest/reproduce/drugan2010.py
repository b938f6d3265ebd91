"""Drugan and Wiering (2010): MDL-FS against other selections, tables 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..data.table import Table
from .domains import domain_data
from .experiment import Cell, Experiment, Settings, summed
from .network_selection import (
    LETTERS,
    accuracy,
    call_per_row,
    complete_rows,
    redundant_percent,
    select,
    splits,
)
from .paper import Paper

PARTS = ("filters", "full", "wrapper")
CLASSIFIERS = {"NB": "naive-bayes", "TAN": "tan"}
#: The method's name in the paper: which part it is in, and its name here.
METHODS = {
    "MDL-FS": ("filters", "mdl-fs"),
    "MDL": ("filters", "mdl"),
    "Koller-Sahami": ("filters", "koller-sahami"),
    "CFS": ("filters", "cfs"),
    "accuracy wrapper": ("wrapper", "accuracy"),
}
_SMALL = ("artif", "car", "votes", "spect", "pima")
#: Domains of a quick run.
QUICK = {"filters": ("chess", *_SMALL), "full": ("chess", *_SMALL), "wrapper": ()}
#: Random splits, two rows to one.
SPLITS = {False: 50, True: 5}


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """A method on a domain each, for both classifiers."""
    for part in PARTS:
        for domain in paper.domains:
            if part == "full":
                yield Experiment(part, domain, "all", partial(_full, paper, settings, domain))
                continue
            for method, (own, _) in METHODS.items():
                if own == part:
                    run = partial(_selected, paper, settings, domain, method)
                    yield Experiment(part, domain, method, run)


def _parts(paper: Paper, settings: Settings, domain: str) -> list[tuple[Table, Table]]:
    data = domain_data(paper, domain, settings.seed)
    table = complete_rows(data.table(), LETTERS.get(data.name))
    return list(splits(table, SPLITS[settings.quick], settings.seed))


def _selected(paper: Paper, settings: Settings, domain: str, method: str) -> list[Cell]:
    cells = []
    parts = _parts(paper, settings, domain)
    for short, classifier in CLASSIFIERS.items():
        masks = [select(train, METHODS[method][1], classifier) for train, _ in parts]
        shares = [100.0 * float(mask.mean()) for mask in masks]
        pairs = list(zip(parts, masks, strict=True))
        right = [accuracy(train, test, mask, classifier) for (train, test), mask in pairs]
        calls = [call_per_row(train, mask, classifier) for (train, _), mask in pairs]
        figures = {"selected": shares, "accuracy": right, "CALL": calls}
        cells += [
            Cell(f"3 {short} {what}", domain, method, *summed(values))
            for what, values in figures.items()
        ]
    return cells


def _full(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    cells = []
    parts = _parts(paper, settings, domain)
    masks = [select(train, "full", "naive-bayes") for train, _ in parts]
    for short, classifier in CLASSIFIERS.items():
        pairs = list(zip(parts, masks, strict=True))
        right = [accuracy(train, test, mask, classifier) for (train, test), mask in pairs]
        calls = [call_per_row(train, mask, classifier) for (train, _), mask in pairs]
        cells.append(Cell("2 accuracy", domain, short, *summed(right)))
        cells.append(Cell("2 CALL", domain, short, *summed(calls)))
    levels = [redundant_percent(train) for train, _ in parts]
    for level, name in enumerate(("level 0", "level 1")):
        cells.append(Cell("2 redundancy", domain, name, *summed([row[level] for row in levels])))
    return cells
