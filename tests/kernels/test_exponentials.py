"""Exponentials and logarithms of arrays beside numpy's."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.exponentials import exponentials, logarithms, summed_exponentials


def _of(function, values):
    values = np.array(values, dtype=np.float64)
    function(values, np.empty_like(values))
    return values


def test_exponentials():
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.uniform(-708.0, 709.0, 300), rng.normal(size=300), [0.0, -1e-300]])
    assert_allclose(_of(exponentials, values), np.exp(values), rtol=5e-16)
    assert_array_equal(_of(exponentials, [0.0]), [1.0])


def test_summed_exponentials():
    values = np.random.default_rng(1).normal(size=50)
    found, sums = values.copy(), np.ones(50)
    summed_exponentials(found, np.empty(50), sums)
    assert_array_equal(found, _of(exponentials, values))
    assert_array_equal(sums, 1.0 + found)


def test_exponentials_far_away_are_as_good_as_nothing_and_do_not_overflow():
    found = _of(exponentials, [-1e9, 1e9])
    assert 0.0 <= found[0] < 1e-300 < found[1] < np.inf


def test_logarithms():
    rng = np.random.default_rng(0)
    near = 1.0 + rng.random(300) * 10.0 ** rng.uniform(-15, 1, 300)
    values = np.concatenate([np.exp(rng.uniform(-700, 700, 300)), near])
    assert_allclose(_of(logarithms, values), np.log(values), rtol=8e-16)
    assert_array_equal(_of(logarithms, [1.0]), [0.0])
