"""What a density over real numbers is: it draws rows, and says how dense rows are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError

Floats = NDArray[np.float64]

#: Variances are never smaller than this: a constant variable stays a little free.
LEAST_VARIANCE = 1e-18


class Density(ABC):
    """A distribution over rows of real numbers."""

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """``n`` rows, drawn independently."""

    @abstractmethod
    def log_density(self, rows: Floats) -> Floats:
        """Natural logarithm of the density of each row."""


def as_numbers(rows: Any) -> Floats:
    """Rows as float64, or a sentence that says what is wrong."""
    given = np.asarray(rows, dtype=np.float64)
    if given.ndim != 2 or len(given) == 0:
        raise InputError(
            f"`rows` must have two dimensions and at least one row, but has shape {given.shape}."
        )
    if not np.isfinite(given).all():
        raise InputError("`rows` must hold finite numbers, but some are not.")
    return given
