"""The nearest rows for many candidates at once against one distance at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest.classifiers.neighbours.blocks import Blocks, Queries, find_neighbours
from fewest.classifiers.neighbours.ranges import class_rank, scales_without_own
from fewest.kernels.neighbours.nearest import exact_distance
from fewest.testing import mixed_table, toy_table
from tests.naive.neighbours import naive_leave_one_out


def candidates(kind, m, d, rng):
    if kind == "subsets":
        return (rng.random((m, d)) < 0.6).astype(float)
    if kind == "levels":
        return rng.integers(0, 3, (m, d)) / 2
    return rng.random((m, d)) * (rng.random((m, d)) < 0.8)


def leave_one_out(table, weights, k):
    n = table.n_rows
    laid = Blocks.of(table.values, table.nominal)
    counts = np.bincount(table.target, minlength=table.n_classes)
    rank = np.array([class_rank(counts - (np.arange(len(counts)) == c)) for c in table.target])
    scale = scales_without_own(table.values, table.nominal)
    queries = Queries(table.values, np.arange(n), np.zeros(n, np.int64), scale, rank)
    return find_neighbours(
        laid,
        queries,
        weights,
        k,
        group=laid.spread(np.arange(n), -1),
        target=laid.spread(table.target, 0),
    )


# 40 candidates look sums up, 5 multiply.
@pytest.mark.parametrize("m", [5, 40])
@pytest.mark.parametrize("kind", ["subsets", "levels", "free"])
@pytest.mark.parametrize("make", [mixed_table, lambda: toy_table(70, 6, 3)])
def test_leave_one_out(make, kind, m):
    table = make()
    weights = candidates(kind, m, table.n_features, np.random.default_rng(m))
    for k in (1, 3):
        found = leave_one_out(table, weights, k)
        for s in (0, m // 2, m - 1):
            expected = naive_leave_one_out(
                table.values.tolist(),
                table.target.tolist(),
                table.nominal.tolist(),
                weights[s].tolist(),
                k,
            )
            assert_array_equal(found.predicted[s], expected)


def test_distances_are_those_of_plain_sums():
    rng = np.random.default_rng(0)
    one, other, weight = rng.random((3, 5))
    scale, labels = np.ones(5), np.zeros(5, bool)
    squared = exact_distance(one, other, weight, scale, labels, True)
    assert squared == pytest.approx((weight * (one - other) ** 2).sum(), rel=1e-14)
    straight = exact_distance(one, other, weight, scale, labels, False)
    assert straight == pytest.approx((weight * np.abs(one - other)).sum(), rel=1e-14)


def test_no_feature_means_that_all_rows_vote():
    table = toy_table(9, 2)
    found = leave_one_out(table, np.zeros((1, 2)), 1)
    counts = np.bincount(table.target)
    expected = [int(np.argmax(counts - (np.arange(2) == c))) for c in table.target]
    assert_array_equal(found.predicted[0], expected)
