"""Domains with numeric targets against scikit-learn and their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_friedman1, make_friedman2, make_friedman3
from sklearn.ensemble import ExtraTreesRegressor

from fewest.data import generate

FRIEDMAN = {"friedman1": make_friedman1, "friedman2": make_friedman2, "friedman3": make_friedman3}


@pytest.mark.parametrize("name", FRIEDMAN)
def test_a_model_of_the_columns_of_scikit_learn_holds_here(name):
    X, y = FRIEDMAN[name](3000, random_state=0)
    model = ExtraTreesRegressor(30, random_state=0).fit(X, y)
    data = generate(name, 1000).table()
    quiet = FRIEDMAN[name](1000, noise=0, random_state=1)
    noise = {"friedman1": 1.0, "friedman2": 125.0, "friedman3": 0.1}[name]
    error = np.mean((data.target - model.predict(data.values)) ** 2)
    own = np.mean((quiet[1] - model.predict(quiet[0])) ** 2)
    assert error == pytest.approx(noise**2 + own, rel=0.25)


def test_the_linear_domain():
    data = generate("linear", 20_000)
    table = data.table()
    r = np.corrcoef(table.values.T)
    assert r[0, 1] == pytest.approx(0.7, abs=0.02)
    assert r[0, 2] == pytest.approx(0.49, abs=0.03)
    beta = np.linalg.lstsq(table.values, table.target)[0]
    expected = [0.0] * 40
    for i, name in enumerate(data.relevant):
        expected[data.names.index(name)] = 1.0 - 2 * (i % 2)
    np.testing.assert_allclose(beta, expected, atol=0.12)
    assert np.std(table.target - table.values @ beta) == pytest.approx(2.0, abs=0.05)
