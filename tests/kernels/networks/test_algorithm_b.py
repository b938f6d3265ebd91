"""Algorithm B against its slow twin."""

from __future__ import annotations

import numpy as np

from fewest.kernels.networks.algorithm_b import algorithm_b
from fewest.kernels.networks.family import (
    LIKELIHOOD,
)
from tests.naive import discrete_models

CARDS = np.array([2, 3, 2, 4, 2])


def some_rows(n=70, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1).astype(np.uint8)
    for i in (1, 2, 4):
        rows[: n // 2, i] = rows[: n // 2, i - 1] % CARDS[i]
    return rows


def test_algorithm_b():
    rows = some_rows()
    parents, number = algorithm_b(rows, CARDS, LIKELIHOOD, 1.0, np.log(70) / 2, 3, 1e9)
    found = [tuple(p[:k].tolist()) for p, k in zip(parents, number, strict=True)]
    assert found == discrete_models.algorithm_b(rows.tolist(), CARDS.tolist(), "bic", 3)
