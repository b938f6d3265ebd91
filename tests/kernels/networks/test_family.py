"""The kernels of the discrete models against their slow twins, on bare arrays."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fewest._kernels.counting.bitplanes import pack_planes, popcount
from fewest._kernels.networks.families import (
    DIRICHLET,
    EQUIVALENT,
    LIKELIHOOD,
    family_score,
)
from fewest._kernels.networks.independence import G_SQUARED, next_combination, skeleton
from tests.kernels.networks.rows import CARDS, some_rows
from tests.naive import discrete_models, structures


def test_popcount():
    words = np.random.default_rng(0).integers(0, 2**64, 20, dtype=np.uint64)
    for word in (*words, np.uint64(0), np.uint64(2**64 - 1)):
        assert popcount(word) == bin(int(word)).count("1")


@pytest.mark.parametrize(
    ("kind", "penalty", "name"),
    [(LIKELIHOOD, np.log(70) / 2, "bic"), (DIRICHLET, 0.0, "k2"), (EQUIVALENT, 0.0, "bde")],
)
def test_family_scores(kind, penalty, name):
    rows = some_rows()
    shared = pack_planes(rows, CARDS)
    for child, parents in ((0, []), (1, [2]), (4, [1, 3])):
        args = (shared[0], shared[1], CARDS, shared[2], child)
        args += (np.array(parents, dtype=np.int64), kind, 1.0, penalty)
        expected = discrete_models.family_score(rows.tolist(), CARDS.tolist(), child, parents, name)
        assert family_score(*args) == pytest.approx(expected)


def test_skeleton_at_level_zero_is_pairwise_tests():
    rows = some_rows()
    critical = np.full(20, 9.0)
    edges, _, number = skeleton(rows, CARDS, critical, G_SQUARED, 0)
    for x, y in combinations(range(5), 2):
        statistic, _ = structures.independence(rows.tolist(), CARDS.tolist(), x, y, (), "g2")
        assert edges[x, y] == edges[y, x] == (statistic > 9.0)
        assert number[x, y] == (-1 if edges[x, y] else 0)


def test_combinations_in_order():
    chosen = np.arange(3)
    seen = [tuple(chosen.tolist())]
    while next_combination(chosen, 5):
        seen.append(tuple(chosen.tolist()))
    assert seen == list(combinations(range(5), 3))
