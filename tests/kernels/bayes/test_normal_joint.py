"""Sums in the order of numpy: equal to the last bit."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_array_equal

from fewest.kernels.bayes.normal_joint import normal_joint, pairwise_sum


def test_sums():
    values = np.random.default_rng(0).normal(size=700) * 10.0 ** np.arange(700) ** 0.3
    for count in [*range(1, 40), 127, 128, 129, 200, 513, 690]:
        for start in (0, 5):
            own = values[start : start + count]
            assert pairwise_sum(values, start, count) == np.sum(own)
            rows = np.stack([own, own[::-1], own])
            assert pairwise_sum(values, start, count) == np.sum(rows, axis=1)[0]


def test_joint_logarithms():
    rng = np.random.default_rng(1)
    d, n, classes = 21, 9, 3
    x, mean = rng.normal(size=(d, n)), rng.normal(size=(classes, d))
    variance, prior = rng.random((classes, d)) + 0.1, rng.random(classes)
    masks = rng.random((12, d)) < rng.random((12, 1))
    masks[0], masks[:, 3] = False, True
    more = 1e-9 * rng.random(12)
    logs = np.log(2.0 * np.pi * (variance + more[:, None, None]))
    found = normal_joint(x, np.log(prior), mean, variance, more, logs, masks)
    for mask, extra, values in zip(masks, more, found, strict=True):
        X = np.ascontiguousarray(x[mask].T)
        for c in range(classes):
            spread = variance[c, mask] + extra
            part = -0.5 * np.sum(np.log(2.0 * np.pi * spread))
            part = part - 0.5 * np.sum(((X - mean[c, mask]) ** 2) / spread, axis=1)
            assert_array_equal(values[:, c], np.log(prior[c]) + part)
