"""Joint logarithms against the slow obvious way."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from fewest._kernels.bayes.totals import evidence_totals, normal_totals
from tests.naive.totals import naive_normal_totals, naive_totals


def _members(masks):
    rows, members = np.nonzero(masks)
    return members, np.searchsorted(rows, np.arange(len(masks) + 1))


def test_evidence_totals():
    rng = np.random.default_rng(0)
    evidence, prior = rng.normal(size=(7, 3, 7)) - 1.0, np.log([0.2, 0.3, 0.5])
    masks = rng.random((4, 7)) < 0.7
    size = np.abs(evidence).max(axis=(1, 2))
    totals, slack = evidence_totals(evidence, size, prior, 1e-15, *_members(masks))
    for mask, total in zip(masks, totals, strict=True):
        assert_allclose(total, naive_totals(evidence, prior, np.flatnonzero(mask)))
    assert (slack > 1e-15).all()
    assert (evidence_totals(evidence, size, prior, -1.0, *_members(masks))[1] == -1.0).all()


MASKS = np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]], dtype=bool)


def _normal(seed):
    rng = np.random.default_rng(seed)
    x, prior = rng.normal(size=(4, 6)), np.log([0.4, 0.6])
    return x, prior, rng.normal(size=(2, 4)), rng.random((2, 4)) + 0.1, rng.random(4)


def test_normal_totals():
    x, prior, mean, variance, spread = _normal(1)
    more = 0.1 * np.where(MASKS, spread, 0.0).max(axis=1)
    shift = np.full(4, 1e-15)
    totals, slack = normal_totals(x, prior, mean, variance, more, 1e-15, shift, *_members(MASKS))
    for mask, total in zip(MASKS, totals, strict=True):
        members = np.flatnonzero(mask)
        assert_allclose(total, naive_normal_totals(x, prior, mean, variance, spread, 0.1, members))
    assert (slack > 0.0).all()


def test_columns_of_infinite_variance_say_nothing():
    x, prior, mean, variance, _ = _normal(2)
    variance[:, 2] = np.inf
    nothing, rest = np.zeros(3), (1e-15, np.zeros(4), *_members(MASKS))
    totals, _ = normal_totals(x, prior, mean, variance, nothing, *rest)
    expected = naive_normal_totals(x, prior, mean, variance, np.zeros(4), 0.0, [0, 1, 3])
    assert_allclose(totals[2], expected)


def test_errors_of_the_statistics_stay_within_the_slack():
    rng = np.random.default_rng(0)
    for seed in range(20):
        x, prior, mean, variance, _ = _normal(seed)
        members = _members(MASKS)
        nothing, unit, shift = np.zeros(3), 1e-5, np.full(4, 1e-5)
        totals, slack = normal_totals(x, prior, mean, variance, nothing, unit, shift, *members)
        moved = mean + shift * rng.choice([-1.0, 1.0], mean.shape)
        wider = variance * (1.0 + unit * rng.choice([-1.0, 1.0], variance.shape))
        other, _ = normal_totals(x, prior, moved, wider, nothing, unit, shift, *members)
        ahead = np.abs((totals[:, 1] - totals[:, 0]) - (other[:, 1] - other[:, 0]))
        assert (ahead <= slack).all()
        assert (slack < 1e-2).all()
