"""Parent sets and sinks against all parent sets and all orderings."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from fewest._kernels.networks.subset_sums import best_sinks, bits_in, first_inside
from fewest.networks._parent_sets import find_parent_sets


@pytest.mark.parametrize("seed", range(3))
def test_sinks_give_the_best_of_all_orderings(seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (50, 5))
    rows[:35, 3] = rows[:35, 0] ^ rows[:35, 4]
    rows[:30, 1] = rows[:30, 3]
    found = find_parent_sets(rows, np.full(5, 2), score="k2")
    value, sink = np.zeros(32), np.zeros(32, np.int8)
    for first, last in ((0, 11), (11, 32)):
        best_sinks(5, found.sets, found.scores, found.starts, first, last, value, sink)
    for chosen in (0b11111, 0b01011, 0b10000):
        inside = [x for x in range(5) if chosen >> x & 1]
        totals = {}
        for order in permutations(inside):
            placed, total = 0, 0.0
            for x in order:
                total += found.best(x, placed)[0]
                placed |= 1 << x
            totals[order] = total
        assert value[chosen] == pytest.approx(max(totals.values()))
        last = max(t for order, t in totals.items() if order[-1] == sink[chosen])
        assert last == pytest.approx(value[chosen])


def test_masks():
    assert [bits_in(mask) for mask in (0, 1, 0b1011, 1 << 40)] == [0, 1, 3, 1]
    sets = np.array([0b110, 0b010, 0b001, 0])
    assert first_inside(sets, 0, 4, 0b111) == 0
    assert first_inside(sets, 0, 4, 0b011) == 1
    assert first_inside(sets, 0, 4, 0b101) == 2
    assert first_inside(sets, 0, 4, 0b100) == 3
