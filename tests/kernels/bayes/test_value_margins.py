"""Margins from values against the slow way, and their own account of rounding."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.bayes.class_margins import gather_columns, value_margins
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


def _margins(case, prior, columns=(0, 1, 2, 3), more=0.0, unit=0.0, rough=0.0, shift=0.0):
    values, target, nominal, levels, mean, variance = case
    bounds = np.searchsorted(target, np.arange(len(prior) + 1))
    size = (len(prior) - 1) * len(target)
    margins, base, tolerance = np.zeros((len(columns), size)), np.empty(size), np.empty(size)
    x = np.ascontiguousarray(values[:, columns].T)
    value_margins(
        x, np.array(columns), bounds, np.array(prior), nominal, levels, mean, variance, more, unit,
        rough, np.full(4, shift), margins, base, tolerance,
    )  # fmt: skip
    return margins, base, tolerance


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("columns", [(0, 1, 2, 3), (2, 0)])
def test_margins_are_those_of_the_slow_way(classes, columns):
    case = _rows(classes)
    values, target, nominal, levels, mean, variance = case
    prior = np.log(np.arange(1.0, classes + 1))
    margins, base, tolerance = _margins(case, prior, columns, more=0.5)
    evidence = naive_evidence(values, nominal, levels, mean, variance + 0.5)
    wanted, start, _ = naive_margins(evidence, prior, target, 0, len(target))
    assert_allclose(margins, np.array(wanted)[list(columns)], atol=1e-12)
    assert_allclose(base, start, atol=1e-12)
    assert not tolerance.any()


@pytest.mark.parametrize("seed", range(5))
def test_errors_of_the_statistics_stay_within_the_tolerance(seed):
    case, prior = _rows(3, seed=seed), np.zeros(3)
    rng = np.random.default_rng(seed)
    *rest, mean, variance = case
    moved = mean + 1e-5 * rng.choice([-1.0, 1.0], mean.shape)
    wider = variance * (1.0 + 1e-5 * rng.choice([-1.0, 1.0], variance.shape))
    margins, _, tolerance = _margins(case, prior, rough=1e-5, shift=1e-5)
    other, _, _ = _margins((*rest, moved, wider), prior)
    difference = np.abs(margins - other).sum(axis=0)
    assert (difference <= tolerance).all()
    assert (tolerance < 1e-2).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_a_class_that_is_ruled_out_is_behind_whatever_others_say(classes):
    case, prior = _rows(classes, n=60), np.log(np.arange(1.0, classes + 1))
    values, target, nominal, levels, *_ = case
    levels[2, 0, 1:], levels[2, 1, 0] = -np.inf, -np.inf
    margins, base, tolerance = _margins(case, prior, unit=1e-12)
    assert np.isfinite(margins).all()
    assert (tolerance < 1e-6).all()
    evidence = naive_evidence(values, nominal, levels, *case[4:])
    for columns in ([2], [0, 2], [0, 1, 2]):
        sums = np.array(evidence)[columns].sum(axis=0) + prior[:, None]
        ahead = (base + margins[columns].sum(axis=0)).reshape(classes - 1, -1).min(axis=0)
        assert_array_equal(ahead > 0.0, sums.argmax(axis=0) == target)


#: Gathered columns are those of numpy, whatever the type and the number of rows.
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 7, 8, 21])
def test_some_rows_by_column(dtype, n):
    rng = np.random.default_rng(n)
    values, rows = rng.normal(size=(30, 3)).astype(dtype), rng.permutation(30)[:n]
    out, columns = np.empty((2, n)), np.array([2, 0])
    gather_columns(values, rows, columns, out)
    assert_array_equal(out, values[rows][:, columns].T)
