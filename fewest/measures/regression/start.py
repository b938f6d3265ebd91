"""Good subsets to start from: forward and backward selection, and exchanges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
#: Takes subsets into account and returns their unexplained shares, inf where not allowed.
Offer = Callable[[Mask], NDArray[np.float64]]


def stepwise(n_units: int, offer: Offer, raw: Offer) -> None:
    """Offer all subsets on the ways of forward and backward selection.

    Forward selection goes on while a subset is allowed; ``raw`` also tells of subsets that are
    not.
    """
    subset = np.zeros(n_units, dtype=bool)
    offer(subset[None])
    while not subset.all():
        batch = _with_change(subset, np.flatnonzero(~subset))
        offer(batch)
        subset = batch[int(np.argmin(raw(batch)))]
    while subset.any():
        offer(subset[None])
        batch = _with_change(subset, np.flatnonzero(subset))
        offer(batch)
        subset = batch[int(np.argmin(raw(batch)))]


def exchange(subset: Mask, offer: Offer, rounds: int = 50) -> None:
    """Offer all subsets with one unit exchanged, from the best of them again."""
    best = np.inf
    for _ in range(rounds):
        inside, outside = np.flatnonzero(subset), np.flatnonzero(~subset)
        if not len(inside) or not len(outside):
            return
        batch = np.repeat(subset[None], len(inside) * len(outside), axis=0)
        rows = np.arange(len(batch))
        batch[rows, np.repeat(inside, len(outside))] = False
        batch[rows, np.tile(outside, len(inside))] = True
        rest = offer(batch)
        row = int(np.argmin(rest))
        if not rest[row] < best * (1 - 1e-9):
            return
        best, subset = float(rest[row]), batch[row]


def neighbours(subset: Mask, offer: Offer) -> None:
    """Offer all subsets with one unit more or less."""
    offer(_with_change(subset, np.arange(len(subset))))


def _with_change(subset: Mask, units: NDArray[np.intp]) -> Mask:
    batch = np.repeat(subset[None], len(units), axis=0)
    batch[np.arange(len(units)), units] ^= True
    return batch
