"""Which estimators have a fast twin, and for which scorings."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from fewest.data import as_table
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.measures.wrappers.twins import RESPONSES, TWINS, find_twin, twin_of

X, Y = load_iris(return_X_y=True)
TABLE = as_table(X, Y)
SPLITS = tuple(StratifiedKFold(3).split(X, Y))


@pytest.mark.parametrize("place", sorted({*TWINS, *RESPONSES}))
def test_every_place_leads_to_a_class_and_a_function(place):
    module, name = place.split(":")
    cls = getattr(__import__(module, fromlist=[name]), name)
    if cls.__module__ == module:
        assert callable(twin_of(cls()))


def test_a_subclass_may_predict_otherwise():
    class Mine(RidgeClassifier):
        pass

    assert twin_of(Mine()) is None
    assert find_twin(Mine(), TABLE, SPLITS) is None
    assert twin_of(SVC()) is None


def test_unknown_scorings_go_to_the_estimator():
    assert find_twin(RidgeClassifier(), TABLE, SPLITS, lambda model, X, y: 1.0) is None
    assert find_twin(RidgeClassifier(), TABLE, SPLITS, "accuracy") is not None


def test_fast_can_be_switched_off():
    masks = np.array([[True, False, True, False]])
    slow, quick = (
        CrossValidated(RidgeClassifier(), cv=3, fast=f).bind(TABLE).score(masks)
        for f in (False, True)
    )
    np.testing.assert_array_equal(slow.folds, quick.folds)
