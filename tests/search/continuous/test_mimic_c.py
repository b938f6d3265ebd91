"""MIMIC_c: the chain by hand, and the standard functions."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search._continuous import MIMICc, chain_of
from tests.search.continuous.functions import D, best_of


@pytest.mark.parametrize(("function", "least"), [("sphere", -1e-5), ("rosenbrock", -2 * D)])
def test_standard_functions(function, least):
    assert best_of("mimic-c", function, population=300) > least


def test_the_chain_goes_on_with_the_smallest_conditional_variance():
    # Given variable 1, variable 0 has 4 - 3.8^2 / 4 = 0.39 left, variable 2 all of its 0.5.
    covariance = np.array([[4.0, 3.8, 0.0], [3.8, 4.0, 0.0], [0.0, 0.0, 5.0]])
    assert chain_of(covariance) == [0, 1, 2]
    covariance[2, 2] = 0.5
    assert chain_of(covariance) == [2, 0, 1]


def test_the_density_is_the_chain_with_its_regressions():
    rng = np.random.default_rng(0)
    first = rng.normal(size=400)
    rows = np.column_stack([first, 2 * first + 0.1 * rng.normal(size=400)])
    drawn = MIMICc().learn(rows).sample(5000, rng)
    assert np.cov(drawn.T) == pytest.approx(np.cov(rows.T), rel=0.1)
