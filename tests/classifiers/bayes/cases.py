"""Tables that several tests of network classifiers use."""

from __future__ import annotations

import numpy as np

NAMES = ["x0", "x1", "x2", "x3"]


CHAIN = {"class": [], "x0": ["class"], "x1": ["x0", "class"], "x2": ["x1"], "x3": ["x2", "x0"]}


def data(rng, n=60, unknown=0.15):
    codes = np.column_stack([rng.integers(0, r, n) for r in (2, 3, 2, 3)])
    target = (codes[:, 0] + codes[:, 1] + rng.integers(0, 2, n)) % 3
    X = np.array([[f"v{c}" for c in row] for row in codes], dtype=object)
    X[rng.random(X.shape) < unknown] = None
    return X, target
