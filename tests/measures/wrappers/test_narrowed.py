"""A ColumnTransformer that names columns works on every subset of them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fewest
from fewest._errors import InputError
from fewest.measures._wrappers.feature_slices import narrowed

rng = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "age": rng.normal(size=60),
        "sex": rng.choice(["m", "f"], 60),
        "dose": rng.normal(size=60),
        "site": rng.choice(["a", "b", "c"], 60),
        "spare": rng.normal(size=60),
    }
)
Y = np.where(X.age + (X.sex == "m") > 0.5, "yes", "no")
CV = StratifiedKFold(3, shuffle=True, random_state=0)


def model(numbers, labels):
    return make_pipeline(
        ColumnTransformer(
            [
                ("n", StandardScaler(), numbers),
                ("l", OneHotEncoder(handle_unknown="ignore"), labels),
            ]
        ),
        LogisticRegression(),
    )


def by_hand(*names):
    frame = X[list(names)]
    numbers = [n for n in names if frame[n].dtype == float]
    labels = [n for n in names if n not in numbers]
    return cross_val_score(model(numbers, labels), frame, Y, cv=CV)


@pytest.mark.parametrize(
    ("numbers", "labels"),
    [
        (["age", "dose"], ["sex", "site"]),
        ([0, 2], [1, -2]),
        ([True, False, True, False, False], np.array([False, True, False, True, False])),
        (["age", "dose"], make_column_selector(dtype_exclude="number")),
    ],
)
def test_subsets_are_scored_as_if_written_for_them(numbers, labels):
    subsets = np.array([[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 1, 1, 1, 0]], dtype=bool)
    scores = fewest.score_subsets(X, Y, subsets, measure=model(numbers, labels), cv=CV)
    assert np.allclose(scores.folds[0], by_hand("age", "sex"))
    assert np.allclose(scores.folds[1], by_hand("dose", "site"))
    assert np.allclose(scores.folds[2], by_hand("age", "sex", "dose", "site"))


def test_a_subset_of_columns_that_are_dropped_is_as_good_as_none():
    subsets = np.array([[0, 0, 0, 0, 1], [0, 0, 0, 0, 0]], dtype=bool)
    scores = fewest.score_subsets(X, Y, subsets, measure=model(["age"], ["sex"]), cv=CV)
    assert scores.value[0] == scores.value[1]


def test_a_whole_selection_and_its_validation():
    pipeline = model(["age", "dose"], ["sex", "site"])
    selector = fewest.SubsetSelector(pipeline, search="sfs", cv=CV, random_state=0).fit(X, Y)
    assert set(selector.get_feature_names_out()) <= {"age", "sex", "dose", "site"}
    assert fewest.validate(selector, X, Y, scheme="1x2cv", random_state=0).score > 0.6


def test_a_name_that_never_was_there_is_complained_of():
    subsets = np.ones((1, 5), dtype=bool)
    with pytest.raises(InputError, match="nothere|not a column of the dataframe"):
        fewest.score_subsets(X, Y, subsets, measure=model(["age", "nothere"], ["sex"]), cv=CV)


@pytest.mark.parametrize(
    ("columns", "left"),
    [("a", []), ("b", "b"), (1, 0), (0, []), (slice(0, 2), [0]), (slice("a", "b"), ["b"])],
)
def test_single_columns_and_slices(columns, left):
    given = ColumnTransformer([("s", "passthrough", columns)], remainder="passthrough")
    kept = np.array([False, True, True])
    assert narrowed(given, ["a", "b", "c"], kept).transformers[0][2] == left


def test_what_was_given_stays_as_it_was():
    given = model(["age"], ["sex"])
    narrowed(given, list(X), np.array([True, False, False, False, False]))
    assert given[0].transformers[1][2] == ["sex"]


@pytest.mark.parametrize("signs", [[0, 1, -1], {"a": 0, "b": 1, "c": -1}])
def test_monotone_constraints_follow_their_columns(signs):
    model = HistGradientBoostingClassifier(monotonic_cst=signs, categorical_features=[0])
    left = narrowed(model, ["a", "b", "c"], np.array([True, False, True]))
    expected = {"a": 0, "c": -1} if isinstance(signs, dict) else [0, -1]
    assert left.monotonic_cst == expected
    assert left.categorical_features == [0]
    assert model.monotonic_cst == signs
    without = narrowed(model, ["a", "b", "c"], np.array([False, True, True]))
    assert without.categorical_features is None


def test_a_constrained_booster_is_selected_for():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    y = (X[:, 3] > 0).astype(int)
    model = HistGradientBoostingClassifier(max_iter=5, monotonic_cst=[0, 0, 0, 1, -1])
    selector = fewest.SubsetSelector(model, random_state=0).fit(X, y)
    assert selector.support_.tolist() == [False, False, False, True, False]
    assert selector.estimator_.monotonic_cst == [1]
