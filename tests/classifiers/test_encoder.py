"""TableEncoder: every column on its own, as numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fewest
from fewest.classifiers import TableEncoder
from fewest.measures import resolve_measure
from fewest.measures._models_by_name import MOST_LEVELS, named_estimator


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


def levels_of(counts):
    rng = np.random.default_rng(0)
    labels = [f"l{i}" for i, count in enumerate(counts) for _ in range(count)]
    return pd.DataFrame({"a": rng.normal(size=len(labels)), "c": rng.permutation(labels)})


def test_the_most_frequent_levels_are_those_of_scikit_learn():
    X = levels_of([3, 9, 1, 7, 5, 2])
    own = TableEncoder(max_levels=3).fit(X)
    # scikit-learn counts the column of all other levels, which are in no column here.
    other = OneHotEncoder(max_categories=4, sparse_output=False).fit(X[["c"]])
    np.testing.assert_array_equal(own.transform(X)[:, 1:], other.transform(X[["c"]])[:, :3])
    assert own.get_feature_names_out().tolist() == ["a", "c_l1", "c_l3", "c_l4"]
    assert own.owner_.tolist() == [0, 1, 1, 1]


def test_a_level_left_out_is_as_one_never_seen():
    encoder = TableEncoder(max_levels=2).fit(levels_of([3, 4, 1]))
    new = pd.DataFrame({"a": [0.5, 0.5, 0.5], "c": ["l2", "new", None]})
    assert encoder.transform(new)[:, 1:].tolist() == [[0.0, 0.0]] * 3


def test_of_equally_frequent_levels_the_first_are_taken():
    encoder = TableEncoder(max_levels=2).fit(levels_of([2, 2, 2]))
    assert encoder.get_feature_names_out().tolist() == ["a", "c_l0", "c_l1"]


def test_levels_up_to_the_limit_all_have_a_column():
    X = levels_of([1, 2, 3])
    every = TableEncoder().fit_transform(X)
    np.testing.assert_array_equal(TableEncoder(max_levels=3).fit_transform(X), every)


@pytest.mark.parametrize("junk", [0, 2.5, "many", True])
def test_a_wrong_limit_is_refused(junk):
    with pytest.raises(fewest.InputError, match="`max_levels` of TableEncoder must be a whole"):
        TableEncoder(max_levels=junk).fit([[1.0], [2.0]])


def many_levels():
    """150 levels of 4 rows; whether a row is of the class depends on its level."""
    X = levels_of([4] * 150)
    code = X["c"].str[1:].astype(int)
    y = (np.random.default_rng(2).random(150) < 0.5)[code] ^ (X["a"].to_numpy() > 1)
    return X, y


def test_only_models_by_name_leave_levels_out():
    X, y = many_levels()
    cv = StratifiedKFold(4)
    own = make_pipeline(TableEncoder(), LogisticRegression())
    for measure, most in (("logistic-regression", MOST_LEVELS), (own, None)):
        found = fewest.score_subsets(X, y, [["a", "c"]], measure=measure, cv=cv)
        exact = LogisticRegression(tol=1e-12, max_iter=10_000)
        model = make_pipeline(TableEncoder(max_levels=most), exact)
        np.testing.assert_allclose(found.folds[0], cross_val_score(model, X, y, cv=cv))
    assert own[0].max_levels is None
    names = named_estimator("logistic-regression").fit(X, y)[0].get_feature_names_out()
    assert len(names) == 1 + MOST_LEVELS


def test_the_finding_names_the_limit_of_models_by_name():
    X, y = many_levels()
    found = [f for f in fewest.check(X, y) if f.kind == "many-levels"]
    assert f"the {MOST_LEVELS} most frequent" in found[0].consequence
