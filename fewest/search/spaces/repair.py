"""Bits brought back under their limits at random, a whole batch at a time."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


def _random_order(bits: Bits, rng: np.random.Generator) -> NDArray[np.intp]:
    """For each row the units that are in, in random order, before those that are not."""
    return np.argsort(rng.random(bits.shape) + ~bits, axis=1)


def drop_until(
    bits: Bits, limits: Iterable[tuple[NDArray[np.float64], float]], rng: np.random.Generator
) -> Bits:
    """Keep units in random order for as long as every weight of ``limits`` fits in its room.

    >>> rng = np.random.default_rng(0)
    >>> drop_until(np.ones((2, 5), bool), [(np.ones(5), 2.0)], rng).sum(axis=1)
    array([2, 2])
    """
    order = _random_order(bits, rng)
    inside = np.take_along_axis(bits, order, axis=1)
    for weight, room in limits:
        inside &= np.cumsum(weight[order] * inside, axis=1) <= room
    return _put_back(inside, order)


def add_until(
    bits: Bits, sizes: NDArray[np.int64], missing: NDArray[np.int64], rng: np.random.Generator
) -> Bits:
    """Add units in random order until each row has ``missing`` more; a unit counts its size.

    >>> rng = np.random.default_rng(0)
    >>> add_until(np.zeros((1, 4), bool), np.ones(4, int), np.array([3]), rng).sum(axis=1)
    array([3])
    """
    order = _random_order(~bits, rng)
    outside = ~np.take_along_axis(bits, order, axis=1)
    gained = np.cumsum(sizes[order] * outside, axis=1) - sizes[order] * outside
    return bits | _put_back(outside & (gained < missing[:, None]), order)


def _put_back(chosen: Bits, order: NDArray[np.intp]) -> Bits:
    placed = np.zeros_like(chosen)
    np.put_along_axis(placed, order, chosen, axis=1)
    return placed
