"""Correlations with numeric targets against scikit-learn and definitions."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.feature_selection import f_regression, r_regression

import fewest
from fewest.measures import CorrelationCFS, CorrelationMRMR, FTest, Pearson
from fewest.testing import parametrize_with_measure_checks
from tests.measures.regression.cases import rows, table
from tests.naive.filters import greedy_order

MEASURES = [Pearson(), Pearson(threshold=0.2), FTest(), CorrelationCFS(), CorrelationMRMR()]


@parametrize_with_measure_checks([(measure, table()) for measure in MEASURES])
def test_conformance(measure, table, check):
    check(measure, table)


def _alone(measure, seed=0):
    return measure.bind(table(seed, trouble=False)).score(np.eye(6, dtype=bool)).value


def test_one_by_one():
    X, y = rows(trouble=False)
    assert_allclose(_alone(Pearson(threshold=0.1)), np.abs(r_regression(X, y)) - 0.1, atol=1e-12)
    f, p = f_regression(X, y)
    assert_allclose(_alone(FTest()), f - stats.f.isf(0.05, 1, len(y) - 2), rtol=1e-9)
    assert_allclose(_alone(FTest()) > 0, p < 0.05)
    assert_allclose(_alone(CorrelationMRMR()), f, rtol=1e-9)


def test_a_constant_column_is_worth_nothing():
    assert Pearson().bind(table()).score(np.eye(6, dtype=bool)[2:3]).value == 0


def test_merit():
    X, y = rows(1)
    X[:, 2] = y**2
    masks = np.random.default_rng(0).random((12, 6)) < 0.5
    masks[0] = True
    value = CorrelationCFS().bind(fewest.data.as_table(X, y, task="regression")).score(masks).value
    r = np.abs(np.corrcoef(np.column_stack([X, y]).T))
    for mask, own in zip(masks, value, strict=True):
        members = np.flatnonzero(mask)
        inside = sum(r[i, j] for i in members for j in members if i < j)
        expected = r[members, 6].sum() / np.sqrt(max(len(members) + 2 * inside, 1e-300))
        assert_allclose(own, expected, atol=1e-12)


def test_forward_selection_is_the_classical_order():
    X, y = rows(2, trouble=False, noise=20.0)
    f, r = f_regression(X, y)[0], np.abs(np.corrcoef(X.T))

    def gain(j, chosen):
        return f[j] - sum(r[j, s] for s in chosen) / max(1, len(chosen))

    order = greedy_order(list(X.T), gain)
    for k in range(1, 5):
        selector = fewest.SubsetSelector(measure="mrmr-f", search="sfs", max_features=k)
        features = selector.fit(X, y).result_.features
        assert features == [f"x{j}" for j in sorted(order[:k])]
