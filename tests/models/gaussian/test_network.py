"""Gaussian networks: regressions, densities, samples."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from fewest._models.gaussian import GaussianNetwork
from fewest._models.graph import Graph

ROWS = np.random.default_rng(0).normal(size=(400, 3)) @ np.array(
    [[1.0, 2.0, 0.0], [0.0, 0.5, -1.0], [0.0, 0.0, 0.7]]
)


def test_a_complete_network_is_the_multivariate_normal():
    network = GaussianNetwork.learn(Graph(((), (0,), (0, 1))), ROWS)
    normal = stats.multivariate_normal(ROWS.mean(axis=0), np.cov(ROWS.T, bias=True))
    assert_allclose(network.log_density(ROWS[:9]), normal.logpdf(ROWS[:9]), rtol=1e-9)


def test_coefficients_are_those_of_a_regression():
    network = GaussianNetwork.learn(Graph(((), (), (0, 1))), ROWS)
    design = np.column_stack([np.ones(len(ROWS)), ROWS[:, :2]])
    fitted, rest, *_ = np.linalg.lstsq(design, ROWS[:, 2], rcond=None)
    assert_allclose(network.coefficients[2], fitted[1:])
    assert network.variance[2] == pytest.approx(rest[0] / len(ROWS))


def test_samples_have_the_moments_of_the_rows():
    network = GaussianNetwork.learn(Graph(((1,), (), (1, 0))), ROWS)
    drawn = network.sample(40_000, np.random.default_rng(1))
    assert_allclose(drawn.mean(axis=0), ROWS.mean(axis=0), atol=0.06)
    assert_allclose(np.cov(drawn.T), np.cov(ROWS.T), atol=0.12)


def test_constant_variables_stay_constant():
    rows = np.column_stack([ROWS[:, 0], np.full(len(ROWS), 0.25)])
    network = GaussianNetwork.learn(Graph(((), (0,))), rows)
    assert_allclose(network.sample(5, np.random.default_rng(0))[:, 1], 0.25)
