"""Linear rules by sub-blocks against whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.linear.linear_rules import (
    ABSOLUTE,
    EPS,
    REGULARISED,
    RELATIVE,
    cut_directions,
    refine_rules,
    solve_rules,
)
from tests.naive.linear import naive_inverse_rules, naive_rules, naive_shortest


def _solved(X, right, masks, rank_rule=REGULARISED, cut=0.0, ridge=0.0, dead=None):
    d = X.shape[1]
    weights, error = np.empty((len(masks), len(right), d)), np.empty(len(masks))
    unsure = np.zeros(len(masks), dtype=bool)
    dead = np.zeros(d, dtype=bool) if dead is None else dead
    solve_rules(
        X.T @ X, np.full(d, ridge), right, np.ones(d), rank_rule, cut, dead, EPS, masks, weights,
        error, unsure,
    )  # fmt: skip
    return weights, error, unsure


def _case(seed=0, n=30, d=6):
    rng = np.random.default_rng(seed)
    X, right = rng.normal(size=(n, d)), rng.normal(size=(2, d))
    masks = rng.random((5, d)) < 0.6
    masks[:, 1] = True
    return X, right, masks


def test_rules():
    X, right, masks = _case()
    for ridge in (0.0, 0.7):
        weights, error, unsure = _solved(X, right, masks, ridge=ridge)
        assert not unsure.any()
        for mask, got, size in zip(masks, weights, error, strict=True):
            expected = naive_rules(X.T @ X, np.full(6, ridge), right, np.flatnonzero(mask))
            assert_allclose(got, expected, rtol=1e-12, atol=1e-14)
            assert 0.0 < size < 1e-11


def test_dead_columns_get_no_weight():
    X, right, masks = _case()
    dead = np.arange(6) == 1
    weights, _, _ = _solved(X, right, masks, dead=dead)
    assert_array_equal(weights, _solved(X, right, masks & ~dead)[0])


def test_nearly_dependent_columns_are_unsure():
    X, right, masks = _case()
    X[:, 2] = X[:, 0] + X[:, 3]
    X[:, 4] = X[:, 5] * (1.0 + 1e-9)
    for rank_rule, cut in ((REGULARISED, 0.0), (RELATIVE, 1e-12), (ABSOLUTE, 1e-8)):
        _, _, unsure = _solved(X, right, masks, rank_rule, cut)
        expected = masks[:, [0, 2, 3]].all(axis=1) | masks[:, [4, 5]].all(axis=1)
        assert_array_equal(unsure, expected)


def test_small_eigenvalues_are_unsure():
    X, right, _ = _case()
    X[:, 0] *= 1e-5
    masks = np.array([[1, 1, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0]], dtype=bool)
    assert_array_equal(_solved(X, right, masks, RELATIVE, 1e-9)[2], [True, False])
    assert_array_equal(_solved(X, right, masks, RELATIVE, 1e-12)[2], [False, False])


def test_directions_between_class_means_that_would_be_cut():
    rng = np.random.default_rng(2)
    share = np.array([0.2, 0.3, 0.5])
    right = rng.normal(size=(3, 4))
    right -= share @ right
    flat = np.outer([-1.0, 1.0, -0.2], right[0])
    flat -= share @ flat
    for case, expected in (
        (right, False),
        (flat + 1e-5 * right, True),
        (flat + 1e-3 * right, False),
    ):
        unsure = np.zeros(1, dtype=bool)
        cut_directions(case[None].copy(), case, share, 1e-8, unsure)
        assert unsure[0] == expected


SOME = np.array(
    [[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]], dtype=bool
)


def _columns(near, n=25):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    X[:, 2] = X[:, 0] - 2.0 * X[:, 1] + near * rng.normal(size=n)
    X[:, 5] = X[:, 4]
    return X - X.mean(axis=0), rng.normal(size=(n, 2))


def _refined(X, right, least_squares, cut):
    weights, error = np.empty((len(SOME), 2, 6)), np.empty(len(SOME))
    nobody = np.zeros(6, dtype=bool)
    columns = np.ascontiguousarray(X.T)
    refine_rules(
        columns, right, least_squares, least_squares, cut, nobody, EPS, SOME, weights, error
    )
    return weights, error


@pytest.mark.parametrize("near", [0.0, 1e-8, 1e-3])
@pytest.mark.parametrize("n", [25, 4])
def test_least_squares(near, n):
    X, targets = _columns(near, n)
    both = np.linalg.qr(np.column_stack([X, targets]), mode="r")
    weights, error = _refined(
        np.ascontiguousarray(both[:, :6]), np.ascontiguousarray(both[:, 6:].T), True, 1e-12
    )
    for mask, got, size in zip(SOME, weights, error, strict=True):
        expected = naive_shortest(X, targets, np.flatnonzero(mask), 1e-6)
        assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
        assert size < 1e-8


@pytest.mark.parametrize("near", [0.0, 1e-8, 1e-3])
def test_inverse(near):
    X, _ = _columns(near)
    right = np.random.default_rng(1).normal(size=(2, 6))
    weights, error = _refined(np.linalg.qr(X, mode="r"), right, False, 1e-8)
    for mask, got in zip(SOME, weights, strict=True):
        expected = naive_inverse_rules(X, right, np.flatnonzero(mask), 1e-8)
        assert_allclose(got, expected, rtol=1e-6, atol=1e-9)
    assert (error < 1e-6).all()


def test_a_singular_value_at_the_cut_is_in_doubt():
    X = np.diag([1.0, 1.0, 1.0, 1.0, 1.0, 1e-3])
    _, error = _refined(X, np.ones((2, 6)), True, 1e-6)
    assert (error[1:] == np.inf).all()
    assert error[0] < 1e-12
