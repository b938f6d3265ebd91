"""A filter before the search: of very many features only the most promising ones are searched."""

from __future__ import annotations

import numbers
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..errors import InputError
from ..measures.base import Measure, Scorer
from ..measures.narrowed import Narrowed
from ..search.spaces.subsets import Subsets

#: Rows per interval, and the most intervals, into which continuous features are cut.
ROWS_PER_BIN, MOST_BINS = 20, 10


def screen_features(table: Table, space: Subsets, screen: Any) -> tuple[Subsets, list[str]]:
    """The subsets of the ``screen`` most promising features, and a note that says so.

    Features that are included or in a group stay in any case.
    """
    most = _checked(screen, table)
    free = np.array([unit[0] for unit in space.units if len(unit) == 1], dtype=np.intp)
    grouped = {feature for group in space.groups for feature in group}
    free = free[[feature not in grouped for feature in free.tolist()]]
    if len(free) <= most:
        return space, []
    worth, what = _worth(table)
    # The largest first; of equal ones the first in the table.
    order = np.lexsort((free, -worth[free]))
    dropped = np.sort(free[order[most:]])
    narrow = replace(space, exclude=tuple(sorted({*space.exclude, *dropped.tolist()})))
    return narrow, [
        f"`screen`: the search saw the {most} of {len(free)} features with the highest {what}, "
        "measured on the training rows alone."
    ]


def bind_narrowed(
    measure: Measure, table: Table, space: Subsets, rng: np.random.Generator
) -> Scorer:
    """The measure bound to the columns that the subsets can use."""
    out = np.zeros(table.n_features, dtype=bool)
    out[list(space.exclude)] = True
    kept = np.flatnonzero(~out)
    return Narrowed(measure.bind(table.keep(kept), rng), kept, table.n_features)


def _checked(screen: Any, table: Table) -> int:
    whole = isinstance(screen, numbers.Integral) and not isinstance(screen, bool)
    if not whole or screen < 1:
        raise InputError(
            f"`screen` must be None or a number of features of at least 1, but is {screen!r}."
        )
    if not table.in_memory:
        raise InputError(
            "`screen` needs the rows in memory, but the table is outside; leave `screen` out, or "
            "load the table."
        )
    return int(screen)


def _worth(table: Table) -> tuple[NDArray[np.float64], str]:
    """What each feature alone tells about the target, and its name."""
    if table.classes is None:
        from ..measures.regression.filters import Pearson

        worth = np.asarray(Pearson().bind(table).worth)  # type: ignore[attr-defined]
        return worth, "correlation with the target"
    bins = int(np.clip(table.n_rows // ROWS_PER_BIN, 2, MOST_BINS))
    found = table.information("frequency", bins).class_uncertainty
    return np.asarray(found), "symmetric uncertainty with the class"
