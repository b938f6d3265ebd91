"""Moments of groups of rows against numpy, added and taken away."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.data._class_sums import Moments


def _case(seed=0, n=40, d=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 5.0, rng.integers(0, 3, n), rng.random(n) + 0.1


def _check(moments, X, groups, weight):
    for g in range(3):
        part, own = X[groups == g], weight[groups == g]
        assert_allclose(moments.weight[g], own.sum())
        if len(part):
            assert_allclose(moments.mean[g], np.average(part, axis=0, weights=own))
            expected = np.cov(part.T, aweights=own, bias=True) * own.sum()
            assert_allclose(moments.scatter[g], expected, atol=1e-12)


def test_of_rows():
    X, groups, weight = _case()
    moments = Moments.of(X, groups, 3, weight)
    _check(moments, X, groups, weight)
    whole = moments.together()
    away = X - np.average(X, axis=0, weights=weight)
    assert_allclose(whole.scatter[0], (away * weight[:, None]).T @ away)
    centre = np.arange(4.0)
    away = X - centre
    assert_allclose(moments.about(centre), (away * weight[:, None]).T @ away)


@pytest.mark.parametrize("cut", [1, 13, 39])
def test_sums_and_differences(cut):
    X, groups, weight = _case(1)
    first = Moments.of(X[:cut], groups[:cut], 3, weight[:cut])
    second = Moments.of(X[cut:], groups[cut:], 3, weight[cut:])
    _check(first + second, X, groups, weight)
    _check((first + second) - first, X[cut:], groups[cut:], weight[cut:])


def test_a_group_that_is_taken_away_is_gone():
    X, groups, weight = _case(2)
    whole, part = Moments.of(X, groups, 3, weight), groups == 1
    rest = whole - Moments.of(X[part], groups[part], 3, weight[part])
    assert rest.weight[1] == 0.0
    assert (rest.scatter[1] == 0.0).all()
