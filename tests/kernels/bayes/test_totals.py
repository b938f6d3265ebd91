"""Joint logarithms against the slow obvious way."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest.kernels.bayes.totals import evidence_totals, normal_totals
from tests.naive.totals import naive_normal_totals, naive_totals


@pytest.mark.parametrize("first", [True, False])
def test_evidence_totals(first):
    rng = np.random.default_rng(0)
    evidence, prior = rng.normal(size=(5, 3, 7)) - 1.0, np.log([0.2, 0.3, 0.5])
    masks = rng.random((4, 5)) < 0.6
    ahead = np.maximum(evidence, 0).max(axis=(1, 2))
    totals, slack = evidence_totals(evidence, prior, first, ahead, 1e-15, masks)
    for mask, total in zip(masks, totals, strict=True):
        assert_allclose(total, naive_totals(evidence, prior, np.flatnonzero(mask)))
    assert (slack > 1e-15).all()
    assert (evidence_totals(evidence, prior, first, ahead, -1.0, masks)[1] == -1.0).all()


def test_normal_totals():
    rng = np.random.default_rng(1)
    x, prior = rng.normal(size=(4, 6)), np.log([0.4, 0.6])
    mean, variance, spread = rng.normal(size=(2, 4)), rng.random((2, 4)), rng.random(4)
    masks = np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]], dtype=bool)
    totals, slack = normal_totals(
        x, prior, mean, variance, spread, 0.1, 1e-15, np.full(4, 1e-15), masks
    )
    for mask, total in zip(masks, totals, strict=True):
        members = np.flatnonzero(mask)
        expected = naive_normal_totals(x, prior, mean, variance, spread, 0.1, members)
        assert_allclose(total, expected)
    assert (slack > 0.0).all()
