"""Sums over subsets of variables against counting with dictionaries."""

from collections import Counter
from math import lgamma, log

import numpy as np
import pytest

from fewest._kernels.networks.families import DIRICHLET, EQUIVALENT, LIKELIHOOD
from fewest._kernels.networks.subset_sums import (
    is_needed,
    place_of,
    start_sums,
    subset_sums,
)

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
