"""Trees and forests grown by the builders give what cross_val_score gives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.measures.wrappers.ensembles.cases import flowers, is_twin, patients, same_folds, tumours

TREES = [
    DecisionTreeClassifier(random_state=0),
    DecisionTreeClassifier(random_state=1, criterion="entropy", max_depth=3, splitter="random"),
    DecisionTreeClassifier(random_state=2, max_leaf_nodes=5, min_samples_leaf=0.03),
    DecisionTreeClassifier(random_state=3, min_samples_split=0.2, max_features="log2"),
    DecisionTreeClassifier(random_state=4, min_weight_fraction_leaf=0.05, max_features=0.5),
    RandomForestClassifier(7, random_state=0),
    RandomForestClassifier(5, random_state=5, max_samples=0.5, max_features=1),
    RandomForestClassifier(5, random_state=5, bootstrap=False, min_impurity_decrease=0.01),
    ExtraTreesClassifier(7, random_state=0),
    ExtraTreesClassifier(5, random_state=0, bootstrap=True, criterion="log_loss"),
]
REGRESSORS = [
    DecisionTreeRegressor(random_state=0),
    DecisionTreeRegressor(random_state=0, criterion="absolute_error", max_depth=2),
    RandomForestRegressor(6, random_state=0),
    ExtraTreesRegressor(6, random_state=0, max_features="sqrt"),
]


@pytest.mark.parametrize("estimator", TREES)
def test_accuracy(estimator):
    same_folds(estimator, *tumours())


@pytest.mark.parametrize("estimator", [TREES[0], TREES[5]])
def test_three_classes(estimator):
    same_folds(estimator, *flowers(), "neg_log_loss")


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "f1_macro"])
@pytest.mark.parametrize("estimator", [TREES[1], TREES[8]])
def test_other_scorings(estimator, scoring):
    same_folds(estimator, *tumours(), scoring)


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error"])
@pytest.mark.parametrize("estimator", REGRESSORS)
def test_numbers(estimator, scoring):
    same_folds(estimator, *patients(), scoring)


def test_weights():
    X, y = tumours()
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    same_folds(TREES[2], X, y, weight=weight)


def test_the_scorer_pickles():
    X, y = tumours()
    scorer = same_folds(TREES[5], X, y)
    masks = np.eye(X.shape[1], dtype=bool)[:3]
    assert_array_equal(
        pickle.loads(pickle.dumps(scorer)).score(masks).folds, scorer.score(masks).folds
    )


def test_without_a_seed_forests_differ_as_those_of_the_estimator_do():
    assert is_twin(RandomForestClassifier(3), *tumours())


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(ccp_alpha=0.1),
        DecisionTreeClassifier(class_weight="balanced"),
        DecisionTreeClassifier(random_state=np.random.RandomState(0)),
        RandomForestClassifier(3, oob_score=True),
        RandomForestClassifier(3, max_samples=20),
    ],
)
def test_the_rest_is_left_to_the_estimator(estimator):
    assert not is_twin(estimator, *tumours())


def test_numbers_that_single_precision_does_not_hold():
    X, y = tumours()
    X[:, 0] *= 1e300
    assert not is_twin(DecisionTreeClassifier(random_state=0), X, y)
