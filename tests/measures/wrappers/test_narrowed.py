"""A ColumnTransformer that names columns works on every subset of them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fewest
from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._wrappers.feature_slices import narrowed
from fewest.measures._wrappers.line import LineScorer
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.search._path import Path

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


class Booster(BaseEstimator, ClassifierMixin):
    """Keeps constraints where LightGBM and XGBoost do: among parameters by name."""

    def __init__(self, **given):
        self.given = given

    def __sklearn_clone__(self):
        return type(self)(**self.given)

    def get_params(self, deep=True):
        return dict(self.given)

    def set_params(self, **given):
        self.given |= given
        return self


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"monotone_constraints": [1, 0, -1]}, {"monotone_constraints": [1, -1]}),
        ({"monotone_constraints": (1, 0, -1)}, {"monotone_constraints": (1, -1)}),
        ({"monotone_constraints": {"a": 1, "b": 1}}, {"monotone_constraints": {"a": 1}}),
        ({"monotone_constraints": "(1,0,0)"}, {"monotone_constraints": "(1,0,0)"}),
        ({"categorical_feature": [1, 2]}, {"categorical_feature": [1]}),
        ({"categorical_feature": ["b"]}, {"categorical_feature": None}),
        ({"categorical_feature": "auto"}, {"categorical_feature": "auto"}),
        ({"interaction_constraints": [["a", "b"], ["b"]]}, {"interaction_constraints": [["a"]]}),
        ({"interaction_constraints": [[0, 2], [1]]}, {"interaction_constraints": [[0, 1]]}),
        ({"interaction_cst": [{1, 2}]}, {"interaction_cst": [[1]]}),
    ],
)
def test_constraints_of_boosters_follow_their_columns(given, left):
    found = narrowed(Booster(**given), ["a", "b", "c"], np.array([True, False, True]))
    assert found.get_params() == left


BOOSTERS = {
    "lightgbm": ("LGBMClassifier", {"verbose": -1}),
    "xgboost": ("XGBClassifier", {"enable_categorical": True}),
}


@pytest.mark.parametrize("package", BOOSTERS)
def test_boosters_stop_early_and_keep_their_constraints(package, capfd):
    name, own = BOOSTERS[package]
    make = getattr(pytest.importorskip(package), name)
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(240, 3)), columns=list("abc"))
    X["g"] = pd.Categorical(rng.choice(list("xyz"), 240))
    X.loc[::9, "b"] = np.nan
    y = (X["a"] + (X["g"] == "x") + 0.5 * rng.normal(size=240) > 0.4).to_numpy().astype(int)
    model = make(
        n_estimators=200,
        early_stopping_rounds=3,
        monotone_constraints=(1, 0, 0, 0),
        n_jobs=1,
        **own,
    )
    search = Path(sources=("elimination",))
    found = fewest.SubsetSelector(model, search=search, random_state=0).fit(X, y)
    assert {"a", "g"} <= set(found.get_feature_names_out())
    best = getattr(found.estimator_, "best_iteration_", None) or found.estimator_.best_iteration
    assert 0 < best < 150
    assert len(found.estimator_.get_params()["monotone_constraints"]) == found.n_features_
    # A larger value of "a" never makes the first class more likely.
    rows = (
        X[found.get_feature_names_out()]
        .iloc[:1]
        .loc[np.repeat(0, 20)]
        .assign(a=np.linspace(-3, 3, 20))
    )
    assert (np.diff(found.estimator_.predict_proba(rows)[:, 1]) >= 0).all()
    assert "logloss" not in capfd.readouterr().out


def test_rows_that_stop_a_booster_are_no_test_rows():
    seen = []

    class Watched(Booster):
        def fit(self, X, y, eval_set=None):
            seen.append((X[:, 0], eval_set[0][0][:, 0], eval_set[0][1]))
            return self

    y = np.arange(100) % 4 == 0
    X = np.arange(100.0)[:, None]
    splits = ((np.arange(80), np.arange(80, 100)),)
    scorer = WrappedScorer(Watched(early_stopping_rounds=5), as_table(X, y), splits)
    scorer.model(np.array([True]), 0)
    ((inner, held, labels),) = seen
    assert sorted([*inner, *held]) == list(range(80))
    assert len(held) == 8
    assert labels.sum() == 2


@pytest.mark.parametrize("labels", [["sex", "site"], make_column_selector(dtype_exclude="number")])
def test_a_call_binds_the_columns_of_its_subsets(labels):
    """One subset of a wide table costs no more than its own columns."""
    own = CrossValidated(model(make_column_selector(dtype_include="number"), labels), cv=CV)
    masks = np.array([[1, 1, 0, 0, 0], [0, 0, 1, 0, 0]], dtype=bool)
    scorer, some = own.bind_for(as_table(X, Y), masks)
    assert scorer.table.names == ("age", "sex", "dose")
    assert isinstance(scorer.scorers[0], LineScorer)
    assert_allclose(scorer.score(some).folds, [by_hand("age", "sex"), by_hand("dose")])
    trained = CrossValidated(HistGradientBoostingClassifier(), cv=CV)
    assert trained.bind_for(as_table(X[["age", "dose"]], Y), masks[:, [0, 2]])[1].shape == (2, 2)
