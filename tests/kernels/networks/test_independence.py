"""Statistics of independence tests by hand, and by pyAgrum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from fewest._kernels.counting.bitplanes import fill_configurations, pack_planes, room_for_masks
from fewest._kernels.networks.independence import (
    G_SQUARED,
    PEARSON,
    independence_statistic,
    log_table,
)
from tests.discrete_rows import tangled
from tests.naive import structures


@pytest.mark.parametrize(("kind", "name"), [(G_SQUARED, "g2"), (PEARSON, "chi2")])
@pytest.mark.parametrize("given", [(), (2,), (2, 3)])
def test_independence_statistics(kind, name, given):
    cards = [2, 3, 4, 2, 3]
    rows = tangled(cards, n=50)
    planes, offsets, everything = pack_planes(rows.astype(np.uint8), np.array(cards))
    shared = (planes, offsets, np.array(cards))
    room = room_for_masks(50, len(everything), 4, 2)
    masks = fill_configurations(*shared, everything, np.array(given, dtype=np.int64), room)
    table = np.empty((4, 4), dtype=np.int64)
    found = independence_statistic(*shared, masks, 0, 1, kind, log_table(50), table)
    expected = structures.independence(rows.tolist(), cards, 0, 1, given, name)
    assert found[0] == pytest.approx(expected[0])
    assert found[1] == expected[1]


def test_g_squared_is_pyagrums():
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    cards = [2, 3, 2, 2, 3]
    rows = tangled(cards, n=300)
    names = [f"x{i}" for i in range(5)]
    learner = gum.BNLearner(pandas.DataFrame(rows.astype(str), columns=names))
    statistic, p_value = learner.G2("x0", "x1", ["x2"])
    found, freedom = structures.independence(rows.tolist(), cards, 0, 1, (2,), "g2")
    assert found == pytest.approx(statistic)
    assert chi2.sf(found, freedom) == pytest.approx(p_value)
