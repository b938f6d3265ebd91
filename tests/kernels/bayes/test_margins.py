"""Margins against the slow obvious way, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest.kernels.bayes.margins import (
    evidence_margins,
    judge,
    judge_steps,
    nibbles,
    prior_margins,
)
from fewest.kernels.bayes.normal_margins import judge_normal, normal_margins
from tests.naive.margins import naive_judge, naive_margins, naive_normal_evidence


def _rows(rng, classes, n=20):
    target = np.sort(rng.integers(0, classes, n))
    return target, np.searchsorted(target, np.arange(classes + 1))


def _candidates(rng, d, m=6):
    masks = rng.random((m, d)) < 0.5
    masks[:, 0] |= ~masks.any(axis=1)
    return masks, nibbles(masks)


def _judge(rivals, margins, base, tolerance, packed):
    m = len(packed)
    right, doubtful = np.zeros(m, np.int64), np.zeros(m, np.int64)
    judge(margins, base, tolerance, rivals, packed, np.arange(m), right, doubtful)
    return right, doubtful


@pytest.mark.parametrize("classes", [2, 4])
def test_evidence(classes):
    rng = np.random.default_rng(classes)
    target, bounds = _rows(rng, classes)
    evidence = rng.normal(size=(9, classes, 20)).round(1)
    log_prior = rng.normal(size=classes).round(1)
    masks, packed = _candidates(rng, 9)
    total = np.zeros((2, len(masks)), np.int64)
    for low, high in ((0, 13), (13, 20)):
        width = (classes - 1) * (high - low)
        margins, size = np.empty((9, width)), np.empty(width)
        evidence_margins(evidence, bounds, low, high, margins, size)
        base = prior_margins(log_prior, bounds, low, high)
        expected = naive_margins(evidence, log_prior, target, low, high)
        assert_allclose(margins, expected[0], atol=1e-12)
        assert_allclose(base, expected[1], atol=1e-12)
        assert_allclose(size, expected[2])
        total += _judge(classes - 1, margins, base, np.full(width, 0.05), packed)
    assert_array_equal(total, naive_judge(evidence, log_prior, target, masks, 0.05))


def test_a_margin_that_is_no_number_is_doubtful():
    margins = np.array([[np.nan, 1.0, -1.0]])
    counts = _judge(1, margins, np.zeros(3), np.zeros(3), np.array([[1]], np.uint8))
    assert_array_equal(np.ravel(counts), [1, 1])


@pytest.mark.parametrize("m", [3, 12, 60])
@pytest.mark.parametrize("classes", [2, 3])
def test_normal(classes, m):
    rng = np.random.default_rng(classes)
    target, bounds = _rows(rng, classes)
    x, mean = rng.normal(size=(5, 20)), rng.normal(size=(classes, 5))
    variance, spread = rng.random((classes, 5)) + 0.1, rng.random(5) + 1.0
    log_prior = np.log(np.full(classes, 1 / classes))
    masks, packed = _candidates(rng, 5, m=m)
    right, doubtful = np.zeros(m, np.int64), np.zeros(m, np.int64)
    judge_normal(
        x, bounds, log_prior, mean, variance, spread, np.argsort(-spread), 0.3, 1e-12,
        np.zeros(5), 7,
        packed, right, doubtful,
    )  # fmt: skip
    for i, mask in enumerate(masks):
        smoothed = variance + 0.3 * spread[mask].max()
        evidence = naive_normal_evidence(x, mean, smoothed)
        expected = naive_judge(evidence, log_prior, target, mask[None], 1e-9)
        assert (right[i], doubtful[i]) == (expected[0][0], expected[1][0])


def test_normal_margins_know_their_error():
    rng = np.random.default_rng(0)
    _, bounds = _rows(rng, 2)
    x, mean, variance = rng.normal(size=(3, 20)), rng.normal(size=(2, 3)), rng.random((2, 3))

    def margins(mean, variance):
        out, tolerance = np.zeros((3, 20)), np.zeros(20)
        half, logs = 0.5 / variance, -0.5 * np.log(2 * np.pi * variance)
        used = np.array([True, True, False])
        shift = np.full(3, 1e-4)
        normal_margins(x, bounds, 0, 20, mean, half, logs, used, 1e-4, shift, out, tolerance)
        assert not out[2].any()
        return out.sum(axis=0), tolerance

    exact, tolerance = margins(mean, variance)
    for _ in range(20):
        moved = mean + rng.uniform(-1e-4, 1e-4, mean.shape)
        grown = variance * (1.0 + rng.uniform(-1e-4, 1e-4, variance.shape))
        assert (np.abs(margins(moved, grown)[0] - exact) <= tolerance).all()


@pytest.mark.parametrize("classes", [2, 4])
def test_steps_are_judged_as_the_subsets_they_stand_for(classes):
    rng = np.random.default_rng(classes)
    target, bounds = _rows(rng, classes)
    evidence = rng.normal(size=(9, classes, 20)).round(1)
    log_prior = rng.normal(size=classes).round(1)
    width = (classes - 1) * 20
    margins, size = np.empty((9, width)), np.empty(width)
    evidence_margins(evidence, bounds, 0, 20, margins, size)
    base = prior_margins(log_prior, bounds, 0, 20)
    inside = np.arange(9) % 3 == 0
    masks = inside ^ np.eye(9, dtype=bool)
    right, doubtful = np.zeros(9, np.int64), np.zeros(9, np.int64)
    judge_steps(
        margins, base, np.full(width, 0.05), classes - 1, np.flatnonzero(inside), np.arange(9),
        np.where(inside, -1, 1), right, doubtful,
    )  # fmt: skip
    assert_array_equal([right, doubtful], naive_judge(evidence, log_prior, target, masks, 0.05))
