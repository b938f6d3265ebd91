"""Crossovers against the paper's example, hand-worked cases and slow twins."""

import numpy as np
import pytest

from fewest._kernels.networks.orders import (
    cycle_crossover,
    order_crossover,
    partially_matched_crossover,
)
from tests.naive import crossovers as naive


def cross(kernel, first, second, *places):
    children = np.zeros((1, len(first)), dtype=np.int64)
    kernel(np.array([first]), np.array([second]), *(np.array([p]) for p in places), children)
    return children[0].tolist()


def test_order_crossover_of_the_paper():
    one, other = [2, 3, 5, 1, 0, 4], [3, 0, 4, 2, 1, 5]
    assert cross(order_crossover, one, other, 2, 4) == [5, 1, 4, 2, 0, 3]
    assert cross(order_crossover, other, one, 2, 4) == [4, 2, 5, 1, 3, 0]


def test_partially_matched_crossover_by_hand():
    # Goldberg (1989, page 171): A = 9 8 4|5 6 7|1 3 2 10, B = 8 7 1|2 3 10|9 5 4 6.
    a = [v - 1 for v in [9, 8, 4, 5, 6, 7, 1, 3, 2, 10]]
    b = [v - 1 for v in [8, 7, 1, 2, 3, 10, 9, 5, 4, 6]]
    child = [v + 1 for v in cross(partially_matched_crossover, a, b, 3, 6)]
    assert child == [9, 8, 4, 2, 3, 10, 1, 6, 5, 7]
    child = [v + 1 for v in cross(partially_matched_crossover, b, a, 3, 6)]
    assert child == [8, 10, 1, 5, 6, 7, 9, 2, 4, 3]


def test_cycle_crossover_by_hand():
    # Goldberg (1989, page 175): C = 9 8 2 1 7 4 5 10 6 3, D = 1 2 3 4 5 6 7 8 9 10.
    c = [v - 1 for v in [9, 8, 2, 1, 7, 4, 5, 10, 6, 3]]
    d = list(range(10))
    child = [v + 1 for v in cross(cycle_crossover, c, d, 0)]
    assert child == [9, 2, 3, 1, 5, 4, 7, 8, 6, 10]
    child = [v + 1 for v in cross(cycle_crossover, d, c, 0)]
    assert child == [1, 8, 2, 4, 7, 6, 5, 10, 9, 3]


@pytest.mark.parametrize("seed", range(30))
def test_all_are_the_slow_twins(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 9))
    one, other = rng.permutation(d).tolist(), rng.permutation(d).tolist()
    begin = int(rng.integers(d))
    end = int(rng.integers(begin + 1, d + 1))
    assert cross(order_crossover, one, other, begin, end) == naive.order(one, other, begin, end)
    expected = naive.partially_matched(one, other, begin, end)
    found = cross(partially_matched_crossover, one, other, begin, end)
    assert sorted(found) == list(range(d))
    assert found == expected
    assert cross(cycle_crossover, one, other, begin) == naive.cycle(one, other, begin)
