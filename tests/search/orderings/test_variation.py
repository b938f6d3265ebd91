"""Changes of orderings: all neighbours, cuts in range, swaps."""

from itertools import permutations

import numpy as np
import pytest

from fewest.networks._ordering_searches import cross_orderings, draw_cuts, neighbours, swap


def test_neighbours_are_all_swaps_and_insertions_once():
    here = (0, 1, 2, 3, 4)
    expected = set()
    for i in range(5):
        for j in range(5):
            moved = [v for v in here if v != here[i]]
            moved.insert(j, here[i])
            swapped = list(here)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            expected |= {tuple(moved), tuple(swapped)}
    found = [tuple(row) for row in neighbours(np.array(here)).tolist()]
    assert len(found) == len(set(found))
    assert set(found) == expected - {here}
    assert len(neighbours(np.array([0]))) == 0


def test_cuts_hold_at_least_one_place():
    begins, ends = draw_cuts(500, 4, np.random.default_rng(0))
    assert (begins >= 0).all()
    assert (begins < ends).all()
    assert (ends <= 4).all()
    pairs = set(zip(begins.tolist(), ends.tolist(), strict=True))
    assert pairs == {(a, b) for a in range(4) for b in range(a + 1, 5)}


@pytest.mark.parametrize("how", ["ox", "pmx", "cx"])
def test_children_are_orderings_and_keep_equal_parents(how):
    rng = np.random.default_rng(0)
    parents = np.array(list(permutations(range(5))), dtype=np.uint8)
    one, other = cross_orderings(parents, parents[::-1], how, rng)
    for born in (one, other):
        assert (np.sort(born, axis=1) == np.arange(5)).all()
    same, _ = cross_orderings(parents, parents, how, rng)
    if how != "ox":
        assert (same == parents).all()


def test_swap_exchanges_two_places_at_its_rate():
    rng = np.random.default_rng(0)
    rows = np.tile(np.arange(6), (1000, 1))
    changed = swap(rows, 0.5, rng)
    different = (changed != rows).sum(axis=1)
    assert set(different) == {0, 2}
    assert (different > 0).mean() == pytest.approx(0.5 * 5 / 6, abs=0.05)
    assert (swap(rows, 0.0, rng) == rows).all()
