"""Margins against the slow obvious way, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest._kernels.bayes.class_margins import judge, judge_masks
from tests.naive.margins import naive_judge, naive_judge_parts, naive_margins


def _rows(rng, classes, n=20):
    target = np.sort(rng.integers(0, classes, n))
    evidence = rng.normal(size=(9, classes, n)).round(1)
    return target, evidence, rng.normal(size=classes).round(1)


def _candidates(rng, d, m=6):
    masks = rng.random((m, d)) < 0.5
    masks[:, 0] |= ~masks.any(axis=1)
    return masks


def _members(masks):
    rows, members = np.nonzero(masks)
    return members, np.ones(len(members)), np.searchsorted(rows, np.arange(len(masks) + 1))


def _judge(rivals, margins, base, tolerance, masks, dense=False):
    n = len(base) // rivals
    right, doubtful = np.zeros((2, 2, len(masks)), np.int64)
    given = margins, base, tolerance, rivals, np.array([0, n // 3, n])
    if dense:
        judge_masks(*given, masks.astype(np.float64), right, doubtful)
    else:
        judge(*given, *_members(masks), right, doubtful)
    return right.sum(axis=0), doubtful.sum(axis=0)


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize(("classes", "m"), [(2, 6), (4, 6), (4, 9000)])
def test_sums_are_judged_as_in_the_slow_way(classes, m, dense):
    rng = np.random.default_rng(classes)
    target, evidence, log_prior = _rows(rng, classes)
    masks = _candidates(rng, 9, m)
    total = np.zeros((2, len(masks)), np.int64)
    for low, high in ((0, 13), (13, 20)):
        margins, base, _ = naive_margins(evidence, log_prior, target, low, high)
        tolerance = np.full(len(base), 0.05)
        total += _judge(classes - 1, np.array(margins), np.array(base), tolerance, masks, dense)
    assert_array_equal(total, naive_judge(evidence, log_prior, target, masks, 0.05))


def test_a_margin_that_is_no_number_is_doubtful():
    margins = np.array([[np.nan, 1.0, -1.0]])
    counts = _judge(1, margins, np.zeros(3), np.zeros(3), np.ones((1, 1), dtype=bool))
    assert_array_equal(np.ravel(counts), [1, 1])


@pytest.mark.parametrize("classes", [2, 4])
def test_steps_are_judged_as_the_subsets_they_stand_for(classes):
    rng = np.random.default_rng(classes)
    target, evidence, log_prior = _rows(rng, classes)
    width = (classes - 1) * 20
    margins, base, _ = map(np.array, naive_margins(evidence, log_prior, target, 0, 20))
    inside = np.arange(9) % 3 == 0
    masks = inside ^ np.eye(9, dtype=bool)
    right, doubtful = np.zeros((2, 3, 9), np.int64)
    parts = np.array([0, 6, 6, 20])
    tolerance = np.full(width, 0.05)
    start = base + margins[inside].sum(axis=0)
    judge(
        margins, start, tolerance, classes - 1, parts, np.arange(9), np.where(inside, -1.0, 1.0),
        np.arange(10), right, doubtful,
    )  # fmt: skip
    expected = naive_judge_parts(evidence, log_prior, target, masks, 0.05, parts)
    assert_array_equal([right, doubtful], expected)
