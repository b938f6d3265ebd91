"""Margins from values against the slow way, and their own account of rounding."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.bayes.value_margins import value_margins
from tests.naive.class_statistics import naive_evidence
from tests.naive.margins import naive_margins


def _rows(classes, n=24, seed=0):
    rng = np.random.default_rng(seed)
    target = np.sort(rng.integers(0, classes, n))
    values = np.column_stack([rng.normal(size=(n, 2)), rng.integers(0, 4, n), np.full(n, 3.0)])
    values[rng.random(values.shape) < 0.2] = np.nan
    levels = np.zeros((4, 3, classes))
    levels[2] = np.log(rng.random((3, classes)))
    mean, variance = rng.normal(size=(classes, 4)), rng.random((classes, 4)) + 0.2
    variance[:, 3] = np.inf
    return values, target, np.array([False, False, True, False]), levels, mean, variance


def _margins(case, classes, unit=0.0, rough=0.0, shift=0.0):
    values, target, nominal, levels, mean, variance = case
    bounds = np.searchsorted(target, np.arange(classes + 1))
    size = (classes - 1) * len(target)
    margins, tolerance = np.zeros((4, size)), np.zeros(size)
    value_margins(
        np.ascontiguousarray(values.T), bounds, nominal, levels, mean, variance, unit,
        np.full(4, rough), np.full(4, shift), margins, tolerance,
    )  # fmt: skip
    return margins, tolerance


@pytest.mark.parametrize("classes", [2, 3])
def test_margins_are_those_of_the_slow_way(classes):
    case = _rows(classes)
    values, target, nominal, levels, mean, variance = case
    margins, tolerance = _margins(case, classes)
    evidence = naive_evidence(values, nominal, levels, mean, variance)
    wanted, _, _ = naive_margins(evidence, np.zeros(classes), target, 0, len(target))
    assert_allclose(margins, wanted, atol=1e-12)
    assert not tolerance.any()


@pytest.mark.parametrize("seed", range(5))
def test_errors_of_the_statistics_stay_within_the_tolerance(seed):
    case = _rows(3, seed=seed)
    rng = np.random.default_rng(seed)
    *rest, mean, variance = case
    moved = mean + 1e-5 * rng.choice([-1.0, 1.0], mean.shape)
    wider = variance * (1.0 + 1e-5 * rng.choice([-1.0, 1.0], variance.shape))
    margins, tolerance = _margins(case, 3, rough=1e-5, shift=1e-5)
    other, _ = _margins((*rest, moved, wider), 3)
    difference = np.abs(margins - other).sum(axis=0)
    assert (difference <= tolerance).all()
    assert (tolerance < 1e-2).all()
