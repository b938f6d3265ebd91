import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fewest.classifiers._network_classifiers import TAN, SelectiveNaiveBayes
from fewest.data import as_table
from fewest.measures._wrappers.line import fast_scorer
from tests.measures.wrappers.test_responses import check, masks_of


def _data(seed, unknown):
    rng = np.random.default_rng(seed)
    n = 90
    y = rng.integers(0, 3, n)
    X = np.empty((n, 5), dtype=object)
    X[:, 0] = [f"v{(c + e) % 4}" for c, e in zip(y, rng.integers(0, 2, n), strict=True)]
    X[:, 1] = [f"w{v}" for v in rng.integers(0, 3, n)]
    X[:, 2] = y + rng.normal(size=n)
    X[:, 3] = rng.normal(size=n)
    X[:, 4] = [f"u{v}" for v in rng.integers(0, 12, n)]
    X[rng.random(X.shape) < unknown] = None
    return X, y


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize(
    "estimator",
    [
        TAN(),
        TAN(smoothing="dirichlet", strength=5.0),
        TAN(strength=0.0),
        SelectiveNaiveBayes(),
        TAN(discretise="width", bins=3),
    ],
)
def test_the_twin_gives_the_fold_accuracies_of_cross_val_score(estimator, unknown):
    X, y = _data(0, unknown)
    splits = tuple(StratifiedKFold(4, shuffle=True, random_state=1).split(X, y))
    scorer = fast_scorer(estimator, as_table(X, y), splits)
    masks = np.random.default_rng(2).random((8, 5)) < 0.6
    masks = masks[masks.any(axis=1)]
    found = pickle.loads(pickle.dumps(scorer)).score(masks)
    for mask, folds, value in zip(masks, found.folds, found.value, strict=True):
        expected = cross_val_score(estimator, X[:, mask], y, cv=iter(splits))
        np.testing.assert_array_equal(folds, expected)
        assert value == expected.mean()


def test_a_class_that_a_training_part_lacks_is_not_predicted_there():
    X, y = _data(3, 0.0)
    rows = np.argsort(y, kind="stable")
    splits = ((rows[: len(rows) - (y == 2).sum()], rows[-20:]), (rows[10:], rows[:10]))
    scorer = fast_scorer(TAN(), as_table(X, y), splits)
    mask = np.ones((1, 5), dtype=bool)
    expected = cross_val_score(TAN(), X, y, cv=iter(splits))
    np.testing.assert_array_equal(scorer.score(mask).folds[0], expected)


def test_there_is_no_twin_for_a_selective_tan():
    X, y = _data(4, 0.0)
    splits = tuple(StratifiedKFold(3).split(X, y))
    assert fast_scorer(TAN(features=[0, 1]), as_table(X, y), splits) is None


@pytest.mark.parametrize("estimator", [TAN(), SelectiveNaiveBayes()])
@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "f1", "average_precision"])
def test_two_classes(estimator, scoring):
    X, y = load_breast_cancer(return_X_y=True)
    check(estimator, X[:, :8], y, masks_of(8, m=3), scoring, cv=3)


@pytest.mark.parametrize("estimator", [TAN(), SelectiveNaiveBayes()])
@pytest.mark.parametrize("scoring", ["roc_auc_ovr", "neg_log_loss", "f1_macro"])
def test_several_classes(estimator, scoring):
    X, y = load_iris(return_X_y=True)
    check(estimator, X, y, masks_of(4, m=4), scoring, cv=3)


def test_unknown_values_go_to_the_estimator():
    X, y = load_iris(return_X_y=True)
    X[3, 1] = np.nan
    check(TAN(), X, y, masks_of(4, m=2), "f1_macro", cv=3)
