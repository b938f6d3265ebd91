"""Rows of nominal variables that depend on each other."""

from __future__ import annotations

import numpy as np

#: Numbers of values of the variables: all binary, and mixed.
CARDS = [[2] * 7, [2, 3, 4, 2, 3]]


def tangled(cards, n=90, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in cards], axis=1)
    for i in range(1, len(cards)):
        copied = rng.random(n) < 0.5
        rows[copied, i] = rows[copied, rng.integers(0, i)] % cards[i]
    return rows
