"""Tables that several tests of filters use."""

from __future__ import annotations

import numpy as np

from fewest.data._table import Table


def every_subset(d):
    return np.array([[(s >> i) & 1 for i in range(d)] for s in range(2**d)], dtype=bool)


def random_table(seed, n=80):
    rng = np.random.default_rng(seed)
    values = np.column_stack([rng.integers(0, r, n) for r in (2, 3, 4, 2, 3, 2)]).astype(float)
    target = ((values[:, 0] + values[:, 1] + rng.integers(0, 2, n)) % 2).astype(int)
    values[:, 4] = np.where(rng.random(n) < 0.7, values[:, 1], values[:, 4])
    values[:, 5] = np.where(rng.random(n) < 0.8, target, values[:, 5])
    levels = tuple(tuple(range(r)) for r in (2, 3, 4, 2, 3, 2))
    return Table(tuple("abcdef"), values, levels, target, np.array(["no", "yes"]))
