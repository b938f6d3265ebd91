"""Rules over nearly dependent columns against pseudo-inverses."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.linear.refine import refine_rules
from tests.naive.linear import naive_inverse_rules, naive_shortest

EPS = float(np.finfo(np.float64).eps)
MASKS = np.array(
    [[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1], [0, 1, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1]], dtype=bool
)


def _columns(near, n=25):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    X[:, 2] = X[:, 0] - 2.0 * X[:, 1] + near * rng.normal(size=n)
    X[:, 5] = X[:, 4]
    return X - X.mean(axis=0), rng.normal(size=(n, 2))


def _refined(X, right, least_squares, cut):
    weights, error = np.empty((len(MASKS), 2, 6)), np.empty(len(MASKS))
    nobody = np.zeros(6, dtype=bool)
    columns = np.ascontiguousarray(X.T)
    refine_rules(
        columns, right, least_squares, least_squares, cut, nobody, EPS, MASKS, weights, error
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
    for mask, got, size in zip(MASKS, weights, error, strict=True):
        expected = naive_shortest(X, targets, np.flatnonzero(mask), 1e-6)
        assert_allclose(got, expected, rtol=1e-9, atol=1e-9)
        assert size < 1e-8


@pytest.mark.parametrize("near", [0.0, 1e-8, 1e-3])
def test_inverse(near):
    X, _ = _columns(near)
    right = np.random.default_rng(1).normal(size=(2, 6))
    weights, error = _refined(np.linalg.qr(X, mode="r"), right, False, 1e-8)
    for mask, got in zip(MASKS, weights, strict=True):
        expected = naive_inverse_rules(X, right, np.flatnonzero(mask), 1e-8)
        assert_allclose(got, expected, rtol=1e-6, atol=1e-9)
    assert (error < 1e-6).all()


def test_a_singular_value_at_the_cut_is_in_doubt():
    X = np.diag([1.0, 1.0, 1.0, 1.0, 1.0, 1e-3])
    _, error = _refined(X, np.ones((2, 6)), True, 1e-6)
    assert (error[1:] == np.inf).all()
    assert error[0] < 1e-12
