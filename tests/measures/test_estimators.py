import importlib.util

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest import score_subsets
from fewest._errors import InputError
from fewest.data import as_table
from fewest.measures._models_by_name import (
    ESTIMATORS,
    OTHER_PACKAGES,
    is_estimator_name,
    name_of,
    named_estimator,
)
from fewest.measures._wrappers.wrapped import WrappedScorer


@pytest.mark.parametrize("name", [n for n in ESTIMATORS if n not in OTHER_PACKAGES])
def test_every_name_is_a_model_that_knows_its_name(name):
    model = named_estimator(name)
    assert is_classifier(model) or is_regressor(model)
    assert name_of(model) == name


def test_parameters_are_literals():
    assert named_estimator("k-nn(n_neighbors=3, weights='distance')")[-1].n_neighbors == 3
    assert named_estimator("random-forest(random_state=7)").random_state == 7
    for wrong in ("svc(C=open('x'))", "svc(1)", "svc(C=)", "svc(**{})"):
        with pytest.raises(InputError, match="literals only"):
            named_estimator(wrong)


def test_mistakes_are_named():
    with pytest.raises(InputError, match="but is 'naive-byes'. Did you mean naive-bayes"):
        named_estimator("naive-byes")
    with pytest.raises(InputError, match="Did you mean logistic-regression"):
        named_estimator("logistic-regresion(C=1)")
    with pytest.raises(InputError, match="`svc` has no parameter `kernal`. Did you mean kernel"):
        named_estimator("svc(kernal='rbf')")
    assert not is_estimator_name("inconsistency")
    assert is_estimator_name("svc(C=1)")


@pytest.mark.parametrize("name", sorted(OTHER_PACKAGES))
def test_other_packages_are_asked_for_by_name(name):
    if importlib.util.find_spec(name) is None:
        with pytest.raises(InputError, match=f"`{name}` needs the package {name}"):
            named_estimator(name)
    else:
        assert is_classifier(named_estimator(name))


def test_a_booster_with_other_names_of_parameters_has_its_class_as_name():
    lightgbm = pytest.importorskip("lightgbm")
    assert name_of(lightgbm.LGBMClassifier(verbosity=-1)) == "LGBMClassifier"


@pytest.mark.parametrize("pipe", [False, True])
def test_lightgbm_is_silent_unless_asked(capfd, pipe):
    lightgbm = pytest.importorskip("lightgbm")
    X, y = load_iris(return_X_y=True)
    model = lightgbm.LGBMClassifier(n_estimators=3)
    model = make_pipeline(StandardScaler(), model) if pipe else model
    score_subsets(X, y, [[0, 1]], measure=model)
    assert capfd.readouterr().out == ""
    loud = lightgbm.LGBMClassifier(n_estimators=3, verbose=1)
    score_subsets(X, y, [[0, 1]], measure=loud)
    assert "LightGBM" in capfd.readouterr().out


def test_a_metric_of_classes_refuses_the_mean_of_numbers_in_a_sentence():
    X, y = load_iris(return_X_y=True)
    splits = [(np.arange(30, 90), np.arange(90, 150))]
    table = as_table(X, y, task="regression")
    scorer = WrappedScorer(LinearRegression(), table, splits, "accuracy")
    with pytest.raises(InputError, match="`scoring` must return a number .* raises ValueError"):
        scorer.empty(0)
