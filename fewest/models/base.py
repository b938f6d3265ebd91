"""What a discrete model is: it draws rows, and says how probable rows are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

#: Rows of small whole numbers, shape (n, d): column i holds 0 ... cardinalities[i] - 1.
Rows = NDArray[np.uint8]


class Model(ABC):
    """A distribution over rows of small whole numbers."""

    cardinalities: NDArray[np.int64]

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> Rows:
        """``n`` rows, drawn independently."""

    @abstractmethod
    def log_probability(self, rows: Rows) -> NDArray[np.float64]:
        """Natural logarithm of the probability of each row."""


def as_rows(rows: NDArray[Any], cardinalities: NDArray[Any]) -> tuple[Rows, NDArray[np.int64]]:
    """Rows and cardinalities as the kernels take them, or a sentence that says what is wrong."""
    cards = np.asarray(cardinalities, dtype=np.int64)
    given = np.asarray(rows)
    if given.ndim != 2 or given.shape[1] != len(cards):
        raise InputError(
            f"`rows` must have two dimensions and {len(cards)} columns (one a cardinality), "
            f"but has shape {given.shape}."
        )
    if len(given) == 0:
        raise InputError("`rows` must hold at least one row, but is empty.")
    if (cards < 1).any() or (cards > 255).any():
        raise InputError("`cardinalities` must be between 1 and 255.")
    if (given.max(axis=0) >= cards).any() or (given.dtype.kind != "u" and given.min() < 0):
        raise InputError(
            "`rows` must hold whole numbers from 0 to one less than the cardinality of their "
            "column, but some are outside."
        )
    return np.ascontiguousarray(given, dtype=np.uint8), cards


def as_weights(weights: NDArray[Any] | None, n: int) -> NDArray[np.float64]:
    """Row weights, ones where none are given."""
    if weights is None:
        return np.ones(n)
    out = np.asarray(weights, dtype=np.float64)
    if out.shape != (n,) or not np.isfinite(out).all() or (out < 0).any():
        raise InputError(f"`weights` must be {n} finite numbers (one a row), none below 0.")
    return out
