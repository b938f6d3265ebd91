"""Naive Bayes and scikit-learn's estimators on sparse tables: the scores of the dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB

import fewest
from fewest.classifiers import NaiveBayes
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._steps import Steps


def data(n_classes=3, n=120, d=12):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(0, n_classes, n)
    X = rng.poisson(1 + 2 * (np.arange(d) % n_classes == y[:, None])).astype(float)
    return sparse.csr_matrix(X * (rng.random((n, d)) < 0.3)), y


def subsets(d, m=20):
    masks = np.random.default_rng(5).random((m, d)) < 0.4
    masks[:, 0] |= ~masks.any(axis=1)
    return masks


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_the_twin_has_the_accuracies_of_the_classifier(n_classes, alpha):
    X, y = data(n_classes)
    model, masks = NaiveBayes(alpha=alpha), subsets(12)
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    scorer = CrossValidated(model, cv=cv).bind(as_table(X, y))
    expected = [cross_val_score(model, X.toarray()[:, m], y, cv=cv) for m in masks]
    assert_array_equal(scorer.score(masks).folds, expected)
    base = masks[0]
    steps = Steps(base, np.arange(12), 1 - base.astype(np.int64))
    assert_array_equal(scorer.score_steps(steps).folds, scorer.score(np.asarray(steps)).folds)


def test_rows_that_are_alike_are_decided_by_the_classifier_itself():
    X = sparse.csr_matrix(np.tile(np.eye(4), (6, 1)))
    y = np.tile([0, 0, 1, 1], 6)
    cv = KFold(3)
    scorer = CrossValidated(NaiveBayes(), cv=cv).bind(as_table(X, y))
    masks = subsets(4)
    expected = [cross_val_score(NaiveBayes(), X.toarray()[:, m], y, cv=cv) for m in masks]
    assert_array_equal(scorer.score(masks).folds, expected)


@pytest.mark.parametrize(
    "model", [MultinomialNB(), LogisticRegression(), GaussianNB()], ids=lambda m: type(m).__name__
)
def test_estimators_get_slices(model):
    X, y = data(2)
    cv = StratifiedKFold(3)
    masks = subsets(12, 4)
    found = fewest.score_subsets(X, y, masks, measure=model, cv=cv).folds
    # Who does not take sparse tables gets dense slices.
    plain = X.toarray() if isinstance(model, GaussianNB) else X
    assert_array_equal(found, [cross_val_score(model, plain[:, m], y, cv=cv) for m in masks])


def test_numbers_as_a_target():
    X, y = data(2)
    y = y + np.random.default_rng(0).normal(size=len(y))
    cv, masks = KFold(3), subsets(12, 3)
    found = fewest.score_subsets(X, y, masks, measure=Ridge(), cv=cv).folds
    expected = [cross_val_score(Ridge(), X[:, m], y, cv=cv) for m in masks]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("measure", ["information-gain", "mrmr", "cfs", "naive-bayes"])
def test_selectors_choose_as_on_the_dense_table(measure):
    X, y = data(2)
    options = {"search": "sfs", "max_features": 4, "random_state": 0}
    ours = fewest.SubsetSelector(measure, **options).fit(X, y)
    plain = fewest.SubsetSelector(measure, **options).fit(X.toarray(), y)
    assert ours.result_.features == plain.result_.features
    assert ours.score_ == pytest.approx(plain.score_, abs=1e-12)
    kept = ours.transform(X)
    assert sparse.issparse(kept)
    if measure == "naive-bayes":
        assert_array_equal(ours.predict(X), plain.predict(X.toarray()))


def test_validation_of_a_sparse_table():
    X, y = data(2)
    selector = fewest.SubsetSelector("naive-bayes", search="sfs", max_features=3, random_state=0)
    ours = fewest.validate(selector, X, y, scheme="1x3cv", random_state=0)
    plain = fewest.validate(selector, X.toarray(), y, scheme="1x3cv", random_state=0)
    assert_array_equal(ours.scores, plain.scores)
    assert ours.baseline == plain.baseline


def test_recursive_elimination_of_a_sparse_table():
    X, y = data(2)
    selector = fewest.SubsetSelector(LogisticRegression(), search="rfe", cv=3, random_state=0)
    theirs = RFECV(LogisticRegression(), cv=3).fit(X, y)
    assert_array_equal(selector.fit(X, y).support_, theirs.support_)
