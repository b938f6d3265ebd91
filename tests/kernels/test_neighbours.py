"""The nearest rows for many candidates at once against one distance at a time."""

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
from fewest._kernels.neighbours.nearest import (
    BY_DISTANCE,
    UNIFORM,
    answers_by_differences,
    answers_by_products,
    exact_distance,
)
from fewest._kernels.neighbours.records import concept_distances, learn_records, wilson
from fewest.classifiers._nearest_neighbor import class_rank, neighbour_votes, scales_without_own
from fewest.testing import mixed_table, toy_table
from tests.naive import filters, records
from tests.naive.neighbours import naive_leave_one_out, naive_mean, naive_shares
from tests.naive.numeric_filters import mutual_information as naive_information
from tests.naive.numeric_filters import rrelieff


def by_products(
    values, train, test, masks, k, way, target, outputs, relative=0.0, lengths=0.0, ties=False
):
    """The squared distances of values that are at most 1 as they are."""
    m, d = masks.shape
    out, slack = np.zeros((m, outputs, len(test))), np.zeros((m, len(test)))
    units = np.ascontiguousarray(values.T.astype(np.float32))
    error = np.full(m, (d + 8) * 2.0**-24)
    answers_by_products(
        units, values, train, test, masks, np.ones((m, d), np.float32), np.ones(m), error,
        np.full(m, relative), np.full(m, lengths), k, way, ties, target.astype(float), outputs == 1,
        out, slack,
    )  # fmt: skip
    return out, slack


def by_differences(values, train, test, masks, k, way, target, outputs, power):
    m, d = masks.shape
    out, slack = np.zeros((m, outputs, len(test))), np.zeros((m, len(test)))
    weights, scale = masks.astype(float), np.ones((1, d))
    answers_by_differences(
        values, train, test, np.full(len(test), -1), scale, scale, np.zeros(d, bool), power,
        weights.astype(np.float32), weights, 0.0, k, way, False, target.astype(float), outputs == 1,
        np.zeros((1, outputs), np.int64), out, slack,
    )  # fmt: skip
    return out, slack


def rows_of(kind, n, d, rng):
    """Rows without ties, rows full of ties, rows twice, and rows of very different scales."""
    if kind == "ties":
        return rng.integers(0, 3, (n, d)) / 2.0 - 0.5
    if kind == "twice":
        half = rng.normal(size=(n // 2 + 1, d)) / 8
        return np.concatenate([half, half])[:n]
    if kind == "scales":
        return rng.normal(size=(n, d)) / 8 * 10.0 ** -rng.integers(0, 12, d)
    return rng.normal(size=(n, d)) / 8


@pytest.mark.parametrize("k", [1, 5, 11, 20])
@pytest.mark.parametrize("way", [UNIFORM, BY_DISTANCE])
@pytest.mark.parametrize("power", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("kind", ["numbers", "ties", "twice", "scales"])
def test_shares_and_means_are_those_of_the_naive_way(kind, power, way, k):
    rng = np.random.default_rng(k)
    values = rows_of(kind, 330, 6, rng)
    order = rng.permutation(330)
    train, test = order[:300], order[300:]
    classes, numbers = rng.integers(0, 3, 300), rng.normal(size=300)
    masks = np.array([[1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0], [1, 0, 1, 1, 0, 0]], bool)
    for target, outputs, naive in ((classes, 3, naive_shares), (numbers, 1, naive_mean)):
        given = (values, train, test, masks, k, way, target, outputs)
        out, slack = by_products(*given) if power == 2.0 else by_differences(*given, power)
        assert (slack < 1e-9).all()
        for s, mask in enumerate(masks):
            rows = values[train][:, mask].tolist()
            more = (outputs,) if outputs > 1 else ()
            for q in range(0, 30, 7):
                query = values[test[q], mask].tolist()
                expected = naive(rows, target.tolist(), *more, query, k, power, way == BY_DISTANCE)
                assert_allclose(out[s, :, q], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n", [5, 63, 64, 65, 700])
def test_any_number_of_rows(n):
    rng = np.random.default_rng(n)
    values, target = rng.normal(size=(n + 9, 4)) / 8, rng.normal(size=n)
    masks, train, test = np.ones((2, 4), bool), np.arange(n), np.arange(n, n + 9)
    for k in (1, min(5, n), n):
        out, _ = by_products(values, train, test, masks, k, UNIFORM, target, 1)
        expected = naive_mean(values[:n].tolist(), target.tolist(), values[n].tolist(), k, 2, False)
        assert out[1, 0, 0] == pytest.approx(expected, rel=1e-12)


def test_only_what_rounding_may_change_has_slack():
    values = np.array([[0.0], [0.5], [-0.5 - 1e-16 * 8], [0.25]])
    train, test, masks = np.array([1, 2]), np.array([0]), np.ones((1, 1), bool)
    classes = np.array([0, 1])
    exact = by_products(values, train, test, masks, 1, UNIFORM, classes, 2)
    assert_array_equal(exact[0][0, :, 0], [1.0, 0.0])
    assert exact[1][0, 0] < 0
    _, slack = by_products(values, train, test, masks, 1, UNIFORM, classes, 2, 1e-14)
    assert slack[0, 0] > 1.0
    _, slack = by_products(values, train, test, masks, 1, UNIFORM, classes, 2, 0.0, 1e-14)
    assert slack[0, 0] < 0, "the length of the test row is 0"
    _, slack = by_products(values, train, test, masks, 2, UNIFORM, classes, 2, 1e-14)
    assert slack[0, 0] < 0, "both rows vote in any order"
    _, slack = by_products(values, train, test, masks, 1, UNIFORM, np.zeros(2), 2, 1e-14)
    assert slack[0, 0] < 0, "both rows answer the same"


def test_ties_are_open_where_they_are_to_be_found():
    values = np.array([[0.0], [0.5], [-0.5], [0.25]])
    train, test, masks = np.array([1, 2]), np.array([0]), np.ones((1, 1), bool)
    for k, classes, open_tie in ((1, [0, 1], True), (1, [1, 1], False), (2, [0, 1], False)):
        given = (values, train, test, masks, k, UNIFORM, np.array(classes), 2)
        assert by_products(*given)[1][0, 0] < 0
        assert bool(by_products(*given, ties=True)[1][0, 0] > 0) is open_tie


def candidates(kind, m, d, rng):
    if kind == "subsets":
        return (rng.random((m, d)) < 0.6).astype(float)
    if kind == "levels":
        return rng.integers(0, 3, (m, d)) / 2
    return rng.random((m, d)) * (rng.random((m, d)) < 0.8)


def leave_one_out(table, weights, k):
    everyone = np.arange(table.n_rows)
    counts = np.bincount(table.target, minlength=table.n_classes)
    rank = np.array([class_rank(counts - (np.arange(len(counts)) == c)) for c in table.target])
    scale = scales_without_own(table.values, table.nominal)
    votes = neighbour_votes(
        table.values, everyone, everyone, scale, table.nominal, weights, k, table.target, rank,
        everyone,
    )  # fmt: skip
    assert_array_equal(votes.sum(axis=1), 1.0)
    return votes.argmax(axis=1)


@pytest.mark.parametrize("kind", ["subsets", "levels", "free"])
@pytest.mark.parametrize("make", [mixed_table, lambda: toy_table(70, 6, 3)])
def test_leave_one_out(make, kind):
    table = make()
    weights = candidates(kind, 5, table.n_features, np.random.default_rng(0))
    for k in (1, 3):
        predicted = leave_one_out(table, weights, k)
        for s in range(5):
            expected = naive_leave_one_out(
                table.values.tolist(),
                table.target.tolist(),
                table.nominal.tolist(),
                weights[s].tolist(),
                k,
            )
            assert_array_equal(predicted[s], expected)


def test_distances_are_those_of_plain_sums():
    rng = np.random.default_rng(0)
    one, other, weight = rng.random((3, 5))
    scale, labels, chosen = np.ones(5), np.zeros(5, bool), np.arange(5)
    for power in (1.0, 2.0, 3.0):
        found = exact_distance(one, other, chosen, weight, scale, labels, power)
        assert found == pytest.approx((weight * np.abs(one - other) ** power).sum(), rel=1e-14)


def test_no_feature_means_that_all_rows_vote():
    table = toy_table(9, 2)
    counts = np.bincount(table.target)
    expected = [int(np.argmax(counts - (np.arange(2) == c))) for c in table.target]
    assert_array_equal(leave_one_out(table, np.zeros((1, 2)), 1)[0], expected)


def test_differences_beyond_single_precision():
    values = np.array([[1e25, 0.0], [0.0, 1.0], [3e25, 0.0], [2.9e25, 1.0]])
    scale, rank = np.ones((1, 2)), np.zeros((1, 2), np.int64)
    votes = neighbour_votes(
        values, np.array([0, 1, 3]), np.array([2]), scale, np.zeros(2, bool), np.ones((1, 2)), 1,
        np.array([0, 0, 1]), rank,
    )  # fmt: skip
    assert_array_equal(votes[0, :, 0], [0.0, 1.0])


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
