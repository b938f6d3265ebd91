"""TableEncoder: every column on its own, as numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import fewest
from fewest.classifiers import TableEncoder
from fewest.measures import resolve_measure


@parametrize_with_checks([TableEncoder()])
def test_scikit_learn(estimator, check):
    check(estimator)


def mixed():
    rng = np.random.default_rng(0)
    return pd.DataFrame({"a": rng.normal(3, 2, 40), "c": rng.choice(list("pqr"), 40)})


def test_columns_are_those_of_scikit_learns_encoders():
    X = mixed()
    expected = np.hstack(
        [
            StandardScaler().fit_transform(X[["a"]]),
            OneHotEncoder(sparse_output=False).fit_transform(X[["c"]]),
        ]
    )
    encoder = TableEncoder().fit(X)
    np.testing.assert_allclose(encoder.transform(X), expected, atol=1e-14)
    assert encoder.get_feature_names_out().tolist() == ["a", "c_p", "c_q", "c_r"]
    assert encoder.owner_.tolist() == [0, 1, 1, 1]


def test_what_is_unknown_is_the_mean_or_no_level():
    X = mixed()
    encoder = TableEncoder().fit(X)
    odd = pd.DataFrame({"a": [np.nan, 3.0], "c": ["new", None]})
    assert encoder.transform(odd)[0].tolist() == [0.0, 0.0, 0.0, 0.0]
    assert encoder.transform(odd)[1, 1:].tolist() == [0.0, 0.0, 0.0]


def test_numbers_can_be_categories():
    X = np.array([[1.0, 5.0], [2.0, 6.0], [1.0, 7.0]])
    assert TableEncoder().fit(X, nominal=[0]).transform(X).shape == (3, 3)


@pytest.mark.parametrize("name", ["k-nn", "logistic-regression", "ridge-classifier"])
def test_named_models_take_mixed_tables(name):
    rng = np.random.default_rng(1)
    X = mixed()
    X.loc[3, "a"] = np.nan
    X["flag"] = rng.random(40) < 0.5
    y = (X["c"] == "p").to_numpy() ^ (rng.random(40) < 0.1)
    scores = fewest.score_subsets(X, y, [["c"], ["a"], ["a", "c", "flag"]], measure=name, cv=4)
    assert scores.value[0] > scores.value[1]
    assert resolve_measure(name).title == name
