"""External loops: the splits on which honest scores are made."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from ..data.table import Table
from ..errors import InputError
from ..measures.wrappers.metadata import check_read
from ..measures.wrappers.splits import past_splits
from .overlap import SHAPE, Split

#: The scheme that repeats a cross-validation until its verdict is steady.
AUTO = "auto"
#: Its folds, and how often they are repeated at least and at most.
FOLDS, LEAST_REPETITIONS, MOST_REPETITIONS = 10, 3, 10


def auto_folds(table: Table) -> int:
    """Return the number of folds of ``scheme="auto"``: 10, or what small classes and groups allow.

    >>> from fewest.testing import toy_table
    >>> auto_folds(toy_table(n_features=2))
    10
    """
    most = [FOLDS, table.n_rows // 2]
    if table.classes is not None:
        counts = np.bincount(table.target)
        most.append(int(counts[counts > 0].min()))
    groups = table.metadata.get("groups")
    if groups is not None:
        most.append(len(np.unique(np.asarray(groups))))
    return max(2, min(most))


#: Windows in time, where a scheme has only two folds.
WINDOWS = 5


def external_splits(scheme: Any, table: Table, rng: np.random.Generator) -> list[Split]:
    """The splits of ``"5x2cv"`` (five times two folds), ``"1x10cv"``, ..., or of a splitter."""
    if "time" in table.metadata:
        return _windows(scheme, table)
    if not isinstance(scheme, str) and hasattr(scheme, "split"):
        groups = table.metadata.get("groups")
        return [(a, b) for a, b in scheme.split(np.zeros(table.n_rows), table.y, groups)]
    repetitions, folds = scheme_shape(scheme)
    groups = table.metadata.get("groups")
    _check_rows(table, folds)
    splits: list[Split] = []
    for _ in range(repetitions):
        splitter = _shuffled(table, folds, int(rng.integers(2**31)))
        splits += splitter.split(np.zeros(table.n_rows), table.target, groups)
    return splits


def _windows(scheme: Any, table: Table) -> list[Split]:
    """Windows in time, each judged by what is before it: as many as folds, or 5 for two halves."""
    if isinstance(scheme, str):
        folds = scheme_shape(scheme)[1]
        return past_splits(table, folds if folds > 2 else WINDOWS)
    check_read(["time"], None, scheme)
    return past_splits(table, scheme)


def scheme_shape(scheme: Any) -> tuple[int, int]:
    """Repetitions and folds of a scheme by name; of "auto", the fewest.

    >>> scheme_shape("5x2cv")
    (5, 2)
    """
    if isinstance(scheme, str) and scheme == AUTO:
        return LEAST_REPETITIONS, FOLDS
    shape = SHAPE.match(scheme) if isinstance(scheme, str) else None
    if shape is None or int(shape[1]) < 1 or int(shape[2]) < 2:
        raise InputError(
            '`scheme` must be "auto", like "5x2cv" (5 repetitions of 2 folds) or a scikit-learn '
            f"splitter, but is {scheme!r}."
        )
    return int(shape[1]), int(shape[2])


def _shuffled(table: Table, folds: int, seed: int) -> Any:
    """A splitter that keeps classes balanced, and the rows of a group on one side."""
    options = {"n_splits": folds, "shuffle": True, "random_state": seed}
    if table.metadata.get("groups") is None:
        return KFold(**options) if table.classes is None else StratifiedKFold(**options)
    return GroupKFold(**options) if table.classes is None else StratifiedGroupKFold(**options)


def _check_rows(table: Table, folds: int) -> None:
    if table.n_rows < 2 * folds:
        raise InputError(
            f"`scheme` cuts the rows into {folds} folds, which needs at least {2 * folds} rows, "
            f"but there are {table.n_rows}."
        )
    if table.classes is not None:
        counts = np.bincount(table.target, minlength=table.n_classes)
        if counts.max() < folds:
            raise InputError(
                f"`scheme` cuts the rows into {folds} folds, but no class has that many rows."
            )
