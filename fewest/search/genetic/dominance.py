"""Several goals at once: who is dominated, in which front, how crowded, and where the knee is.

Everywhere a row is a candidate, a column a goal, and **smaller is better** in every column;
a NaN is worse than every number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def _clean(matrix: Matrix) -> Matrix:
    goals = np.asarray(matrix, dtype=np.float64)
    return np.where(np.isnan(goals), np.inf, goals)


def non_dominated(matrix: Matrix) -> NDArray[np.bool_]:
    """Which rows no other row beats: no worse in all goals and better in one.

    Examples
    --------
    >>> non_dominated(np.array([[1.0, 3.0], [2.0, 2.0], [2.0, 3.0], [3.0, 1.0]]))
    array([ True,  True, False,  True])
    """
    goals = _clean(matrix)
    # Good rows first: each throws out at once all that it dominates, so few are left to look at.
    left = np.argsort(goals.sum(axis=1), kind="stable")
    at = 0
    while at < len(left):
        here, others = goals[left[at]], goals[left]
        keep = (others < here).any(axis=1) | (others == here).all(axis=1)
        at = int(keep[: at + 1].sum())
        left = left[keep]
    front = np.zeros(len(goals), dtype=bool)
    front[left] = True
    return front


def fronts(matrix: Matrix, enough: int | None = None) -> NDArray[np.int64]:
    """The front of each row: 0 for the non-dominated ones, 1 for those once these are gone, ...

    Once ``enough`` rows have their front, all others share the next.

    Examples
    --------
    >>> fronts(np.array([[1.0, 3.0], [2.0, 2.0], [2.0, 3.0], [3.0, 4.0]]))
    array([0, 0, 1, 2])
    """
    goals = _clean(matrix)
    front = np.full(len(goals), -1, dtype=np.int64)
    left = np.arange(len(goals))
    number = 0
    enough = len(goals) if enough is None else enough
    while len(left):
        filled = len(goals) - len(left) >= enough
        top = np.ones(len(left), dtype=bool) if filled else non_dominated(goals[left])
        front[left[top]] = number
        left = left[~top]
        number += 1
    return front


def crowding(matrix: Matrix) -> Matrix:
    """How far apart the neighbours of each row are, summed over the goals; infinite at the ends.

    Notes
    -----
    Deb, Pratap, Agarwal and Meyarivan (2002), section III-B, with each goal scaled to its range.
    """
    goals = _clean(matrix)
    distance = np.zeros(len(goals))
    for column in goals.T:
        order = np.argsort(column, kind="stable")
        ordered = column[order]
        ends_known = len(ordered) > 0 and np.isfinite(ordered[[0, -1]]).all()
        span = ordered[-1] - ordered[0] if ends_known else 0.0
        distance[order[[0, -1]] if len(order) else order] = np.inf
        if len(order) > 2 and span > 0:
            distance[order[1:-1]] += (ordered[2:] - ordered[:-2]) / span
    return distance


def knee(matrix: Matrix) -> int:
    """The row of the front where giving a little of one goal stops buying much of another.

    Notes
    -----
    The goals of the non-dominated rows are scaled to [0, 1]; the knee is the row nearest to the
    ideal corner measured along the diagonal (for two goals: farthest below the line through the
    two ends of the front). Ties go to the smaller first goal, then to the earlier row.

    Examples
    --------
    >>> knee(np.array([[0.0, 1.0], [0.1, 0.2], [1.0, 0.0], [0.6, 0.1]]))
    1
    """
    goals = _clean(matrix)
    front = np.flatnonzero(non_dominated(goals))
    finite = front[np.isfinite(goals[front]).all(axis=1)]
    front = finite if len(finite) else front
    if not len(finite):
        return int(front[0])
    low = goals[front].min(axis=0)
    span = goals[front].max(axis=0) - low
    scaled = (goals[front] - low) / np.where(span > 0, span, 1.0)
    order = np.lexsort((front, goals[front][:, 0], np.round(scaled.sum(axis=1), 12)))
    return int(front[order[0]])
