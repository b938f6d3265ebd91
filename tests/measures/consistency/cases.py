"""Tables that several tests of consistency use."""

from __future__ import annotations

import numpy as np


def random_table(seed, n=60, d=6, values=3, classes=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)).astype(str)
    return X, rng.integers(0, classes, n)
