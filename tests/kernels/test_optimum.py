"""Kernels of proofs: subset sums, parent sets, spanning trees, crossovers."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import lgamma, log

import numpy as np
import pytest

from fewest._kernels.networks.families import DIRICHLET, EQUIVALENT, LIKELIHOOD
from fewest._kernels.networks.orders import (
    cycle_crossover,
    order_crossover,
    partially_matched_crossover,
)
from fewest._kernels.networks.spanning_tree import (
    LEAST_VERTICES_TO_CHANGE,
    maximum_spanning_tree,
    tree_sums,
)
from fewest._kernels.networks.subset_sums import (
    best_sinks,
    bits_in,
    first_inside,
    is_needed,
    place_of,
    start_sums,
    subset_sums,
)
from fewest._models.parent_sets import find_parent_sets
from tests.naive import crossovers as naive
from tests.naive.spanning_tree import edges_of_maximum_tree

# Sums over subsets of variables against counting with dictionaries.
CARDS = np.array([2, 3, 2, 4])


def naive_sum(rows, variables, term):
    return sum(term(n) for n in Counter(tuple(row[v] for v in variables) for row in rows).values())


@pytest.mark.parametrize("kind", [LIKELIHOOD, DIRICHLET, EQUIVALENT])
@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize("steps", [1, 3, 100])
def test_sums_of_every_subset(kind, direct, steps):
    rng = np.random.default_rng(0)
    rows = np.stack([rng.integers(0, r, 30) for r in CARDS], axis=1).astype(np.uint8)
    levels = np.array([2, 3]) if kind == DIRICHLET else np.zeros(0, dtype=np.int64)
    keys = np.full(0 if direct else 64, -1)
    masks = np.empty(16, dtype=np.int64)
    sums = np.zeros((1 + len(levels), 16 if direct else 64))
    columns = np.ascontiguousarray(rows.T)
    walk, limits = start_sums(30, 3), np.full(4, np.inf)
    while walk.place[0] >= 0:
        subset_sums(columns, CARDS, kind, 1.5, levels, limits, keys, walk, steps, masks, sums)
    made = walk.place[3]
    assert sorted(masks[:made].tolist()) == [m for m in range(16) if m.bit_count() <= 3]
    for mask in masks[:made].tolist():
        variables = [v for v in range(4) if mask >> v & 1]
        a = 1.5 / np.prod([float(CARDS[v]) for v in variables])
        term = {
            LIKELIHOOD: lambda n: n * log(n),
            DIRICHLET: lambda n: lgamma(1.5 + n) - lgamma(1.5),
            EQUIVALENT: lambda n, a=a: lgamma(a + n) - lgamma(a),
        }[kind]
        at = place_of(keys, mask)
        assert sums[0, at] == pytest.approx(naive_sum(rows.tolist(), variables, term), abs=1e-9)
        for s, r in enumerate(levels.tolist(), start=1):
            expected = naive_sum(
                rows.tolist(), variables, lambda n, r=r: lgamma(1.5 * r + n) - lgamma(1.5 * r)
            )
            assert sums[s, at] == pytest.approx(expected)


def test_needed_subsets_have_few_enough_cases_for_some_child():
    limits = np.array([0.0, 6.0, 0.0, 0.0])
    assert is_needed(0b0001, 2.0, CARDS, limits)
    assert is_needed(0b0111, 12.0, CARDS, limits)
    assert not is_needed(0b1101, 16.0, CARDS, limits)


def test_places_are_found_again():
    masks = np.random.default_rng(0).choice(1 << 20, 200, replace=False)
    keys, nodes = np.full(512, -1), np.zeros(512, dtype=np.int64)
    for k, mask in enumerate(masks):
        at = place_of(keys, mask)
        keys[at], nodes[at] = mask, k
    assert [nodes[place_of(keys, m)] for m in masks] == list(range(200))
    assert keys[place_of(keys, 1 << 21)] == -1


# Parent sets and sinks against all parent sets and all orderings.
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


#
""""""


def _edges(parents):
    return {(min(v, p), max(v, p)) for v, p in enumerate(parents) if p >= 0}


def _weights(rng, d, levels):
    upper = rng.integers(0, levels, (d, d)) / 4.0 if levels else rng.normal(size=(d, d))
    return np.triu(upper, 1) + np.triu(upper, 1).T


@pytest.mark.parametrize("levels", [0, 3])
def test_tree_equals_kruskal_for_any_subset_and_root(levels):
    rng = np.random.default_rng(levels)
    for _ in range(20):
        d = int(rng.integers(2, 9))
        weights = _weights(rng, d, levels)
        members = rng.random(d) < 0.7
        expected = edges_of_maximum_tree(weights, members)
        for root in np.flatnonzero(members):
            parents, total = maximum_spanning_tree(weights, members, root)
            assert _edges(parents) == expected
            assert parents[root] == -1
            assert total == pytest.approx(sum(weights[e] for e in expected))


def test_tree_of_nothing_and_of_one_vertex_has_no_edge():
    weights = np.ones((3, 3))
    for members in ([False] * 3, [False, True, False]):
        parents, total = maximum_spanning_tree(weights, np.array(members))
        assert (parents == -1).all()
        assert total == 0.0


# Sums over the edges of the spanning trees of many subsets.
def test_sums_add_the_payload_over_the_edges_of_each_tree():
    rng = np.random.default_rng(5)
    weights, payload = _weights(rng, 7, 3), _weights(rng, 7, 0)
    candidates = rng.random((12, 7)) < 0.6
    expected = [sum(payload[e] for e in edges_of_maximum_tree(weights, row)) for row in candidates]
    np.testing.assert_allclose(tree_sums(weights, payload, candidates), expected, atol=1e-12)


@pytest.mark.parametrize("levels", [0, 2, 6])
@pytest.mark.parametrize("kind", ["added", "removed", "both"])
def test_neighbours_of_one_subset_have_the_trees_they_have_alone(kind, levels):
    rng = np.random.default_rng(levels)
    d = LEAST_VERTICES_TO_CHANGE + 6
    for _ in range(3):
        weights, payload = _weights(rng, d, levels), _weights(rng, d, 0)
        base = np.ones(d, dtype=bool)
        base[rng.choice(d, 4, replace=False)] = False
        units = {"added": ~base, "removed": base, "both": np.ones(d, dtype=bool)}[kind]
        batch = base ^ np.eye(d, dtype=bool)[units]
        together = tree_sums(weights, payload, batch)
        assert together.tolist() == [tree_sums(weights, payload, row[None])[0] for row in batch]
        expected = [sum(payload[e] for e in edges_of_maximum_tree(weights, row)) for row in batch]
        np.testing.assert_allclose(together, expected, atol=1e-12)


# Crossovers against the paper's example, hand-worked cases and slow twins.
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
