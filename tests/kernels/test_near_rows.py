"""Kernels of near rows: Relief, mutual information, records of instances."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import digamma
from scipy.stats import binomtest
from sklearn.feature_selection import mutual_info_regression

from fewest._kernels.neighbours.near_rows import (
    _difference,
    _shares,
    mutual_information,
    regression_relief,
    relief_weights,
)
from fewest._kernels.neighbours.records import concept_distances, learn_records, wilson
from tests.naive import filters, records
from tests.naive.numeric_filters import mutual_information as naive_information
from tests.naive.numeric_filters import rrelieff


# ReliefF weights against the definition, and unknown values by hand.
@pytest.mark.parametrize("k", [1, 4, 50])
def test_weights_equal_the_naive_ones(k):
    rng = np.random.default_rng(k)
    values = np.column_stack([rng.random(40), rng.integers(0, 3, 40), rng.random(40)])
    target = rng.integers(0, 3, 40)
    values[:, 0] = (values[:, 0] + target) / 3
    shares = np.bincount(target) / 40
    sizes = np.array([0, 3, 0])
    found = relief_weights(values, sizes, target, shares, np.arange(40), k)
    expected = filters.relief(values.tolist(), [False, True, False], target.tolist(), k)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("a", "b", "size", "expected"),
    [
        (1.0, 2.0, 3, 1.0),
        (1.0, 1.0, 3, 0.0),
        (np.nan, 1.0, 4, 0.75),
        (0.2, 0.9, 0, 0.7),
        (np.nan, 0.3, 0, 0.7),
        (0.6, np.nan, 0, 0.6),
        (np.nan, np.nan, 0, 1.0),
    ],
)
def test_differences(a, b, size, expected):
    assert _difference(a, b, size) == pytest.approx(expected)


def test_rows_as_far_as_the_last_share_its_place():
    distances = np.array([0.0, 2.0, 1.0, 0.7, 1.0, 0.5])
    target = np.array([0, 0, 0, 0, 0, 1])
    best, share = np.zeros(2, dtype=np.int64), np.zeros(6)
    assert _shares(distances, target, 0, 0, 2, best, share) == 2
    assert share.tolist() == [0.0, 0.0, 0.5, 1.0, 0.5, 0.0]
    assert _shares(distances, target, 0, 1, 2, best, share) == 1
    assert share.tolist() == [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]


def test_weights_of_tied_rows_do_not_depend_on_their_order():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2, (30, 4)).astype(float)
    target, order = rng.integers(0, 2, 30), rng.permutation(30)
    shares, sizes = np.bincount(target) / 30, np.full(4, 2)
    found = relief_weights(values, sizes, target, shares, np.arange(30), 3)
    again = relief_weights(values[order], sizes, target[order], shares, np.arange(30), 3)
    assert found == pytest.approx(again)
    expected = filters.relief(values.tolist(), [True] * 4, target.tolist(), 3)
    assert found == pytest.approx(expected)


# RReliefF against loops.
def test_weights():
    rng = np.random.default_rng(0)
    X, k = rng.random((25, 3)), 4
    y = np.clip(X[:, 0] + 0.1 * rng.random(25), 0, 1)
    weights = regression_relief(X, np.zeros(3, dtype=np.int64), y, np.arange(25), np.ones(k))
    assert_allclose(weights, rrelieff(X.tolist(), y.tolist(), k), rtol=1e-12)
    assert weights[0] == weights.max() > 0


def test_weights_that_fall_with_the_rank():
    rng = np.random.default_rng(1)
    X, y = rng.random((20, 3)), rng.random(20)
    influence = np.exp(-((np.arange(1, 6) / 2.0) ** 2))
    weights = regression_relief(X, np.zeros(3, dtype=np.int64), y, np.arange(20), influence)
    expected = rrelieff(X.tolist(), y.tolist(), 5, influence.tolist())
    assert_allclose(weights, expected, rtol=1e-12)


def test_a_constant_target_weighs_nothing():
    X = np.random.default_rng(0).random((6, 2))
    none = regression_relief(X, np.zeros(2, dtype=np.int64), np.zeros(6), np.arange(6), np.ones(2))
    assert_array_equal(none, np.zeros(2))


# Mutual information from neighbours against all distances, and against scikit-learn.
def steps(n):
    return np.concatenate([[0.0], digamma(np.arange(1, n + 1))])


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("ties", [False, True])
def test_against_all_distances(k, ties):
    rng = np.random.default_rng(0)
    for n in (5, 30):
        x = rng.normal(size=n)
        y = x + rng.normal(size=n)
        if ties:
            x, y = np.round(x), np.round(y, 1)
        found = mutual_information(x, y, k, steps(n))
        assert_allclose(
            found, naive_information(x.tolist(), y.tolist(), k, digamma), rtol=1e-12, atol=1e-12
        )


def test_against_scikit_learn():
    """On columns of standard deviation 1; it adds noise of 1e-10, which changes no order here."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] ** 2 + X[:, 1] + 0.1 * rng.normal(size=60)
    X, y = X / X.std(axis=0), y / y.std()
    own = [mutual_information(np.ascontiguousarray(x), y, 3, steps(60)) for x in X.T]
    assert_allclose(own, mutual_info_regression(X, y, random_state=0), atol=1e-9)


# Records of rows against a naive version, and intervals against another library's.
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
    expected = records.learn(*given)
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
