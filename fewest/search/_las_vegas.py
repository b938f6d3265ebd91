"""LVF and QBB: random subsets, then branch and bound."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._parameters import one_of, whole
from ..measures._measure import Scores
from ._better import Better
from ._lattice import Descent, Smallest, ThresholdSearch
from ._monotone import Monotone, unreachable
from ._search import Proposals, Verdict
from ._spaces.space import Space

Mask = NDArray[np.bool_]


@dataclass
class LVF(ThresholdSearch):
    """Small subsets that reach the threshold, at random; all of the smallest size are kept.

    Parameters
    ----------
    tries : int
        How many subsets are drawn.
    sampling : "uniform" or "shrinking"
        Every subset is equally likely, and those larger than the best so far are drawn but not
        evaluated; or the size is drawn first, between 1 and that of the best so far.

    Notes
    -----
    Las Vegas filter (Dash and Liu, 2003, section 4.4). ``"uniform"`` is the listing of the paper:
    ``tries`` counts draws (MaxTries), whether they are evaluated or not. Where many features are
    irrelevant nearly all draws are about half of them, and it stays far above the smallest size.
    ``"shrinking"`` wastes no draw on subsets that are too large, and ends with much smaller
    subsets (5 features instead of 15 on lung-cancer, with 5,000 draws). The listing compares
    with the best so far after each evaluation; here a few subsets, ever more as improvements
    become rare, are evaluated at once. All answers of the smallest size are alternatives.
    """

    name: ClassVar[str] = "lvf"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.4"

    tries: int = whole(5000, low=1)
    sampling: str = one_of("uniform", "shrinking")

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield batches of random subsets that get smaller."""
        found = yield from las_vegas(space, rng, monotone, self.tries, self.sampling)
        if not found.smallest:
            raise unreachable(monotone)
        return Verdict(
            f"{self.tries} subsets were drawn",
            answer=found.smallest[0],
            alternatives=others(found.smallest),
        )


def others(found: list[Mask]) -> Mask:
    """Return the answers beside the first one."""
    distinct = {units.tobytes(): units for units in found[1:] if (units != found[0]).any()}
    return np.array(list(distinct.values()), dtype=bool).reshape(len(distinct), len(found[0]))


def las_vegas(
    space: Space, rng: np.random.Generator, monotone: Monotone, tries: int, sampling: str
) -> Generator[Mask, Scores, Smallest]:
    """Draw ``tries`` subsets; return those that reached the threshold and were small enough."""
    found = Smallest(space, monotone)
    found.offer(np.ones(space.n_units, dtype=bool))
    left, patience = tries, 1
    while left > 0:
        if sampling == "uniform":
            drawn = np.asarray(space.sample(min(left, 256), rng), dtype=bool)
        else:
            drawn = _of_random_size(space, rng, min(left, patience + 15), found)
        left -= len(drawn)
        while len(drawn := drawn[space.cost(drawn) <= found.cost + 1e-9]):
            batch, drawn = drawn[:patience], drawn[patience:]
            patience = 1 if (yield from _offer_all(batch, found, monotone)) else 2 * patience
    return found


def _offer_all(batch: Mask, found: Smallest, monotone: Monotone) -> Generator[Mask, Scores, bool]:
    """Evaluate some subsets and note those that reach the threshold; return if one is smaller."""
    before = found.cost
    scores = yield batch
    for row in np.flatnonzero(monotone.reaches(scores.value)):
        found.offer(batch[row])
    return found.cost < before


def _of_random_size(space: Space, rng: np.random.Generator, n: int, found: Smallest) -> Mask:
    """Draw feasible subsets, each of a random size up to that of the smallest found."""
    most = int(found.smallest[0].sum()) if found.smallest else space.n_units
    sizes = rng.integers(1, max(most, 1) + 1, size=n)
    ranks = rng.random((n, space.n_units)).argsort(axis=1).argsort(axis=1)
    return np.asarray(space.repair(ranks < sizes[:, None], rng), dtype=bool)


@dataclass
class QBB(ThresholdSearch):
    """Small subset that reaches the threshold: random first, then branch and bound below it.

    Parameters
    ----------
    tries : int
        Half of them are random draws, half are evaluations below what those found.
    sampling : "uniform" or "shrinking"
        How subsets are drawn; see :class:`~fewest.search.LVF`.

    Notes
    -----
    Dash and Liu (2003, section 4.5): half of the tries go to LVF, half to ABB on each of the
    subsets that LVF gave, the smallest first; what was evaluated once is not evaluated again.
    The listing returns the subset of LVF below which the smallest one was found; here it is the
    smallest one itself. All answers of the smallest size are alternatives.
    """

    name: ClassVar[str] = "qbb"
    source: ClassVar[str] = "Dash and Liu (2003), section 4.5"

    tries: int = whole(5000, low=2)
    sampling: str = one_of("uniform", "shrinking")

    def propose_monotone(
        self, space: Space, better: Better, rng: np.random.Generator, monotone: Monotone
    ) -> Proposals:
        """Yield from LVF, then from ABB on its answers in turn."""
        drawn = yield from las_vegas(space, rng, monotone, self.tries // 2, self.sampling)
        if not drawn.smallest:
            raise unreachable(monotone)
        descent = Descent(space, monotone)
        left = self.tries - self.tries // 2
        for start in reversed(drawn.outputs.values()):
            if descent.used < left:
                yield from descent.below(start, left - descent.used)
        found = descent.smallest.smallest
        return Verdict(
            f"{self.tries} subsets were tried", answer=found[0], alternatives=others(found)
        )
