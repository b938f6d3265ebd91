"""mRMR, JMI and CMIM: forward selection gives the classical order."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.measures._filters.rankings import CMIM, JMI, MRMR
from tests.measures.filters.cases import random_table
from tests.naive import filters


def _forward_order(scorer, d):
    """All features, each time the one with the largest value: what forward selection does."""
    chosen = []
    while len(chosen) < d:
        left = [f for f in range(d) if f not in chosen]
        steps = np.zeros((len(left), d), dtype=bool)
        for row, f in enumerate(left):
            steps[row, [*chosen, f]] = True
        chosen.append(left[int(np.argmax(scorer.score(steps).value.round(10)))])
    return chosen


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("measure", "naive"),
    [(MRMR, filters.mrmr_order), (JMI, filters.jmi_order), (CMIM, filters.cmim_order)],
)
def test_forward_selection_gives_the_classical_order(measure, naive, seed):
    table = random_table(seed)
    expected = naive(list(table.values.T), table.target)
    assert _forward_order(measure().bind(table), 6) == expected
