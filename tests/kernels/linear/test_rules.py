"""Linear rules by sub-blocks against whole matrices."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest.kernels.linear.rules import (
    ABSOLUTE,
    EPS,
    REGULARISED,
    RELATIVE,
    apply_rules,
    cut_directions,
    rotated_errors,
    rule_sizes,
    solve_rules,
    squared_errors,
)
from tests.naive.linear import naive_rules, naive_sizes


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


def test_values_and_squared_errors():
    X, right, masks = _case()
    weights, error, _ = _solved(X, right, masks)
    rng = np.random.default_rng(1)
    x, middle, offset = rng.normal(size=(6, 9)), rng.normal(size=(2, 6)), rng.normal(size=2)
    values, slack = np.empty((5, 2, 9)), np.empty((5, 9))
    apply_rules(weights, middle, offset, x, np.abs(x).max(axis=1), error, values, slack)
    for i in range(5):
        for k in range(2):
            start = offset[k] - 0.5 * weights[i, k] @ middle[k]
            assert_allclose(values[i, k], weights[i, k] @ x + start, rtol=1e-12, atol=1e-13)
    assert ((slack > 0.0) & (slack < 1e-10)).all()
    y = rng.normal(size=9)
    sums, rough = np.empty(5), np.empty(5)
    squared_errors(weights[:, :1], x @ x.T, x @ y, y @ y, sums, rough)
    assert_allclose(sums, [((w[0] @ x - y) ** 2).sum() for w in weights], rtol=1e-12)
    assert ((rough > 0.0) & (rough < 1e-10)).all()
    turned = np.linalg.qr(np.vstack([x, y]).T, mode="r").T
    better = np.empty(5)
    rotated_errors(weights[:, :1], turned[:-1].copy(), turned[-1].copy(), better)
    assert_allclose(better, sums, rtol=1e-12)


def test_sizes():
    X, right, masks = _case()
    weights, _, _ = _solved(X, right, masks)
    weights[3, 1, 2] = np.nan
    rng = np.random.default_rng(1)
    reach, drift, unit, square = rng.random((4, 6)) + 0.1
    middle, offset = rng.normal(size=(2, 6)), rng.normal(size=2)
    sizes = np.empty((4, 5))
    rule_sizes(weights, reach, middle, offset, drift, unit, square, sizes)
    for i, found in enumerate(sizes.T):
        expected = naive_sizes(weights[i], reach, middle, offset, drift, unit, square)
        assert_allclose(found[0], expected[0], rtol=1e-12)
        if i != 3:
            assert_allclose(found, expected, rtol=1e-12)
    assert np.isnan(sizes[0, 3])


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
