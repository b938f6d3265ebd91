"""Probabilities and their losses against the slow obvious way and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import log_loss

from fewest._kernels.scoring.probabilities import (
    LOGSUMEXP,
    ODDS,
    brier_losses,
    log_loss_errors,
    log_losses,
    probabilities,
    ranked_shares,
)
from tests.naive.scoring import naive_probabilities


@pytest.mark.parametrize("way", [LOGSUMEXP, ODDS])
@pytest.mark.parametrize("outputs", [1, 2, 3])
def test_probabilities(outputs, way):
    values = np.random.default_rng(outputs).normal(size=(2, outputs, 9)) * 20.0
    shares = probabilities(values, way)
    for i in range(2):
        assert_allclose(shares[i], naive_probabilities(values[i]), rtol=1e-12, atol=1e-15)
    if outputs > 1:
        ranked, _, _ = ranked_shares(values, np.zeros((2, 9)), way, 0)
        assert_allclose(np.moveaxis(ranked, 0, 1), shares, rtol=1e-12, atol=1e-300)


def test_losses():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(2, 3, 30))
    target, weight = rng.integers(0, 3, 30), rng.random(30)
    shares = probabilities(values, ODDS)
    for i in range(2):
        expected = log_loss(target, shares[i].T, sample_weight=weight)
        assert_allclose(log_losses(shares, target, weight)[i], expected)
        away = ((shares[i].T - np.eye(3)[target]) ** 2).sum(axis=1)
        assert_allclose(brier_losses(shares, target, weight)[i], np.average(away, weights=weight))


def test_certain_ties_at_the_ends():
    values = np.array([[[0.0, 0.0, 0.0], [100.0, -900.0, 1.0]]])
    shares, spread, keys = ranked_shares(values, np.zeros((1, 3)), ODDS, 0)
    assert_array_equal(keys[1, 0], [1, 2, 0])
    assert_array_equal(shares[1, 0, :2], [1.0, 0.0])
    assert 0.0 < spread[1, 0, 2] < 1e-14


def test_ends_are_not_certain_where_rounding_may_turn_the_lead():
    values = np.array([[[0.0, 0.0, 0.0], [100.0, -900.0, 1.0]]])
    _, spread, keys = ranked_shares(values, np.full((1, 3), 950.0), ODDS, 0)
    assert_array_equal(keys[1, 0], [0, 0, 0])
    assert not (spread[1, 0] < 1.0).any()
    _, _, keys = ranked_shares(values, np.full((1, 3), 20.0), ODDS, 0)
    assert_array_equal(keys[1, 0], [1, 2, 0])


@pytest.mark.parametrize("centre", [0.0, 100.0, -700.0])
@pytest.mark.parametrize("outputs", [2, 3])
@pytest.mark.parametrize("way", [LOGSUMEXP, ODDS])
def test_rounding_moves_log_losses_by_no_more_than_their_errors(outputs, way, centre):
    """Moving all values by a little changes how probabilities are rounded, and nothing else."""
    rng = np.random.default_rng(outputs)
    values = rng.normal(0.0, 15.0, (40, outputs, 6)) + centre
    target, weight = np.arange(6) % max(2, outputs), rng.random(6)
    found, errors = [], []
    for shift in (0.0, *rng.normal(0.0, 1e-13, 20)):
        moved = values + shift
        shares = probabilities(moved, way)
        if outputs < 3:
            shares[:, 0] = 1.0 - shares[:, 1]
        slack = np.full((40, 6), 1e-12)
        errors.append(log_loss_errors(moved, slack, way, shares, target, weight))
        found.append(log_losses(shares, target, weight))
    for loss, error in zip(found, errors, strict=True):
        assert (np.abs(loss - found[0]) <= error + errors[0]).all()
    assert (errors[0] < 1e-7).mean() > (0.9 if outputs > 2 else 0.4)
    assert (errors[0] > 0.0).all()
    assert outputs > 2 or (errors[0] > 1e-7).any()
