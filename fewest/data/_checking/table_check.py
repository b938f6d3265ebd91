"""The check of a table: all findings, in order of harm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._as_table import UnknownTargetError, as_table, checked_task
from .._dataset import Dataset
from .._engine.open import is_stored
from .._feature_names import Features
from .._rows import take_rows
from .._table import Table
from .._targets import features_and_target
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
        from .drift import about_new_rows

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
