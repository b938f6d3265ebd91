"""mRMR by mutual information for numeric targets."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose
from sklearn.feature_selection import mutual_info_regression

import fewest
from fewest.measures import InformationMRMR
from fewest.testing import parametrize_with_measure_checks
from tests.measures.regression.cases import rows, table
from tests.naive.filters import greedy_order


@parametrize_with_measure_checks(
    [(InformationMRMR(), table()), (InformationMRMR(samples=20), table())]
)
def test_conformance(measure, table, check):
    check(measure, table)


def test_relevance_is_that_of_scikit_learn():
    X, y = rows(3, trouble=False)
    scorer = InformationMRMR().bind(fewest.data.as_table(X, y, task="regression"))
    alone = scorer.score(np.eye(X.shape[1], dtype=bool)).value
    assert_allclose(alone, mutual_info_regression(X, y, random_state=0), atol=1e-8)


def test_forward_selection_is_the_classical_order():
    X, y = rows(2, trouble=False)
    relevance = mutual_info_regression(X, y, random_state=0)
    between = np.array([mutual_info_regression(X, x, random_state=0) for x in X.T])

    def gain(j, chosen):
        return relevance[j] - sum(between[j, s] for s in chosen) / max(1, len(chosen))

    order = greedy_order(list(X.T), gain)
    for k in (1, 2, 4):
        selector = fewest.SubsetSelector(
            "mrmr-information", search="sfs", min_features=k, max_features=k
        )
        chosen = selector.fit(X, y).support_
        assert set(np.flatnonzero(chosen)) == set(order[:k])


def test_a_relation_that_is_not_linear():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(200, 4))
    selector = fewest.SubsetSelector("mrmr-information", search="sfs", max_features=1)
    assert selector.fit(X, X[:, 2] ** 2).result_.support.tolist() == [False, False, True, False]


def test_constant_columns_are_worth_nothing():
    X, y = rows(0)
    value = InformationMRMR().bind(table()).score(np.eye(X.shape[1], dtype=bool)).value
    assert (value[X.std(axis=0) == 0] == 0).all()
