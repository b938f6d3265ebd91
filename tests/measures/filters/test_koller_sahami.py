"""Koller and Sahami's elimination against the naive one."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.measures._filters.correlation import KollerSahami
from tests.measures.filters.cases import every_subset, random_table
from tests.naive import filters


@pytest.mark.parametrize("neighbours", [1, 2])
@pytest.mark.parametrize("gamma", [0.01, 0.05, 0.2])
def test_koller_sahami_keeps_what_the_naive_elimination_keeps(gamma, neighbours):
    for seed in range(3):
        table = random_table(seed)
        subsets = every_subset(6)
        value = KollerSahami(gamma=gamma, neighbours=neighbours).bind(table).score(subsets).value
        best = np.flatnonzero(subsets[np.argmax(value)]).tolist()
        expected = filters.koller_sahami(list(table.values.T), table.target, gamma, neighbours)
        assert best == expected
