"""Normal distributions against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from fewest._errors import InputError
from fewest._models.gaussian import IndependentNormals, MultivariateNormal

ROWS = np.random.default_rng(0).normal(size=(300, 3)) * [1.0, 2.0, 0.5] + [0.0, 1.0, 2.0]


def test_densities_are_those_of_scipy():
    mean, covariance = ROWS.mean(axis=0), np.cov(ROWS.T, bias=True)
    joint = stats.multivariate_normal(mean, covariance)
    assert_allclose(MultivariateNormal.learn(ROWS).log_density(ROWS[:7]), joint.logpdf(ROWS[:7]))
    single = stats.norm.logpdf(ROWS[:7], mean, ROWS.std(axis=0)).sum(axis=1)
    assert_allclose(IndependentNormals.learn(ROWS).log_density(ROWS[:7]), single)


@pytest.mark.parametrize("model", [MultivariateNormal, IndependentNormals])
def test_samples_have_the_moments(model):
    drawn = model.learn(ROWS).sample(50_000, np.random.default_rng(1))
    assert_allclose(drawn.mean(axis=0), ROWS.mean(axis=0), atol=0.05)
    assert_allclose(drawn.std(axis=0), ROWS.std(axis=0), rtol=0.03)


def test_a_singular_covariance_can_be_sampled():
    rows = np.column_stack([ROWS[:, 0], 2 * ROWS[:, 0]])
    drawn = MultivariateNormal.learn(rows).sample(10, np.random.default_rng(0))
    assert_allclose(drawn[:, 1], 2 * drawn[:, 0], atol=1e-6)


def test_refuses_what_is_not_finite():
    with pytest.raises(InputError, match="`rows` must hold finite numbers"):
        MultivariateNormal.learn(np.array([[np.nan]]))
