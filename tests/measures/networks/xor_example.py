"""The 32-row example of Drugan and Wiering (2010), as the library generates it."""

from __future__ import annotations

import numpy as np

from fewest.data import generate
from fewest.data._table import Table

NAMES = tuple(f"A{i}" for i in range(1, 9))


def xor_example(copies: int = 1) -> Table:
    return generate("xor", 32 * copies).table()


def subset(*names: str) -> np.ndarray:
    return np.array([[name in names for name in NAMES]])


def names(mask) -> set[str]:
    return {name for name, inside in zip(NAMES, mask, strict=True) if inside}
