"""Weights are judged as the classifier with these weights would be."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from fewest import FeatureWeighter, validate
from fewest._errors import InputError
from fewest._validation.selections import judge_weights
from fewest.classifiers import NearestNeighbor
from fewest.testing import toy_table


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_accuracies_are_those_of_the_classifier():
    table = toy_table(60, 4)
    train, test = np.arange(0, 60, 2), np.arange(1, 60, 2)
    weights = np.array([1.0, 0.7, 0.0, 0.1])
    expected = []
    for w in (weights, np.ones(4), np.zeros(4)):
        model = NearestNeighbor(k=3, weights=w).fit(table.values[train], table.target[train])
        expected.append(model.score(table.values[test], table.target[test]))
    given = NearestNeighbor(k=3, weights=weights)
    assert_allclose(judge_weights(given, table, (train, test)), expected)


def test_the_settings_name_the_model_that_judges(iris):
    weighter = FeatureWeighter(NearestNeighbor(k=3), search="random", random_state=0)
    found = validate(weighter, *iris, scheme="1x2cv", random_state=0)
    assert found.settings["estimator"] == "NearestNeighbor(k=3, weights=None, prototypes='all')"


def test_another_model_needs_a_pipeline(iris):
    with pytest.raises(InputError, match="must be None for a FeatureWeighter.*pipeline"):
        validate(FeatureWeighter(), *iris, estimator="naive-bayes")
