"""Folds: groups, seeds, small classes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.estimator_cases import IRIS, TREE, refusal


def test_groups_stay_together():
    X, y = IRIS
    groups = np.random.default_rng(0).integers(0, 30, len(y))
    table = as_table(X, y, metadata={"groups": groups})
    for cv in ("auto", GroupKFold(4)):
        for train, test in CrossValidated(TREE, cv=cv).bind(table).splits:
            assert not set(groups[train]) & set(groups[test])
    with pytest.warns(UserWarning, match="has 4 `groups`, fewer than the 5 folds"):
        CrossValidated(TREE).bind(as_table(X, y, metadata={"groups": groups % 4}))


def test_a_splitter_without_seed_draws_from_the_generator():
    table = as_table(*IRIS)
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=1)
    one, two, other = (
        CrossValidated(TREE, cv=cv).bind(table, np.random.default_rng(seed)).splits
        for seed in (1, 1, 2)
    )
    assert_array_equal(one[0][1], two[0][1])
    assert not np.array_equal(one[0][1], other[0][1])
    assert cv.random_state is None


def test_small_classes():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.array(["a"] * 33 + ["b"] * 7)
    table = as_table(X, y)
    with pytest.warns(UserWarning, match="Class 'b' has 7 rows, fewer than the 8 folds: some"):
        CrossValidated(TREE, cv=8).bind(table)
    with pytest.warns(UserWarning, match="Class 'b' has 7 rows, fewer than the 10 folds: some"):
        CrossValidated(GaussianNB()).bind(table)
    assert refusal(TREE, X, y, cv=34) == (
        "Class 'b' has 7 rows, fewer than the 34 folds of `cv`; use fewer folds, for example "
        "cv=7, or join it with another class."
    )
    with pytest.warns(UserWarning, match="has 8 rows, fewer than the 10 folds"):
        CrossValidated(Ridge()).bind(as_table(X[:8], np.arange(8) + 0.5))
