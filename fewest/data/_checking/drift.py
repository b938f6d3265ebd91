"""Findings about new rows: columns that are missing or changed, and values never seen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..._errors import InputError
from .._columns import Column, read_columns
from .._dataset import Dataset
from .._load import as_kind, file_columns, load
from .._table import Table
from .finding import Finding, finding

#: Population stability index from which a change is of note, and from which it is large.
CHANGED, LARGE = 0.1, 0.25
#: Intervals of a number, of equal frequency in the old rows.
BINS = 10
#: The chance that a table without any change has a finding of a kind.
LEVEL = 0.001
#: An unknown share is of note when it has grown by this much.
GROWN = 0.05
#: How many new values a finding names.
NAMED = 3

Counts = NDArray[Any]


def about_new_rows(table: Table, new: Any) -> Iterator[Finding]:
    """Compare new rows with the table, column by column.

    The population stability index is the sum over intervals of ``(q - p) ln(q / p)``, with the
    shares ``p`` of the old and ``q`` of the new rows (Siddiqi, 2006, who calls 0.1 a small and
    0.25 a large change). Without a change it has the distribution of ``(1/n + 1/m)`` times a chi
    square variable of ``intervals - 1`` degrees of freedom (Yurdakul, 2018), so that few rows
    alone are no finding.

    new: frame, array, data set or path of a file.
    """
    if not table.in_memory or table.sparse is not None:
        raise InputError(
            "`against` must go with a dense table in memory, but this one is sparse or stored "
            "elsewhere; load a sample of its rows."
        )
    if isinstance(new, (str, os.PathLike)):
        path = Path(new).expanduser()
        new = file_columns(path, {}, None) if path.suffix else load(new)
    found = new if hasattr(new, "columns") and hasattr(new, "named") else None
    columns = found or read_columns(new.X if isinstance(new, Dataset) else new)
    if not columns.named and len(columns.names) != table.n_features:
        raise InputError(
            f"`against` must have the {table.n_features} columns of the table, but has "
            f"{len(columns.names)}."
        )
    known = dict(zip(columns.names if columns.named else table.names, columns.columns, strict=True))
    for j, name in enumerate(table.names):
        if name not in known:
            yield finding("missing-column", (name,), "not in the new rows")
        elif table.levels[j] is None:
            yield from _numbers(name, table.values[:, j], known[name], table.n_features)
        else:
            yield from _labels(name, table, j, known[name])


def _numbers(name: str, old: Any, column: Column, d: int) -> Iterator[Finding]:
    new = column.numbers
    if new is None:
        word = next(label for label in column.labels or column.levels or () if _is_word(label))
        yield finding("changed-type", (name,), f"numbers before, now also {word!r}")
        return
    yield from _unknown(name, np.isnan(old), np.isnan(new), d)
    old, new = old[~np.isnan(old)], new[~np.isnan(new)]
    if not len(old) or not len(new):
        return
    edges = np.unique(np.quantile(old, np.arange(1, BINS) / BINS))
    shares = [np.bincount(np.searchsorted(edges, v), minlength=len(edges) + 1) for v in (old, new)]
    told = f"median {np.median(old):.4g} before, {np.median(new):.4g} now"
    yield from _drift(name, shares[0], shares[1], told, d)


def _labels(name: str, table: Table, j: int, column: Column) -> Iterator[Finding]:
    levels: list[Any] = list(table.levels[j] or ())
    found = as_kind(column, "nominal", name, "the new rows")
    labels: list[Any] = list(found.labels or ())
    if found.codes is not None:
        labels = [[*(found.levels or ()), None][code] for code in found.codes.tolist()]
    positions = {str(level): at for at, level in enumerate(levels)}
    gone = np.array([label is None or label != label for label in labels], dtype=bool)
    told = [str(label) for label, out in zip(labels, gone, strict=True) if not out]
    never = sorted({label for label in told if label not in positions})
    if never:
        share = sum(label in set(never) for label in told) / len(labels)
        more = f" and {len(never) - NAMED} more" if len(never) > NAMED else ""
        named = ", ".join(map(repr, never[:NAMED])) + more
        yield finding("new-values", (name,), f"{named}, in {100 * share:.1f} % of the new rows")
    codes = table.values[:, j]
    yield from _unknown(name, np.isnan(codes), gone, table.n_features)
    old = np.bincount(codes[~np.isnan(codes)].astype(np.intp), minlength=len(levels))
    at = [positions[label] for label in told if label in positions]
    new = np.bincount(np.array(at, dtype=np.intp), minlength=len(levels))
    if old.sum() and new.sum():
        p, q = old / old.sum(), new / new.sum()
        top = int(np.argmax(np.abs(p - q)))
        shares = f"{levels[top]!r} in {100 * p[top]:.0f} % before, in {100 * q[top]:.0f} % now"
        yield from _drift(name, old, new, shares, table.n_features)


def _unknown(name: str, old: Any, new: Any, d: int) -> Iterator[Finding]:
    before, now = float(old.mean()), float(new.mean())
    both = (old.sum() + new.sum()) / (len(old) + len(new))
    error = np.sqrt(both * (1 - both) * (1 / len(old) + 1 / len(new)))
    if now - before >= GROWN and now - before > stats.norm.isf(LEVEL / d) * error:
        text = f"{100 * before:.1f} % unknown before, {100 * now:.1f} % now"
        yield finding("more-missing", (name,), text)


def _drift(name: str, old: Counts, new: Counts, told: str, d: int) -> Iterator[Finding]:
    """Report a large index, unless it is that of as few rows without a change."""
    index = stability_index(old, new)
    chance = (1 / old.sum() + 1 / new.sum()) * stats.chi2.isf(LEVEL / d, max(len(old) - 1, 1))
    if index >= CHANGED and index > chance:
        text = f"population stability index {index:.2f}; {told}"
        yield finding("drift", (name,), text, "warning" if index >= LARGE else "note")


def stability_index(old: Counts, new: Counts) -> float:
    """Return the population stability index of two vectors of counts, each half a row larger."""
    p, q = ((counts + 0.5) / (counts + 0.5).sum() for counts in (old, new))
    return float(np.sum((q - p) * np.log(q / p)))


def _is_word(label: object) -> bool:
    try:
        float(str(label))
    except ValueError:
        return True
    return False
