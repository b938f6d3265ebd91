"""The twins of scikit-learn's nearest neighbours give the fold scores of cross_val_score."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from threadpoolctl import threadpool_limits

from fewest.data.build import as_table
from fewest.measures import CrossValidated
from fewest.measures.wrappers import neighbour_twins
from fewest.measures.wrappers.neighbour_twins import KNeighborsScorer
from fewest.measures.wrappers.wrapped import WrappedScorer
from fewest.testing import number_table, parity_table, toy_table

RNG = np.random.default_rng(0)


def compare(estimator, X, y, cv, masks, exact=True):
    scorer = CrossValidated(estimator, cv=cv).bind(as_table(X, y))
    assert isinstance(scorer.scorers[0], KNeighborsScorer)
    got = scorer.score(masks).folds
    expected = [cross_val_score(estimator, X[:, m], y, cv=cv) for m in masks]
    (assert_array_equal if exact else assert_allclose)(got, expected)


def subsets(d, m=8):
    masks = RNG.random((m, d)) < 0.6
    masks[:, 0] |= ~masks.any(axis=1)
    return masks


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("given", [{}, {"p": 1}, {"metric": "manhattan"}, {"algorithm": "brute"}])
def test_classifier(k, weights, given):
    table = toy_table(120, 6, 3)
    model = KNeighborsClassifier(k, weights=weights, **given)
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    compare(model, table.values, table.target, cv, subsets(6))


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_ties_are_decided_as_scikit_learn_decides_them(k, weights):
    table = parity_table(5)
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    model = KNeighborsClassifier(k, weights=weights)
    compare(model, table.values, table.target, cv, subsets(5))


@pytest.mark.parametrize("k", [1, 5])
def test_wide_whole_numbers_and_ties(k):
    X = RNG.integers(0, 2, (90, 24)).astype(float)
    y = (X[:, :3].sum(axis=1) > 1).astype(int)
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    masks = RNG.random((10, 24)) < 0.8
    compare(KNeighborsClassifier(k), X, y, cv, masks)


def test_wide_numbers_with_equal_rows():
    X = RNG.normal(size=(40, 20)) * 100
    X, y = np.concatenate([X, X]), np.arange(80) % 3
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    for weights in ("uniform", "distance"):
        compare(KNeighborsClassifier(2, weights=weights), X, y, cv, RNG.random((4, 20)) < 0.9)


@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("given", [{}, {"p": 1}])
def test_regressor(k, weights, given):
    table = number_table(70, 5)
    model = KNeighborsRegressor(k, weights=weights, **given)
    cv = KFold(4, shuffle=True, random_state=0)
    compare(model, table.values, table.target, cv, subsets(5), exact=False)


def test_the_empty_subset_of_a_regressor_is_the_mean():
    table = number_table(40, 3)
    scorer = CrossValidated(KNeighborsRegressor(2), cv=4).bind(table)
    assert isinstance(scorer.scorers[0], KNeighborsScorer)
    slow = CrossValidated(KNeighborsRegressor(2), cv=4, fast=False).bind(table)
    nothing = np.zeros((1, 3), dtype=bool)
    assert_allclose(scorer.score(nothing).folds, slow.score(nothing).folds)


def test_regressor_with_ties():
    X = RNG.integers(0, 3, (60, 4)).astype(float)
    y = X[:, 0] + RNG.normal(size=60)
    cv = KFold(3, shuffle=True, random_state=0)
    compare(KNeighborsRegressor(3), X, y, cv, subsets(4), exact=False)


def test_splits_that_overlap():
    table = toy_table(60, 4)
    cv = ShuffleSplit(3, test_size=0.3, random_state=0)
    splits = [(np.sort(a), b) for a, b in cv.split(table.values)]
    compare(KNeighborsClassifier(3), table.values, table.target, splits, subsets(4))


def test_on_many_rows_wide_subsets_are_left_to_scikit_learn(monkeypatch):
    monkeypatch.setattr(neighbour_twins, "MANY_FOR_PRODUCTS", 50)
    asked = []
    plain = WrappedScorer.score
    monkeypatch.setattr(
        WrappedScorer,
        "score",
        lambda self, masks: (asked.append(len(masks)), plain(self, masks))[1],
    )
    X = RNG.normal(size=(60, 20))
    y = (X[:, 0] > 0).astype(int)
    masks = np.arange(20) < np.array([[3], [20], [16], [15]])
    compare(KNeighborsClassifier(3), X, y, StratifiedKFold(3), masks)
    assert asked == [2]
    monkeypatch.setattr(neighbour_twins, "MANY_FOR_TREES", 50)
    scorer = CrossValidated(KNeighborsClassifier(3), cv=3).bind(as_table(X, y))
    assert not isinstance(scorer.scorers[0], KNeighborsScorer)


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(3, weights=lambda d: d),
        KNeighborsClassifier(3, metric="chebyshev"),
        KNeighborsClassifier(3, p=3),
        KNeighborsClassifier(500),
    ],
)
def test_others_are_trained_as_usual(model):
    scorer = CrossValidated(model, cv=3).bind(toy_table(60, 4))
    assert not isinstance(scorer.scorers[0], KNeighborsScorer)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_ties_of_whole_numbers_need_no_estimator(k, threads, monkeypatch):
    rng = np.random.default_rng(k)
    X, y = rng.integers(0, 3, (700, 20)).astype(float), rng.integers(0, 3, 700)
    masks = rng.random((40, 20)) < 0.8
    cv = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    with threadpool_limits(threads, user_api="openmp"):
        expected = [cross_val_score(KNeighborsClassifier(k), X[:, m], y, cv=cv) for m in masks[:6]]
        scorer = CrossValidated(KNeighborsClassifier(k), cv=cv).bind(as_table(X, y))
        monkeypatch.delattr(WrappedScorer, "folds_of")
        assert_array_equal(scorer.score(masks).folds[:6], expected)


@pytest.mark.parametrize("k", [1, 4])
def test_manhattan_ties_among_all_rows(k):
    rng = np.random.default_rng(k)
    X, y = rng.integers(0, 2, (120, 18)).astype(float), rng.integers(0, 2, 120)
    masks = rng.random((33, 18)) < 0.95
    cv = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    compare(KNeighborsClassifier(k, p=1), X, y, cv, masks)
