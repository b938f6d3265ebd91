"""Rows in which some variables copy their neighbours."""

from __future__ import annotations

import numpy as np

#: Number of values of each variable.
CARDS = np.array([2, 3, 2, 4, 2])


def some_rows(n=70, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1).astype(np.uint8)
    for i in (1, 2, 4):
        rows[: n // 2, i] = rows[: n // 2, i - 1] % CARDS[i]
    return rows
