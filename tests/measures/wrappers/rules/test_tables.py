"""The twins of OneR and TableMajority give the numbers of cross_val_score."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit, StratifiedKFold, cross_val_score

from fewest.classifiers import T2, TAN, OneR, TableMajority
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._wrappers.line import fast_scorer
from tests.measures.wrappers.rules.test_trees import SUBSETS, mixed

MODELS = [
    OneR(),
    OneR(min_bucket=2),
    TableMajority(select=False),
    TableMajority(select=False, discretise="width", bins=4),
]


def splits_of(y, k=4):
    return tuple(StratifiedKFold(k, shuffle=True, random_state=1).split(np.zeros(len(y)), y))


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_numbers_of_cross_val_score(model, unknown):
    X, y = mixed(unknown=unknown)
    splits = splits_of(y)
    scores = fast_scorer(model, as_table(X, y), splits).score(SUBSETS)
    for subset, folds in zip(SUBSETS, scores.folds, strict=True):
        expected = cross_val_score(model, X.loc[:, subset], y, cv=splits)
        assert folds.tolist() == expected.tolist()
    assert scores.value.tolist() == [folds.mean() for folds in scores.folds]


@pytest.mark.parametrize("model", [OneR(), TableMajority(select=False)], ids=str)
def test_declared_categories_missing_classes_and_columns_that_training_does_not_know(model):
    X, y = mixed(seed=5, rows=60)
    X["colour"] = X["colour"].astype("category").cat.add_categories(["none"])
    X.loc[10:, "noise"] = None
    y[:3] = "rare class"
    splits = tuple(ShuffleSplit(6, test_size=0.8, random_state=0).split(X))
    subsets = np.vstack([np.eye(5, dtype=bool), np.ones((1, 5), bool), SUBSETS[:4]])
    folds = fast_scorer(model, as_table(X, y), splits).score(subsets).folds
    for subset, mine in zip(subsets, folds, strict=True):
        assert mine.tolist() == cross_val_score(model, X.loc[:, subset], y, cv=splits).tolist()


@pytest.mark.parametrize("model", [OneR(), TableMajority(select=False)], ids=str)
def test_arrays_with_nominal_numbers_and_no_feature_at_all(model):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (90, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] > 2).astype(int)
    table = as_table(X, y, nominal=[0, 2])
    subsets = np.array([[1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 1, 0]], dtype=bool)
    quick, slow = (
        CrossValidated(model, cv=3, fast=fast).bind(table).score(subsets).folds.tolist()
        for fast in (True, False)
    )
    assert quick == slow


@pytest.mark.parametrize("model", [OneR(), TableMajority(select=False)], ids=str)
def test_a_scorer_can_be_sent_to_another_process(model):
    X, y = mixed()
    scorer = fast_scorer(model, as_table(X, y), splits_of(y))
    expected = scorer.score(SUBSETS).folds.tolist()
    assert pickle.loads(pickle.dumps(scorer)).score(SUBSETS).folds.tolist() == expected


def test_what_they_cannot_do():
    X, y = mixed()
    table, splits = as_table(X, y), splits_of(y)
    assert fast_scorer(TableMajority(), table, splits) is None
    assert fast_scorer(T2(), table, splits) is None


def test_few_subsets_are_trained_and_many_are_not():
    """What TAN knows of all features pays from some subsets on, in one call or in several."""
    model, (X, y) = TAN(), mixed()
    splits, one = splits_of(y), SUBSETS[:1]
    assert fast_scorer(model, as_table(X, y), splits).doubted(one) == 1.0
    assert fast_scorer(model, as_table(X, y), splits).doubted(np.tile(SUBSETS, (9, 1))) == 0.0
    scorer = fast_scorer(model, as_table(X, y), splits)
    shares = [scorer.doubted(one) for _ in range(60)]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == 0.0
    assert scorer.score(one).folds[0].tolist() == (
        cross_val_score(model, X.loc[:, one[0]], y, cv=splits).tolist()
    )
