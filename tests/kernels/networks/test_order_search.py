"""The heap and the pattern tables of the search over orderings."""

import heapq
from itertools import permutations

import numpy as np
import pytest

from fewest.kernels.networks.order_search import estimate, pattern_table, pop, push
from fewest.models.networks.parent_sets import find_parent_sets


def test_the_heap_is_pythons():
    rng = np.random.default_rng(0)
    heap, estimates, length = np.zeros(200, dtype=np.int64), np.zeros(200), 0
    slow = []
    for node in range(200):
        value = float(rng.random())
        push(heap, estimates, length, node, value)
        heapq.heappush(slow, (-value, node))
        length += 1
        if node % 3 == 2:
            assert (-estimates[0], heap[0]) == heapq.heappop(slow)
            pop(heap, estimates, length)
            length -= 1
    assert length == len(slow)


def test_pattern_tables_are_the_best_order_of_those_that_wait():
    rows = np.random.default_rng(0).integers(0, 2, (60, 6))
    rows[:40, 1] = rows[:40, 0]
    rows[:30, 2] = rows[:30, 1] ^ rows[:30, 5]
    sets = find_parent_sets(rows, np.full(6, 2), score="k2")
    group = np.array([0, 2, 5])
    table = np.zeros(8)
    pattern_table(group, 6, sets.sets, sets.scores, sets.starts, table)
    for w in range(8):
        waiting = [int(group[k]) for k in range(3) if w >> k & 1]
        totals = []
        for order in permutations(waiting):
            allowed, total = 63 ^ sum(1 << x for x in waiting), 0.0
            for x in order:
                total += sets.best(x, allowed)[0]
                allowed |= 1 << x
            totals.append(total)
        assert table[w] == pytest.approx(max(totals))
    placed = 0b000101
    groups, lengths = group[None], np.array([3])
    assert estimate(placed, groups, table[None], lengths) == table[0b100]
