"""Which of the scored subsets is the answer."""

from __future__ import annotations

import numbers
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..search.base import VALUE_AND_COST
from ..search.better import SAME, Better
from ..search.genetic.dominance import knee
from ..search.genetic.pareto import goal_matrix
from .archive import Archive
from .safe import safe_row

CHOICES = ("fewest", "best", "one-se", "half-se", "safe", "knee")
#: How many standard errors below the best a smaller subset may be.
ERRORS = {"one-se": 1.0, "half-se": 0.5}


def check_choice(choose: object) -> None:
    """Raise a sentence unless ``choose`` is a choice rule."""
    if isinstance(choose, str) and choose in CHOICES:
        return
    if isinstance(choose, bool) or not isinstance(choose, numbers.Real):
        raise InputError(
            f"`choose` must be one of {', '.join(CHOICES)}, a size (a whole number), or a "
            f"tolerance below 1 (a fraction), but is {choose!r}."
        )
    whole = isinstance(choose, numbers.Integral) and int(choose) >= 0
    if not whole and not (0 <= float(choose) < 1):
        raise InputError(
            "`choose` as a number must be a size (a whole number of at least 0) or a tolerance "
            f"between 0 and 1, but is {choose!r}."
        )


def choose_row(
    archive: Archive,
    rows: NDArray[np.intp],
    choose: object,
    goals: Sequence[str] = VALUE_AND_COST,
) -> int:
    """The row of the archive that a choice rule picks among ``rows``.

    ``"best"`` is the best value, and so is ``"fewest"``, which an honest curve decides where there
    is one; ``"one-se"`` and ``"half-se"`` are the smallest within one
    standard error of it, or half of one; ``"safe"`` is the smallest that is not worse than all
    features (see :func:`fewest.run.safe.safe_row`); a fraction the smallest within that
    tolerance; ``"knee"`` the point of the front of ``goals`` farthest from the line through its
    ends; a whole number the best of that size.
    """
    check_choice(choose)
    space, better = archive.space, Better(archive.space)
    candidates, value = archive.candidates[rows], archive.scores.value[rows]
    best = better.best(candidates, value)
    if choose in ("best", "fewest"):
        return int(rows[best])
    if choose == "safe":
        return safe_row(archive, rows)
    cost = archive.cost[rows]
    if choose == "knee":
        scores = archive.scores.take(rows)
        matrix = goal_matrix(space, np.asarray(candidates), scores, goals)
        return int(rows[knee(matrix)])
    if isinstance(choose, numbers.Integral):
        sizes = archive.size[rows]
        pool = np.flatnonzero(sizes == int(choose))
        if not len(pool):
            raise InputError(
                f"`choose` asks for {choose} features, but no subset of that size was scored; "
                f"sizes run from {sizes.min()} to {sizes.max()}. Set min_features and "
                "max_features to that size."
            )
        return int(rows[pool[better.best(candidates[pool], value[pool])]])
    if isinstance(choose, str):
        slack = ERRORS[choose] * _standard_error(archive, int(rows[best]), choose)
    else:
        slack = float(choose)  # type: ignore[arg-type]
    pool = np.flatnonzero(value >= value[best] - slack - SAME)
    pool = pool[cost[pool] <= cost[pool].min() + SAME]
    return int(rows[pool[better.best(candidates[pool], value[pool])]])


def _standard_error(archive: Archive, row: int, choose: str) -> float:
    folds = archive.scores.folds
    if folds is None:
        raise InputError(
            f'`choose="{choose}"` needs a measure with folds; this one has none. Use "best" or a '
            "tolerance."
        )
    return float(folds[row].std(ddof=1) / np.sqrt(folds.shape[1]))


def reaching(archive: Archive, rows: NDArray[np.intp], threshold: float) -> NDArray[np.intp]:
    """The cheapest of ``rows`` that reach the threshold of a monotone measure."""
    value = archive.scores.value[rows]
    rows = rows[value >= threshold - SAME]
    cost = archive.cost[rows]
    return rows[cost <= cost.min() + SAME] if len(rows) else rows
