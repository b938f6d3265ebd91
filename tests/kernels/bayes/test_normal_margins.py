"""Margins of normal densities against the slow way."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.kernels.bayes.margins import (
    nibbles,
)
from fewest.kernels.bayes.normal_margins import judge_normal, normal_margins
from tests.naive.margins import naive_judge, naive_normal_evidence


def _rows(rng, classes, n=20):
    target = np.sort(rng.integers(0, classes, n))
    return target, np.searchsorted(target, np.arange(classes + 1))


def _candidates(rng, d, m=6):
    masks = rng.random((m, d)) < 0.5
    masks[:, 0] |= ~masks.any(axis=1)
    return masks, nibbles(masks)


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
