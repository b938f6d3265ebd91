"""The 32-row example of Drugan and Wiering (2010), rebuilt from its stated properties."""

from __future__ import annotations

from itertools import product

import numpy as np

from fewest.data.table import Table

NAMES = tuple(f"A{i}" for i in range(1, 9))


def xor_example(copies: int = 1) -> Table:
    """C = (A1 xor A4) or A2; A6 = A1 or A2 or A4; A8 = A2; A5 = A7; A3 = A2 and a coin."""
    rows = []
    for a1, a2, a4, a5, coin in product((0, 1), repeat=5):
        rows.append([a1, a2, a2 & coin, a4, a5, a1 | a2 | a4, a5, a2, (a1 ^ a4) | a2])
    data = np.tile(np.array(rows), (copies, 1))
    levels = ((0, 1),) * 8
    return Table(NAMES, data[:, :8].astype(float), levels, data[:, 8], np.array([0, 1]))


def subset(*names: str) -> np.ndarray:
    return np.array([[name in names for name in NAMES]])


def names(mask) -> set[str]:
    return {name for name, inside in zip(NAMES, mask, strict=True) if inside}
