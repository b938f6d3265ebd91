"""Groups of variables."""

from __future__ import annotations

import numpy as np

from fewest.kernels.networks.grouping import copy_groups

CARDS = np.array([2, 3, 2, 4, 2])


def some_rows(n=70, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1).astype(np.uint8)
    for i in (1, 2, 4):
        rows[: n // 2, i] = rows[: n // 2, i - 1] % CARDS[i]
    return rows


def test_groups_are_copied_from_the_rows_picked():
    rows = some_rows(6)
    picks, group = np.array([[5, 0, 2], [1, 1, 4]]), np.array([0, 1, 0, 1, 1])
    drawn = copy_groups(rows, picks, group)
    for t, i in np.ndindex(3, 5):
        assert drawn[t, i] == rows[picks[group[i], t], i]
