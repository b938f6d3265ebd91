"""EMNA: one multivariate normal distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from fewest.search.continuous.emna import EMNA
from tests.search.continuous.functions import D, best_of, rosenbrock, sphere


@pytest.mark.parametrize(("function", "least"), [(sphere, -1e-5), (rosenbrock, -2 * D)])
def test_standard_functions(function, least):
    assert best_of("emna", function, population=300) > least


def test_the_density_is_that_of_scipy():
    rows = np.random.default_rng(0).normal(size=(50, 3)) @ np.array(
        [[1.0, 0.5, 0.0], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]]
    )
    expected = multivariate_normal(rows.mean(axis=0), np.cov(rows.T, bias=True)).logpdf(rows)
    assert EMNA().learn(rows).log_density(rows) == pytest.approx(expected)
