import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

from fewest._errors import InputError
from fewest._joint.predictions import held_out_splits, predict_held_out

MODELS = {"nb": GaussianNB(), "majority": DummyClassifier()}


@pytest.fixture
def iris(dataset):
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


def test_a_third_is_predicted_by_the_rest(iris):
    X, y = iris
    found = predict_held_out(MODELS, X, y)
    assert found.codes.shape == (50, 2)
    ((train, test),) = held_out_splits(y, "2:1", np.random.default_rng(0))
    expected = GaussianNB().fit(X[train], y[train]).predict(X[test])
    assert (found.codes[:, 0] == expected).all()
    assert (found.target == y[test]).all()
    assert found.accuracy[1] == pytest.approx(1 / 3, abs=0.02)


def test_folds_predict_every_row_once_as_scikit_learn_does(iris):
    X, y = iris
    splits = held_out_splits(y, 5, np.random.default_rng(3))
    found = predict_held_out(MODELS, X, y, scheme=5, rng=np.random.default_rng(3))
    expected = cross_val_predict(GaussianNB(), X, y, cv=splits)
    order = np.concatenate([test for _, test in splits])
    assert (found.codes[:, 0] == expected[order]).all()


def test_the_answer_does_not_depend_on_workers(iris):
    one, two = (predict_held_out(MODELS, *iris, n_jobs=n) for n in (1, 2))
    assert (one.codes == two.codes).all()


def test_a_model_that_cannot_be_trained_is_left_out_with_its_reason(iris):
    X, y = iris
    X = X.copy()
    X[0, 0] = np.nan
    models = {**MODELS, "logistic": LogisticRegression(), "other": DummyClassifier()}
    found = predict_held_out(models, X, y, scheme=3)
    assert found.names == ("majority", "other")
    assert "NaN" in found.left_out["logistic"]


def test_refusals(iris):
    with pytest.raises(InputError, match="at least 2 classifiers, but holds 1"):
        predict_held_out({"nb": GaussianNB()}, *iris)
    with pytest.raises(InputError, match='`scheme` must be "2:1", a number of folds'):
        predict_held_out(MODELS, *iris, scheme="3:1")
    models = {"nb": GaussianNB(), "other": GaussianNB()}
    with pytest.raises(InputError, match="Fewer than 2 classifiers could be trained: nb: "):
        predict_held_out(models, np.full((6, 1), np.nan), np.array([0, 1] * 3))
