"""The check of a table, and of new rows against it: all findings, in order of harm."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ..._errors import InputError
from .._as_table import UnknownTargetError, as_table, checked_task
from .._columns import Column, read_columns
from .._dataset import Dataset, features_and_target
from .._engine.open import is_stored
from .._feature_names import Features
from .._load import as_kind, file_columns, load
from .._rows import take_rows
from .._table import Table
from .column_findings import about_columns, about_copies, about_sparse
from .finding import UNLEARNABLE, Check, Finding, finding, in_order
from .look import Look
from .row_findings import about_classes, about_rows, about_size, about_target


def check(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    nominal: Features | None = None,
    task: str | None = None,
    against: Any = None,
) -> Check:
    """Look at a table and report what is wrong with it, before any search.

    Parameters
    ----------
    X : frame, array, a data set of :func:`fewest.load`, or a table outside memory
    y : array of shape (n_samples,)
    target : str
        Instead of ``y``: the column of ``X`` to predict.
    nominal : numeric columns to treat as categories, as for ``SubsetSelector.fit``
    task : "classification", "regression" or "auto", as for ``fit``
    against : frame, array, data set or path of a file
        New rows to compare with the table: missing columns, values never seen, more unknown
        values, and other distributions. They need no target.

    Returns
    -------
    Check
        Findings with column, evidence, consequence and remedy, in order of harm. It prints as
        text; ``to_frame``, ``to_json`` and a notebook show the same.

    Notes
    -----
    Large tables are looked at in a sample of their rows (4 million values, drawn from a fixed
    seed); duplicates, constants, row numbers and copies are verified on all rows. The same table
    has the same check. A table outside memory is read once: of more rows than the sample has,
    constants, row numbers, classes and duplicates are counted in all rows, all else in the sample.

    Examples
    --------
    >>> import fewest
    >>> found = fewest.check(fewest.load("dirty-churn"))
    >>> [(one.kind, one.column) for one in found.serious]
    [('leak', 'refund'), ('identifier', 'customer_id')]
    """
    task = checked_task(task)
    if is_stored(getattr(X, "X", X)) and against is None:
        return _stored(X, y, target, nominal, task)
    if not isinstance(X, Dataset):
        X, y = features_and_target(X, y, target)
    try:
        return check_table(_read(X, y, nominal, task), against)
    except UnknownTargetError as error:
        return _of_known_targets(X, y, nominal, task, against, error)


def _read(X: Any, y: Any, nominal: Features | None, task: str | None) -> Table:
    if isinstance(X, Dataset):
        return X.table(nominal, task)
    return as_table(X, y, nominal=nominal, task=task)


def _of_known_targets(
    X: Any,
    y: Any,
    nominal: Features | None,
    task: str | None,
    against: Any,
    error: UnknownTargetError,
) -> Check:
    """Check the rows whose target is known, and report the others as a finding."""
    whole = isinstance(X, Dataset)
    rows = len(X.y if whole else y)
    known = np.setdiff1d(np.arange(rows), error.rows)
    if not len(known):
        raise error
    if whole:
        X = replace(X, X=take_rows(X.X, known), y=take_rows(X.y, known))
    else:
        X, y = take_rows(X, known), take_rows(y, known)
    found = check_table(_read(X, y, nominal, task), against)
    evidence = f"{len(error.rows):,} of {rows:,} rows; the first is row {error.rows[0]}"
    lacking = finding("unknown-target", (), evidence)
    return replace(found, findings=(lacking, *found.findings))


def _stored(
    X: Any, y: Any, target: str | None, nominal: Features | None, task: str | None
) -> Check:
    """Check a table whose rows stay where they are, in one scan."""
    from .._engine.checked_scan import check_stored

    if hasattr(X, "X"):
        X, y = X.X, X.y
    frame, column = features_and_target(X, y, target)
    return check_stored(frame, column.name, nominal, task)


def check_table(table: Table, against: Any = None) -> Check:
    """Check a table that was read already, and new rows against it."""
    found = findings_of(Look(table))
    if against is not None:
        # Numbers of rows and names of persons are new in all new rows.
        aside = {f.column for f in found if f.kind in (*UNLEARNABLE, "row-number")}
        told = about_new_rows(table, against)
        found += [f for f in told if f.kind == "missing-column" or f.column not in aside]
    return in_order(found, table.n_rows, table.n_features)


def findings_of(look: Look) -> list[Finding]:
    """Return all findings, in the order in which they were made."""
    table = look.table
    if table.sparse is not None:
        return [*about_sparse(look), *about_classes(look), *about_size(look)]
    found = list(about_columns(look))
    aside = {one.column for one in found if one.kind in (*UNLEARNABLE, "constant")}
    columns = np.array([j for j, name in enumerate(table.names) if name not in aside], np.intp)
    found += about_copies(look, columns)
    found += about_target(look, columns)
    found += about_rows(look, columns)
    return found


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
