"""Counts of conditions against counting them one by one."""

from __future__ import annotations

import numpy as np

from fewest._kernels.trees.rule_conditions import best_positions, condition_counts, laplace_values


def test_like_counting_one_by_one():
    rng = np.random.default_rng(0)
    cell = np.column_stack([rng.integers(0, 4, 30), rng.integers(4, 9, 30)])
    target, weight = rng.integers(0, 3, 30), rng.integers(1, 4, 30).astype(float)
    inside = np.flatnonzero(rng.random(30) < 0.6)
    low, high = np.array([0, 1, 4, 6]), np.array([0, 3, 5, 8])
    feature = np.array([0, 0, 1, 1])
    found = condition_counts(cell, target, weight, inside, 9, 3, low, high)
    for q in range(4):
        for c in range(3):
            met = [
                weight[i]
                for i in inside
                if target[i] == c and low[q] <= cell[i, feature[q]] <= high[q]
            ]
            assert found[c, q] == sum(met)


def test_best_positions_are_the_first_of_a_stable_sort():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 6, 50).astype(float)
    values[rng.random(50) < 0.2] = -np.inf
    expected = np.argsort(-values, kind="stable")
    for n in (1, 5, 50, 60):
        assert best_positions(values, n).tolist() == expected[:n].tolist()


def test_laplace_by_hand():
    counts = np.array([[3.0, 0.0, 5.0, 1.0], [1.0, 2.0, 5.0, 0.0]])
    assert laplace_values(counts, -1, 1.5, 9.0).tolist() == [4 / 6, 3 / 4, -np.inf, -np.inf]
    assert laplace_values(counts, 0, 1.0, 10.0).tolist() == [4 / 6, -np.inf, 6 / 12, 2 / 3]
