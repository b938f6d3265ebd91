"""How new candidates come from old ones: crossovers and mutation, a whole batch at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...measures.base import Candidates


def one_point(
    mothers: Candidates, fathers: Candidates, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Cut each pair at a random place between two units and exchange what lies behind.

    >>> one_point(np.zeros((1, 4), bool), np.ones((1, 4), bool), np.random.default_rng(0))[0]
    array([[False, False, False,  True]])
    """
    n, d = mothers.shape
    cut = rng.integers(1, max(d, 2), size=(n, 1))
    return _exchange(mothers, fathers, np.arange(d) >= cut)


def uniform(
    mothers: Candidates, fathers: Candidates, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Exchange each unit of each pair with probability ½."""
    return _exchange(mothers, fathers, rng.random(mothers.shape, dtype=np.float32) < 0.5)


def half_uniform(
    mothers: Candidates, fathers: Candidates, rng: np.random.Generator
) -> tuple[Candidates, Candidates]:
    """Exchange exactly half (rounded down) of the units in which the two of a pair differ."""
    differ = mothers != fathers
    # Random ranks put the units that differ first, in random order.
    rank = np.argsort(np.argsort(rng.random(mothers.shape) + ~differ, axis=1), axis=1)
    half = differ.sum(axis=1, keepdims=True) // 2
    return _exchange(mothers, fathers, rank < half)


def _exchange(
    mothers: Candidates, fathers: Candidates, where: NDArray[np.bool_]
) -> tuple[Candidates, Candidates]:
    return np.where(where, fathers, mothers), np.where(where, mothers, fathers)


def mutate(
    candidates: Candidates,
    rate: float,
    cardinalities: NDArray[np.int64],
    rng: np.random.Generator,
) -> Candidates:
    """Give each unit another of its values with probability ``rate``."""
    hit = rng.random(candidates.shape, dtype=np.float32) < rate
    return change(candidates, hit & (cardinalities > 1), cardinalities, rng)


def change(
    candidates: Candidates,
    where: NDArray[np.bool_],
    cardinalities: NDArray[np.int64],
    rng: np.random.Generator,
) -> Candidates:
    """Give the units in ``where`` another of their values, each alike; for bits, flip them."""
    changed = candidates.copy()
    if candidates.dtype == bool:
        changed ^= where
        return changed
    rows, units = np.nonzero(where)
    r = cardinalities[units]
    step = 1 + np.floor(rng.random(len(units)) * (r - 1)).astype(np.int64)
    changed[rows, units] = (candidates[rows, units].astype(np.int64) + step) % r
    return changed
