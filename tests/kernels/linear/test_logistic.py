"""Logistic regression over subsets: minima where slopes vanish."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.linear.logistic import logistic_rules
from fewest.measures.wrappers.linear.logistic import minimum
from tests.naive.logistic import naive_slope


def _case(outputs, n=25, d=4):
    rng = np.random.default_rng(outputs)
    x, weight = rng.normal(size=(d, n)), rng.random(n) + 0.5
    code = rng.integers(0, max(outputs, 2), n)
    return x, code, weight, np.array([1.0, 0.5, 2.0, 1.0])


@pytest.mark.parametrize("outputs", [1, 3])
def test_minima_of_subsets(outputs):
    x, code, weight, penalty = _case(outputs)
    best, curvature = minimum(x, code, weight, penalty, outputs)
    masks = np.array([[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 0, 1]], dtype=bool)
    weights, offsets, floors = np.empty((3, outputs, 4)), np.empty((3, outputs)), np.empty(3)
    logistic_rules(
        x, code, weight, penalty, best, curvature, np.ones(4), 1e-8, np.zeros(3), masks, weights,
        offsets, floors,
    )  # fmt: skip
    for mask, rule, offset in zip(masks, weights, offsets, strict=True):
        assert (rule[:, ~mask] == 0.0).all()
        point = np.column_stack([rule[:, mask], offset])
        slope = naive_slope(x[mask], code, weight, penalty[mask], point)
        assert_allclose(slope, 0.0, atol=1e-6)
    assert (floors > 0.0).all()
    logistic_rules(
        x, code, weight, penalty, best, curvature, np.ones(4), 1e-8, np.full(3, 1e9), masks,
        weights, offsets, floors,
    )  # fmt: skip
    assert (floors == 0.0).all()
