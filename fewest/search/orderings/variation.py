"""How new orderings come from old ones, a whole batch at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.orderings.crossovers import (
    cycle_crossover,
    order_crossover,
    partially_matched_crossover,
)
from ...measures.base import Candidates

Cuts = tuple[NDArray[np.int64], NDArray[np.int64]]


def cross_orderings(
    mothers: Candidates, fathers: Candidates, how: str, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Two children of each pair by ``"ox"``, ``"pmx"`` or ``"cx"``, at random places.

    >>> mothers, fathers = np.array([[0, 1, 2, 3]]), np.array([[3, 2, 1, 0]])
    >>> one, other = cross_orderings(mothers, fathers, "cx", np.random.default_rng(0))
    >>> one, other
    (array([[0, 2, 1, 3]]), array([[3, 1, 2, 0]]))
    """
    n, d = mothers.shape
    if how == "cx":
        places = np.asarray(rng.integers(d, size=n))
        return cycles(mothers, fathers, places), cycles(fathers, mothers, places)
    cuts = draw_cuts(n, d, rng)
    cross = order_based if how == "ox" else partially_matched
    return cross(mothers, fathers, cuts), cross(fathers, mothers, cuts)


def draw_cuts(n: int, d: int, rng: np.random.Generator) -> Cuts:
    """Segments of at least one place: where each begins, and where it ends."""
    ends = np.sort(rng.integers(d + 1, size=(n, 2)), axis=1)
    ends[:, 1] = np.maximum(ends[:, 1], np.minimum(ends[:, 0] + 1, d))
    ends[:, 0] = np.minimum(ends[:, 0], ends[:, 1] - 1)
    return np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])


def order_based(first: Candidates, second: Candidates, cuts: Cuts) -> Candidates:
    """Order crossover: children with the segment of the second parent.

    >>> p1, p2 = np.array([[3, 4, 6, 2, 1, 5]]) - 1, np.array([[4, 1, 5, 3, 2, 6]]) - 1
    >>> cuts = np.array([2]), np.array([4])
    >>> order_based(p1, p2, cuts) + 1, order_based(p2, p1, cuts) + 1
    (array([[6, 2, 5, 3, 1, 4]]), array([[5, 3, 6, 2, 4, 1]]))
    """
    children = np.empty_like(first)
    order_crossover(first, second, *cuts, children)
    return children


def partially_matched(first: Candidates, second: Candidates, cuts: Cuts) -> Candidates:
    """Partially matched crossover: children with the segment of the second parent."""
    children = np.empty_like(first)
    partially_matched_crossover(first, second, *cuts, children)
    return children


def cycles(first: Candidates, second: Candidates, places: NDArray[np.int64]) -> Candidates:
    """Cycle crossover: children with the cycle of the first parent through a place."""
    children = np.empty_like(first)
    cycle_crossover(first, second, places, children)
    return children


def swap(candidates: Candidates, rate: float, rng: np.random.Generator) -> Candidates:
    """Exchange two random places of each ordering with probability ``rate``."""
    n, d = candidates.shape
    changed = candidates.copy()
    rows = np.flatnonzero(rng.random(n) < rate)
    one, other = rng.integers(d, size=(2, len(rows)))
    changed[rows, one], changed[rows, other] = candidates[rows, other], candidates[rows, one]
    return changed


def neighbours(ordering: NDArray[Any]) -> Candidates:
    """All orderings one swap of two places or one insertion away, each once.

    >>> neighbours(np.array([0, 1, 2])).tolist()
    [[1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]]
    """
    d = len(ordering)
    found = []
    for i in range(d):
        for j in range(i + 1, d):
            swapped = ordering.copy()
            swapped[[i, j]] = swapped[[j, i]]
            found.append(swapped)
    for i in range(d):
        rest = np.delete(ordering, i)
        # One place to the left or right is a swap, which is there already.
        found += [np.insert(rest, j, ordering[i]) for j in range(d) if abs(i - j) > 1]
    return np.array(found) if found else np.zeros((0, d), dtype=ordering.dtype)
