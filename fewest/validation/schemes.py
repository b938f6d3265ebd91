"""External loops: the splits on which honest scores are made."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from ..data.table import Table
from ..errors import InputError

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
_SHAPE = re.compile(r"^(\d+)x(\d+)cv$")


def external_splits(scheme: Any, table: Table, rng: np.random.Generator) -> list[Split]:
    """The splits of ``"5x2cv"`` (five times two folds), ``"1x10cv"``, ..., or of a splitter."""
    if not isinstance(scheme, str) and hasattr(scheme, "split"):
        groups = table.metadata.get("groups")
        return [(a, b) for a, b in scheme.split(np.zeros(table.n_rows), table.y, groups)]
    shape = _SHAPE.match(scheme) if isinstance(scheme, str) else None
    if shape is None or int(shape[1]) < 1 or int(shape[2]) < 2:
        raise InputError(
            '`scheme` must be like "5x2cv" (5 repetitions of 2 folds) or a scikit-learn '
            f"splitter, but is {scheme!r}."
        )
    repetitions, folds = int(shape[1]), int(shape[2])
    _check_rows(table, folds)
    splits: list[Split] = []
    for _ in range(repetitions):
        kind = KFold if table.classes is None else StratifiedKFold
        seed = int(rng.integers(2**31))
        splitter = kind(folds, shuffle=True, random_state=seed)
        splits += splitter.split(np.zeros(table.n_rows), table.target)
    return splits


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


def share_of_test_rows(scheme: str, folds: int) -> float:
    """Test rows over training rows, from the words of a scheme and its number of folds.

    >>> share_of_test_rows("5x2cv", 10), share_of_test_rows("1x5cv", 5)
    (1.0, 0.25)
    """
    shape = _SHAPE.match(scheme)
    return 1 / ((int(shape[2]) if shape else max(folds, 2)) - 1)
