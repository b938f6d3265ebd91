"""What the criteria share."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from fewest.measures import AIC
from fewest.measures._regression.criteria import Criterion
from tests.measures.regression.cases import table


def test_values_from_criteria():
    plain = Criterion(np.ones(3), np.arange(3.0), 5.0, 2.0)
    assert_allclose(plain.of(np.array([0.5, 0.5]), np.array([0, 2])), [4.0, 0.0])
    logarithm = Criterion(np.ones(1), np.zeros(1), 0.0, 3.0, logarithm=True)
    assert_allclose(logarithm.value(np.array([np.e])), [-3.0])


def test_subsets_that_leave_no_row_are_the_worst():
    value = AIC().bind(table(n=6)).score(np.tril(np.ones((6, 6), dtype=bool))).value
    assert np.isfinite(value[:4]).all()
    assert (value[4:] == -np.inf).all()


def test_the_task_is_regression():
    assert AIC().task == "regression"
