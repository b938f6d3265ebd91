"""Rules over nearly dependent columns, without singular values, against pseudo-inverses."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.linear.dependent import dependent_rules
from tests.naive.linear import naive_inverse_rules, naive_shortest

D = 8
MASKS = np.random.default_rng(5).random((30, D)) < 0.7
MASKS[:, [0, 1, 2]] = MASKS[:, [4, 5]] = True


def _columns(near, seed=0, n=40):
    """Two columns are sums of others and a rest, one of them of several."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, D)) * np.array([1, 3, 1, 1, 2, 1, 5, 1])
    X -= X.mean(axis=0)
    X[:, 2] = X[:, 0] - 2.0 * X[:, 1] + near[0] * rng.normal(size=n)
    X[:, 5] = X[:, 4] + near[1] * rng.normal(size=n)
    return X, rng.normal(size=(n, 2)), 10.0 ** rng.integers(-2, 3, size=D)


def _solved(X, right, targets, unit, relative, cut, masks=MASKS):
    """``X`` in the units of the answer; cross products are in other units."""
    both = np.column_stack([X, targets]) if targets is not None else X
    turned = np.ascontiguousarray(np.linalg.qr(both, mode="r").T)
    raw = X / unit
    weights, error = np.empty((len(masks), len(right), D)), np.empty(len(masks))
    dependent_rules(
        raw.T @ raw, right / unit, turned[D:], unit, turned[:D], relative, cut,
        np.zeros(D, dtype=bool), masks, weights, error,
    )  # fmt: skip
    return weights / unit, error


@pytest.mark.parametrize("near", [(0.0, 0.0), (1e-9, 1e-8), (1e-4, 1e-4), (1e-8, 1e-4)])
@pytest.mark.parametrize("seed", [0, 1])
def test_least_squares(near, seed):
    """All small directions cut off, all kept, one of each."""
    X, targets, unit = _columns(near, seed)
    weights, error = _solved(X, (X.T @ targets).T, targets, unit, True, 1e-12)
    for mask, got, size in zip(MASKS, weights, error, strict=True):
        expected = naive_shortest(X, targets, np.flatnonzero(mask), 1e-6)
        assert_allclose(got, expected, atol=1e-9 * np.abs(expected).max())
        assert size < 1e-7


@pytest.mark.parametrize("near", [(0.0, 0.0), (1e-6, 1e-5), (1e-3, 1e-7)])
def test_inverse(near):
    X, _, unit = _columns(near)
    right = np.random.default_rng(1).normal(size=(3, D))
    weights, error = _solved(X, right, None, unit, False, 1e-8)
    assert (error < 1e-4).all()
    for mask, got, size in zip(MASKS, weights, error, strict=True):
        expected = naive_inverse_rules(X, right, np.flatnonzero(mask), 1e-8)
        assert_allclose(got, expected, atol=max(size, 1e-10) * np.abs(expected).max())


def test_what_is_near_to_the_cut_is_in_doubt():
    X, _, unit = _columns((0.0, 1e-5))
    masks = np.zeros((1, D), dtype=bool)
    masks[0, [4, 5]] = True
    square = np.linalg.svd(X[:, [4, 5]], compute_uv=False)[-1] ** 2
    right = np.ones((1, D))
    assert _solved(X, right, None, unit, False, square, masks)[1][0] == np.inf
    assert _solved(X, right, None, unit, False, square * 1.01, masks)[1][0] < 1e-5
    top = np.linalg.svd(X[:, [4, 5]], compute_uv=False)[0] ** 2
    targets = np.ones((len(X), 1))
    for factor, sure in ((1.0, False), (0.99, True), (1.01, True)):
        error = _solved(X, right, targets, unit, True, factor * square / top, masks)[1]
        assert (error[0] < 1.0) == sure


def test_independent_columns_are_left_alone():
    X, _, unit = _columns((1.0, 1.0))
    assert (_solved(X, np.ones((1, D)), None, unit, False, 1e-8)[1] == np.inf).all()
