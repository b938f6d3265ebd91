"""The criteria against their definitions and R."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures import AIC, BIC, RSS, AdjustedR2, MallowsCp
from fewest.testing import parametrize_with_measure_checks
from tests.measures.regression.cases import rows, table
from tests.naive.least_squares import naive_criteria

CRITERIA = [RSS(), AIC(), BIC(), AdjustedR2(), MallowsCp()]


@parametrize_with_measure_checks([(measure, table()) for measure in CRITERIA])
def test_conformance(measure, table, check):
    check(measure, table)


@pytest.mark.parametrize("measure", CRITERIA, ids=lambda m: m.name)
def test_definitions(measure):
    X, y = rows()
    masks = np.random.default_rng(0).random((20, 6)) < 0.5
    value = measure.bind(table()).score(masks).value
    expected = [naive_criteria(X, y, np.flatnonzero(mask))[measure.name] for mask in masks]
    assert_allclose(value, expected, rtol=1e-9)


#: R 4.2: AIC(m), BIC(m), sum(resid(m)^2), summary(m)$adj.r.squared of m = lm(target ~ sex + bmi +
#: bp + s1 + s2 + s5), and $cp of regsubsets of leaps 3.1, on scikit-learn's diabetes.
BY_R = {
    "aic": -4790.60348462, "bic": -4823.33396368, "rss": -1271493.99729,
    "adjusted-r2": 0.508192537938, "mallows-cp": -5.56018640458,
}  # fmt: skip


@pytest.mark.parametrize("measure", CRITERIA, ids=lambda m: m.name)
def test_values_of_r(measure):
    X, y = load_diabetes(return_X_y=True)
    mask = np.isin(np.arange(10), [1, 2, 3, 4, 5, 8])
    value = measure.bind(as_table(X, y, task="regression")).score(mask[None]).value
    assert_allclose(value, [BY_R[measure.name]], rtol=1e-10)


def test_mallows_needs_rows():
    with pytest.raises(InputError, match="needs more rows than features, but there are 5 rows"):
        MallowsCp().bind(table(n=5, trouble=False))
