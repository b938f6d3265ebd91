"""ABB: from all features down, never below a subset that fails."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...measures.base import Scores
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..monotone import Monotone, unreachable
from ..spaces.base import Space

Mask = NDArray[np.bool_]


@dataclass
class ABB(Search):
    """The smallest subset that reaches the threshold, by leaving out one feature at a time.

    Notes
    -----
    Automatic branch and bound (Dash and Liu, 2003, section 4.2): depth first from the full set;
    a subset that fails is pruned, and so is, without being evaluated, every subset with one
    feature less than a pruned one (the legitimacy test). Every subset is visited once: below
    a node only features after the one just left out are left out. Fast where nearly all
    features are needed.

    Examples
    --------
    >>> from fewest.search import ABB, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].all()), threshold=1.0)
    >>> drive(ABB(), Subsets(4), measure.bind(toy_table(n_features=4))).answer
    array([False,  True, False,  True])
    """

    name: ClassVar[str] = "abb"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.2"
    needs_monotone: ClassVar[bool] = True
    complete: ClassVar[bool] = True

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Descend from all units."""
        everything = np.ones(space.n_units, dtype=bool)
        yield from descend(space, monotone, everything)
        if monotone.bounds.answer is None:
            raise unreachable(monotone)
        monotone.bounds.raise_lower(monotone.bounds.upper)
        return Verdict(
            "every subset was tried or lies below one that failed the threshold",
            True,
            monotone.bounds.upper,
            monotone.bounds.answer,
        )


def descend(
    space: Space, monotone: Monotone, start: Mask, evaluations: float = np.inf
) -> Generator[Mask, Scores, tuple[list[Mask], int]]:
    """Branch and bound below ``start``, which reaches the threshold.

    Stops after ``evaluations``, at the end of a batch. Returns the smallest subsets it met, of
    equal cost, and how many it evaluated.
    """
    pruned = Pruned(space.n_units)
    used = 0
    smallest = Smallest(space, monotone)
    smallest.offer(start)
    stack: list[tuple[Mask, int]] = [(start, 0)]
    while stack and used < evaluations:
        node, first = stack.pop()
        batch = _legitimate(node, first, pruned)
        if len(batch) == 0:
            continue
        used += len(batch)
        scores = yield batch
        reaches = monotone.reaches(scores.value)
        pruned.extend(batch[~reaches])
        children = [child for child, good in zip(batch, reaches, strict=True) if good]
        for child in children:
            smallest.offer(child)
        # The first child on top: depth first, in the order of the features left out.
        for child in reversed(children):
            left_out = int(np.flatnonzero(node & ~child)[0])
            stack.append((child, left_out + 1))
    return smallest.found, used


def _legitimate(node: Mask, first: int, pruned: Pruned) -> Mask:
    """The subsets with one unit less, from ``first`` on, that lie in no pruned one."""
    units = first + np.flatnonzero(node[first:])
    batch = np.repeat(node[None], len(units), axis=0)
    batch[np.arange(len(units)), units] = False
    return batch[~pruned.holds(batch)]


class Pruned:
    """The subsets that failed: whatever lies inside one fails too."""

    def __init__(self, n_units: int) -> None:
        self._outside = np.zeros((64, n_units), dtype=np.float32)
        self._n = 0

    def extend(self, batch: Mask) -> None:
        """Remember subsets that failed."""
        while self._n + len(batch) > len(self._outside):
            self._outside = np.vstack([self._outside, np.zeros_like(self._outside)])
        self._outside[self._n : self._n + len(batch)] = ~batch
        self._n += len(batch)

    def holds(self, batch: Mask) -> Mask:
        """Which subsets lie inside a failed one: they have no unit outside it."""
        return np.asarray((batch @ self._outside[: self._n].T == 0).any(axis=1))


class Smallest:
    """The cheapest subsets met so far that reach the threshold and keep the constraints."""

    def __init__(self, space: Space, monotone: Monotone) -> None:
        self.space, self.bounds = space, monotone.bounds
        self.found: list[Mask] = []
        self.cost = np.inf

    def offer(self, units: Mask) -> None:
        """Note a subset that reaches the threshold."""
        if not self.space.feasible(units[None])[0]:
            return
        cost = float(self.space.cost(units[None])[0])
        self.bounds.offer(units, cost)
        if cost < self.cost - 1e-9:
            self.found, self.cost = [], cost
        if cost <= self.cost + 1e-9:
            self.found.append(units.copy())
