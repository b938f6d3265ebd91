"""Fixtures that several test files use."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data._table import Table


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.integers(0, r, 70) for r in (2, 3, 4, 2, 3)]).astype(float)
    target = (values[:, 0] + values[:, 1] + (rng.random(70) < 0.2)).astype(int) % 3
    values[:, 4] = np.where(rng.random(70) < 0.8, values[:, 1], values[:, 4])
    levels = tuple(tuple(range(r)) for r in (2, 3, 5, 2, 3))
    return Table(tuple("abcde"), values, levels, target, np.array(list("xyz")))
