"""LVF: random subsets no larger than the best that reached the threshold."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...measures.base import Scores
from ...parameters import whole
from ..base import Proposals, Search, Verdict
from ..better import Better
from ..monotone import Monotone, unreachable
from ..spaces.base import Space
from .abb import Smallest

Mask = NDArray[np.bool_]


@dataclass
class LVF(Search):
    """Small subsets that reach the threshold, at random; all of the smallest size are kept.

    Parameters
    ----------
    tries : int
        How many subsets are evaluated.

    Notes
    -----
    Las Vegas filter (Dash and Liu, 2003, section 4.4), in the form without replacement: the size
    of a random subset is drawn uniformly between 1 and that of the best so far, so that no
    draw is wasted on subsets too large. All answers of the smallest size found are alternatives.

    Examples
    --------
    >>> from fewest.search import LVF, Subsets
    >>> from fewest.testing import MonotoneTableMeasure, drive, toy_table
    >>> measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].all()), threshold=1.0)
    >>> drive(LVF(), Subsets(4), measure.bind(toy_table(n_features=4))).answer
    array([False,  True, False,  True])
    """

    name: ClassVar[str] = "lvf"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.4"
    needs_monotone: ClassVar[bool] = True

    tries: int = whole(5000, low=1)

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield batches of random subsets that get smaller."""
        found = yield from las_vegas(space, rng, monotone, self.tries)
        if not found:
            raise unreachable(monotone)
        return Verdict(
            f"{self.tries} subsets were tried", answer=found[0], alternatives=others(found)
        )


def others(found: list[Mask]) -> Mask:
    """The answers beside the first one."""
    distinct = {units.tobytes(): units for units in found[1:] if (units != found[0]).any()}
    return np.array(list(distinct.values()), dtype=bool).reshape(len(distinct), len(found[0]))


def las_vegas(
    space: Space, rng: np.random.Generator, monotone: Monotone, tries: int
) -> Generator[Mask, Scores, list[Mask]]:
    """Draw ``tries`` subsets; return the cheapest that reach the threshold."""
    smallest = Smallest(space, monotone)
    everything = np.ones((1, space.n_units), dtype=bool)
    scores = yield everything
    if not monotone.reaches(scores.value)[0]:
        raise unreachable(monotone)
    smallest.offer(everything[0])
    left = tries - 1
    while left > 0:
        # Few at first, while the size drops fast and larger ones would be wasted.
        batch = draw(space, rng, min(left, 16 + (tries - left) // 4), smallest)
        scores = yield batch
        left -= len(batch)
        for row in np.flatnonzero(monotone.reaches(scores.value)):
            smallest.offer(batch[row])
    return smallest.found


def draw(space: Space, rng: np.random.Generator, n: int, smallest: Smallest) -> Mask:
    """Random feasible subsets, each of a random size up to that of the smallest found."""
    most = int(smallest.found[0].sum()) if smallest.found else space.n_units
    sizes = rng.integers(1, max(most, 1) + 1, size=n)
    ranks = rng.random((n, space.n_units)).argsort(axis=1).argsort(axis=1)
    return np.asarray(space.repair(ranks < sizes[:, None], rng), dtype=bool)
