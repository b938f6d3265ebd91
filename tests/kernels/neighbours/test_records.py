"""Records of rows against a naive version, and intervals against another library's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from fewest._kernels.neighbours.records import concept_distances, learn_records, wilson
from tests.naive import records as naive


@pytest.mark.parametrize(("right", "tried"), [(3, 7), (0, 4), (5, 5)])
def test_wilson_is_that_of_scipy(right, tried):
    expected = binomtest(right, tried).proportion_ci(0.9, method="wilson")
    assert wilson(right, tried, 1.6448536269514722) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("weigh", [False, True])
@pytest.mark.parametrize("store_all", [False, True])
def test_like_the_naive_way(weigh, store_all):
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.random((200, 2)), rng.integers(0, 3, 200)])
    member = ((rows[:, 0] > 0.4) ^ (rng.random(200) < 0.1)).astype(np.int64)
    rows[::11, 1] = np.nan
    nominal, scale = np.array([False, False, True]), np.array([1.1, 0.9, 0.0])
    given = rows, member, scale, nominal, weigh, store_all, rng.random(200), 1.645, 1.15
    kept, accepted, weights = learn_records(*given)
    expected = naive.learn(*given)
    assert kept.tolist() == expected[0]
    assert accepted.tolist() == expected[1]
    assert weights == pytest.approx(expected[2])
    assert accepted.any()


def test_distances_to_the_nearest_inside_and_outside():
    rows = np.array([[0.0, 0.0], [1.0, 1.0], [0.5, 0.0]])
    found = concept_distances(
        np.array([[0.0, 1.0]]), rows, np.array([0, 1, 1]), np.array([True, True, False]),
        np.array([2.0, 1.0]), np.ones(2), np.zeros(2, dtype=bool),
    )  # fmt: skip
    assert found == pytest.approx(np.array([[1 / 5, 4 / 5]]))
