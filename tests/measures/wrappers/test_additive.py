"""The twins of naive Bayes give exactly what cross_val_score gives, whatever the batch."""

from __future__ import annotations

import pickle
import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import (
    KFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB

from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.testing import nominal_table, parametrize_with_measure_checks, toy_table
from tests.measures.wrappers.cases import check_twin, levels, numbers, some_masks


def _listening(function, heard):
    def listening(*args):
        heard.append(args)
        return function(*args)

    return listening


@pytest.mark.filterwarnings("ignore:Class 1 has 1 row", "ignore:The least populated")
@pytest.mark.parametrize(
    "estimator", [GaussianNB(), CategoricalNB(min_categories=9), BernoulliNB(), NaiveBayes()]
)
def test_classes_that_a_training_part_never_shows(estimator):
    """They are never predicted, and their test rows are always wrong."""
    X, y = levels(5, classes=4)
    y = np.where(y == 1, np.where(np.arange(len(y)) == 7, 1, 5), y)  # one row of class 1
    masks = some_masks(6, m=6)
    check_twin(estimator, X, y, masks, cv=5)
    check_twin(estimator, X[np.argsort(y)], np.sort(y), masks, cv=KFold(4))


@pytest.mark.parametrize(
    "name", ["ionosphere", "image-segmentation", "chess-kr-vs-kp", "horse-colic"]
)
def test_real_tables(dataset, name):
    data = dataset(name)
    masks = some_masks(data.X.shape[1], m=2, seed=5)
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    check_twin(NaiveBayes(), data.X, data.y, masks, cv=folds)
    table = as_table(data.X, data.y)
    if not table.missing.any():
        X = np.ascontiguousarray(table.values)
        estimator = CategoricalNB() if table.nominal.all() else GaussianNB()
        check_twin(estimator, X, data.y, masks, cv=folds)
        check_twin(BernoulliNB(), X, data.y, masks, cv=folds)


@pytest.mark.parametrize(
    ("estimator", "make"),
    [(GaussianNB(), numbers), (CategoricalNB(), levels), (BernoulliNB(), levels)],
)
def test_scores_do_not_depend_on_the_batch(estimator, make):
    X, y = make(0)
    masks = some_masks(6, m=64)
    scorer = CrossValidated(estimator, cv=4).bind(as_table(X, y))
    together = scorer.score(masks).folds
    for size in (1, 5, 63):
        parts = [scorer.score(masks[i : i + size]).folds for i in range(0, len(masks), size)]
        assert_array_equal(np.concatenate(parts), together)
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, together)


@parametrize_with_measure_checks(
    [
        (CrossValidated(GaussianNB(), cv=4), toy_table(n_classes=3)),
        (CrossValidated(NaiveBayes(), cv=4), nominal_table()),
    ]
)
def test_conformance(measure, table, check):
    check(measure, table)


def test_memory_does_not_grow_with_the_candidates():
    X, y = numbers(0, n=400, d=20)
    scorer = CrossValidated(GaussianNB(), cv=5).bind(as_table(X, y))
    masks = some_masks(20, m=40_000)
    peaks = []
    for m in (1_000, 20_000):
        scorer.score(masks[:m])
        tracemalloc.start()
        scorer.score(masks[:m])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # What grows is the answer and the list of selected columns, not rows times candidates.
    assert peaks[1] - peaks[0] < 20_000 * (20 * 16 + 10 * 8 + 64)


def test_doubts_about_other_features_are_settled_without_the_estimator(monkeypatch):
    """A column that is constant within a class makes large numbers, but only where it is in."""
    rng = np.random.default_rng(0)
    half = rng.normal(1.0, 0.3, 20)
    x = np.concatenate([-half, half, [-1e-7, 1e-7]])
    constant = np.concatenate([np.ones(20), rng.integers(0, 2, 20), [0, 0]])
    X, y = np.column_stack([constant, x]), np.repeat([0, 1, 0, 1], [20, 20, 1, 1])
    cv = [(np.arange(40), np.array([40, 41]))]
    scorer = CrossValidated(GaussianNB(), cv=cv).bind(as_table(X, y))
    twin = scorer.scorers[0]
    looked, asked = [], []
    monkeypatch.setattr(twin, "referee", _listening(twin.referee, looked))
    monkeypatch.setattr(twin.slow, "folds_of", _listening(twin.slow.folds_of, asked))
    masks = np.array([[False, True], [True, True]])
    folds = scorer.score(masks).folds
    for mask, found in zip(masks, folds, strict=True):
        assert found.tolist() == cross_val_score(GaussianNB(), X[:, mask], y, cv=cv).tolist()
    assert any(not candidate.all() for candidate, _ in looked), "nothing to look at twice"
    assert all(candidate.all() for candidate, _ in asked)
