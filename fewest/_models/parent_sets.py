"""Parent sets that can be in a best network, for every variable."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.networks.families import DIRICHLET, LIKELIHOOD
from .._kernels.networks.subset_sums import child_parent_sets, start_sums, subset_sums
from .discrete import as_rows
from .family_scores import Score

#: Subsets of variables that are counted at most, and variables that fit a mask.
MOST_SUBSETS, MOST_VARIABLES = 1 << 26, 62
#: Rows that one call counts, and subsets that one call compares: well below a second.
ROWS_PER_CALL, SUBSETS_PER_CALL = 20_000_000, 1 << 20


@dataclass(frozen=True)
class ParentSets:
    """Parent sets of each variable, best first, that score higher than all their subsets.

    ``sets`` are masks of bits; those of variable x stand from ``starts[x]`` to
    ``starts[x + 1]``.
    """

    sets: NDArray[np.int64]
    scores: NDArray[np.float64]
    starts: NDArray[np.int64]

    @property
    def d(self) -> int:
        """Number of variables."""
        return len(self.starts) - 1

    def best(self, child: int, allowed: int) -> tuple[float, int]:
        """Score and mask of the best parents of a child among the ``allowed`` ones (a mask)."""
        for k in range(self.starts[child], self.starts[child + 1]):
            if int(self.sets[k]) & ~allowed == 0:
                return float(self.scores[k]), int(self.sets[k])
        raise AssertionError("the empty set is always there")


def find_parent_sets(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bic",
    max_parents: int | None = None,
    late: Callable[[], bool] = lambda: False,
) -> ParentSets | None:
    """Find all parent sets that can be in a best network with these scores; None if time ends.

    A set that scores no higher than one of its subsets is in no network that could not be as
    good without it. With a penalty, sets whose penalty alone exceeds what their child can gain
    are never counted (de Campos and Ji, 2011). ``late`` is called now and then.
    """
    data, cards = as_rows(rows, cardinalities)
    rule = Score(score) if isinstance(score, str) else score
    d = len(cards)
    if d > MOST_VARIABLES:
        raise InputError(
            f"`rows` must have at most {MOST_VARIABLES} variables for a search with a proof, "
            f'but have {d}; use "iterated-tabu".'
        )
    most = d - 1 if max_parents is None else min(max_parents, d - 1)
    numbers = rule.numbers(len(data))
    counted = _count(data, cards, most, numbers, late)
    return None if counted is None else _select(cards, most, numbers, late, *counted)


def all_family_scores(
    rows: NDArray[Any],
    cardinalities: NDArray[Any],
    *,
    score: Score | str = "bic",
    max_parents: int | None = None,
) -> NDArray[np.float64]:
    """Score each child with each set of parents, a mask of bits; shape (d, 2^d).

    It is -infinity where a set holds the child or more than ``max_parents``.
    """
    data, cards = as_rows(rows, cardinalities)
    numbers = (Score(score) if isinstance(score, str) else score).numbers(len(data))
    d = len(cards)
    most = d - 1 if max_parents is None else min(max_parents, d - 1)
    counted = _count(data, cards, most, numbers, lambda: False, everything=True)
    assert counted is not None
    _, masks, sums, _, levels = counted
    bits = (masks[:, None] >> np.arange(d)) & 1
    masks, bits = masks[bits.sum(axis=1) <= most], bits[bits.sum(axis=1) <= most]
    cases = np.where(bits, cards, 1).astype(float).prod(axis=1)
    out = np.full((d, 1 << d), -np.inf)
    for child, r in enumerate(cards.tolist()):
        total = 1 + int(np.flatnonzero(levels == r)[0]) if len(levels) else 0
        own = bits[:, child] == 0
        parents = masks[own]
        found = sums[0, parents | (1 << child)] - sums[total, parents]
        out[child, parents] = found - numbers[2] * (r - 1) * cases[own]
    return out


def _count(
    data: NDArray[np.uint8], cards: NDArray[np.int64], most: int, numbers: tuple[int, float, float],
    late: Callable[[], bool], everything: bool = False,
) -> tuple[Any, ...] | None:  # fmt: skip
    """Compute the sums of all needed subsets: keys, masks in ascending order, sums, known.

    With ``everything``, of all subsets, with a place for every mask.
    """
    d = len(cards)
    kind, alpha, penalty = numbers
    size = min(most + 1, d)
    subsets = sum(math.comb(d, k) for k in range(size + 1))
    if subsets > MOST_SUBSETS:
        raise InputError(
            f"`max_parents` must be small enough that at most {MOST_SUBSETS} sets of variables "
            f"are counted, but {most} parents among {d} variables make {subsets}."
        )
    direct = everything or subsets > 1 << (d - 2)
    places = 1 << d if direct else 1 << (2 * subsets - 1).bit_length()
    keys = np.full(0 if direct else places, -1)
    levels = np.unique(cards) if kind == DIRICHLET else np.zeros(0, dtype=np.int64)
    masks = np.empty(subsets, dtype=np.int64)
    sums = np.zeros((1 + len(levels), places))
    columns = np.ascontiguousarray(data.T)
    limits = _limits(data, cards, kind, alpha, 0.0 if everything else penalty)
    walk = start_sums(len(data), size)
    steps = 1 + ROWS_PER_CALL // (len(data) + 1000)
    while walk.place[0] >= 0:
        if late():
            return None
        subset_sums(columns, cards, kind, alpha, levels, limits, keys, walk, steps, masks, sums)
    masks = np.sort(masks[: walk.place[3]])
    if direct:
        known = np.zeros(places, dtype=bool)
        known[masks] = True
    else:
        known = keys >= 0
    return keys, masks, sums, known, levels


def _limits(
    data: NDArray[np.uint8], cards: NDArray[np.int64], kind: int, alpha: float, penalty: float
) -> NDArray[np.float64]:
    """Return the number of parent cases per child above which the penalty exceeds every gain."""
    if penalty == 0:
        return np.full(len(cards), np.inf)
    limits = []
    for x, r in enumerate(cards.tolist()):
        counts = np.bincount(data[:, x], minlength=r)
        if kind == LIKELIHOOD:
            # Without parents: N log(1 / share); with all others as parents nothing is lost.
            seen = counts[counts > 0]
            gain = -float((seen * np.log(seen / len(data))).sum())
        else:
            gain = -float(sum(math.lgamma(alpha + c) - math.lgamma(alpha) for c in counts))
            gain += math.lgamma(alpha * r + len(data)) - math.lgamma(alpha * r)
        limits.append(1 + gain / (penalty * max(r - 1, 1)))
    return np.array(limits)


def _select(
    cards: NDArray[np.int64], most: int, numbers: tuple[int, float, float],
    late: Callable[[], bool], keys: Any, masks: NDArray[np.int64], sums: NDArray[np.float64],
    known: NDArray[np.bool_], levels: NDArray[np.int64],
) -> ParentSets | None:  # fmt: skip
    best = np.full(sums.shape[1], -np.inf)
    sets, scores, starts = [], [], [0]
    room = np.empty(len(masks), dtype=np.int64), np.empty(len(masks))
    for child, r in enumerate(cards.tolist()):
        total = 1 + int(np.flatnonzero(levels == r)[0]) if len(levels) else 0
        found = 0
        for first in range(0, len(masks), SUBSETS_PER_CALL):
            if late():
                return None
            found += child_parent_sets(
                child, cards, most, numbers[2], total, keys,
                masks[first : first + SUBSETS_PER_CALL], sums, known, best,
                room[0][found:], room[1][found:],
            )  # fmt: skip
        order = np.argsort(-room[1][:found], kind="stable")
        sets.append(room[0][:found][order])
        scores.append(room[1][:found][order])
        starts.append(starts[-1] + found)
    return ParentSets(np.concatenate(sets), np.concatenate(scores), np.array(starts))
