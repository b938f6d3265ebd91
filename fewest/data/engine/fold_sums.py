"""Sums over the rows of each fold, made by one scan: what models are trained from."""

from __future__ import annotations

import numpy as np

from ...errors import InputError
from ..class_sums import ClassSums
from ..moments import Moments
from .rows import FoldedRows, Rows


def class_sums(rows: FoldedRows) -> ClassSums:
    """Scan the rows once."""
    t = rows.table
    sums = ClassSums.nothing(
        t.nominal, int(t.cardinalities.max(initial=0)), rows.n_folds, t.n_classes
    )
    for part in rows.batches():
        sums.add(part.values, part.target.astype(np.int64), part.fold, part.weight)
    return sums


def fold_moments(rows: FoldedRows, by_class: bool) -> list[Moments]:
    """For each fold the moments of the features and, for a numeric target, of the target.

    With ``by_class`` every class is a group.
    """
    groups = rows.table.n_classes if by_class else 1
    found: list[Moments | None] = [None] * rows.n_folds
    for part in rows.batches():
        check_numbers(rows, part)
        columns = part.values if by_class else np.column_stack([part.values, part.target])
        for fold in range(rows.n_folds):
            inside = part.fold == fold
            of = part.target[inside].astype(np.int64) if by_class else None
            own = Moments.of(columns[inside], of, groups, part.weight[inside])
            known = found[fold]
            found[fold] = own if known is None else known + own
    return [moments for moments in found if moments is not None]


def check_numbers(rows: FoldedRows, part: Rows) -> None:
    """Refuse labels and unknown values, for models of numbers."""
    table = rows.table
    if table.nominal.any():
        name = table.names[int(np.flatnonzero(table.nominal)[0])]
        raise InputError(
            f"The estimator takes numbers, but column {name!r} holds labels; leave it out, or use "
            "naive-bayes."
        )
    unknown = np.isnan(part.values).any(axis=0)
    if unknown.any():
        name = table.names[int(np.argmax(unknown))]
        raise InputError(
            f"The estimator takes known values only, but column {name!r} has unknown ones; leave "
            "it out, or use naive-bayes."
        )
