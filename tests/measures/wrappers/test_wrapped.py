"""Any estimator is trained on slices of the table as it was given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import check_scoring, f1_score, get_scorer, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fewest
from fewest._errors import InputError, MismatchError
from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.measures._wrappers.feature_slices import narrowed
from fewest.measures._wrappers.line import LineScorer
from fewest.measures._wrappers.row_data import check_read, reads_groups, route
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.search._path import Path
from tests.measures.wrappers.estimator_cases import ALL_PAIRS, IRIS, TREE, refusal
from tests.measures.wrappers.weighted import weighted_scores


def test_frames_keep_names_dtypes_and_missing_values():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    n = 60
    y = np.repeat(["no", "yes"], n // 2)
    frame = pandas.DataFrame(
        {
            "size": rng.normal(size=n) + (y == "yes"),
            "colour": pandas.Categorical(rng.choice(["r", "g", "b"], n)),
            "shape": rng.choice(["round", "square"], n),
            "age": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        }
    )
    model = make_pipeline(
        make_column_transformer(
            (
                OneHotEncoder(handle_unknown="ignore"),
                make_column_selector(dtype_include=["category", "string", object]),
            ),
            remainder="passthrough",
        ),
        TREE,
    )
    masks = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]], bool)
    scores = CrossValidated(model, cv=3).bind(as_table(frame, y)).score(masks)
    for k, mask in enumerate(masks):
        assert_array_equal(scores.folds[k], cross_val_score(model, frame.loc[:, mask], y, cv=3))


def test_polars_frames():
    polars = pytest.importorskip("polars")
    X, y = IRIS
    frame = polars.DataFrame(X, schema=list("abcd"))
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scores = CrossValidated(model, cv=3).bind(as_table(frame, y)).score(ALL_PAIRS[:2])
    for k, mask in enumerate(ALL_PAIRS[:2]):
        assert_array_equal(scores.folds[k], cross_val_score(model, X[:, mask], y, cv=3))


def test_sample_weights_reach_fit_and_score():
    X, y = IRIS
    weight = np.random.default_rng(0).random(len(y))
    table = as_table(X, y, metadata={"sample_weight": weight})
    for estimator in (TREE, GaussianNB()):
        scores = CrossValidated(estimator, cv=3).bind(table).score(ALL_PAIRS[:1])
        expected = weighted_scores(estimator, X[:, :2], y, weight, 3)
        assert_allclose(scores.folds[0], expected, rtol=1e-12)


DRAWS = np.random.default_rng(0)
FEATURES = DRAWS.normal(size=(90, 6))
NUMBERS = np.column_stack(
    [FEATURES[:, 0] + 0.1 * DRAWS.normal(size=90), FEATURES[:, 2] - FEATURES[:, 3]]
)
LABELS = (NUMBERS > 0).astype(int)
SUBSETS = np.array([[1, 0, 1, 1, 0, 0], [0, 1, 0, 0, 0, 1]], dtype=bool)


@pytest.mark.parametrize(
    ("model", "y", "scoring"),
    [
        (LinearRegression(), NUMBERS, None),
        (Ridge(), NUMBERS, "neg_mean_squared_error"),
        (KNeighborsClassifier(), LABELS, None),
        (KNeighborsClassifier(), LABELS, "f1_macro"),
    ],
)
def test_fold_scores_of_several_targets(model, y, scoring):
    found = fewest.score_subsets(FEATURES, y, SUBSETS, measure=model, cv=3, scoring=scoring).folds
    expected = [cross_val_score(model, FEATURES[:, s], y, cv=3, scoring=scoring) for s in SUBSETS]
    np.testing.assert_array_equal(found, expected)


def test_selection_for_several_targets():
    selector = fewest.SubsetSelector(LinearRegression(), search="sfs", cv=3, random_state=0)
    selector.fit(FEATURES, NUMBERS)
    assert {"x0", "x2", "x3"} <= set(selector.result_.features)
    assert selector.predict(FEATURES).shape == (90, 2)
    validation = fewest.validate(selector, FEATURES, NUMBERS, scheme="1x3cv", random_state=0)
    assert validation.score > 0.9


def test_measures_of_one_target_refuse_several():
    with pytest.raises(MismatchError, match="one column .* for the measure `cfs`, but has 2"):
        fewest.SubsetSelector("cfs", search="sfs").fit(FEATURES, LABELS)


def test_missing_values_are_refused_only_by_the_estimator():
    X, y = IRIS[0].copy(), IRIS[1]
    X[5, 1] = X[7, 3] = np.nan
    for estimator in (LogisticRegression(), GaussianNB()):
        said = refusal(estimator, X, y)
        assert said == (
            f"{type(estimator).__name__} must be given known values, but 'x1', 'x3' have missing "
            "ones (NaN); fill them in a Pipeline (SimpleImputer), exclude them, or use an "
            'estimator that takes NaN, such as measure="naive-bayes".'
        )
        scorer = CrossValidated(estimator, cv=3).bind(as_table(X, y))
        assert scorer.score(np.array([[1, 0, 1, 0]], bool)).value[0] > 0.9
    taken = CrossValidated(TREE, cv=3).bind(as_table(X, y))
    assert taken.score(np.ones((1, 4), bool)).value[0] > 0.8


def test_missing_values_in_test_rows_only():
    X, y = IRIS[0].copy(), IRIS[1]
    X[5, 1] = np.nan
    folds = [(np.arange(10, 150), np.arange(10))]
    assert "'x1' has missing ones" in refusal(LogisticRegression(), X, y, cv=folds)


@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB(), TREE, CategoricalNB()])
def test_labels_in_an_estimator_of_numbers(estimator):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": range(12), "colour": ["r", "g", "b"] * 4})
    said = refusal(estimator, frame, [0, 1] * 6)
    assert said.startswith(
        f"{type(estimator).__name__} must be given numbers, but 'colour' holds labels; encode"
    )


def test_boosters_are_told_how_to_take_labels():
    pandas, lightgbm = pytest.importorskip("pandas"), pytest.importorskip("lightgbm")
    frame = pandas.DataFrame({"a": range(12), "colour": ["r", "g", "b"] * 4})
    model, y = lightgbm.LGBMClassifier(n_estimators=2, n_jobs=1), [0, 1] * 6
    assert "make them categories (X.astype({'colour': 'category'}))" in refusal(model, frame, y)
    scorer = CrossValidated(model, cv=3).bind(as_table(frame.astype({"colour": "category"}), y))
    assert np.isfinite(scorer.score(np.ones((1, 2), bool)).value[0])


def test_any_other_failure_is_told_with_the_estimators_own_words():
    said = refusal(LogisticRegression(C=-1), *IRIS)
    assert said.startswith("LogisticRegression could not be trained on 'x0', 'x1', 'x2', 'x3'; it")
    assert "'C' parameter of LogisticRegression must be" in said


PIPELINE = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize(
    ("names", "estimator", "cv"),
    [
        (["sample_weight", "groups"], GaussianNB(), "auto"),
        (["groups"], KNeighborsClassifier(), GroupKFold(3)),
        (["logisticregression__sample_weight"], PIPELINE, 5),
        (["sample_weight"], PIPELINE, 5),
        (["time"], GaussianNB(), 5),
        (["time"], GaussianNB(), TimeSeriesSplit(3, gap=2)),
        ([], KNeighborsClassifier(), 5),
    ],
)
def test_what_is_read(names, estimator, cv):
    check_read(names, estimator, cv)


@pytest.mark.parametrize(
    ("names", "estimator", "cv", "message"),
    [
        (["sampel_weight"], GaussianNB(), "auto", "`sampel_weight` is not used by GaussianNB"),
        (["sample_weight"], KNeighborsClassifier(), 5, "not used by KNeighborsClassifier"),
        (["groups"], GaussianNB(), 5, "`groups` is not used by cv=5: give a splitter"),
        (["groups"], GaussianNB(), KFold(3), "`groups` is not used by cv=KFold"),
        (["time", "groups"], GaussianNB(), "auto", "`time` and `groups` cannot be given together"),
        (["time"], GaussianNB(), KFold(3), "`time` is not used by cv=KFold"),
        (["standardscaler__wieght"], PIPELINE, 5, "`standardscaler__wieght` is not used by"),
    ],
)
def test_what_is_refused(names, estimator, cv, message):
    with pytest.raises(InputError, match=message):
        check_read(names, estimator, cv)


def test_splitters_of_others_may_read_groups():
    class Mine:
        def split(self, X, y=None, groups=None):
            yield np.arange(2), np.arange(2, 4)

    assert reads_groups(Mine())
    assert not reads_groups([([0], [1])])


def test_without_routing_weights_go_to_training_and_to_the_score():
    given = {"groups": [1], "time": [3], "sample_weight": [2]}
    for scoring in (None, "roc_auc", make_scorer(f1_score)):
        scorer = check_scoring(GaussianNB(), scoring=scoring)
        assert route(GaussianNB(), scorer, given) == ({"sample_weight": [2]},) * 2
    scorer = check_scoring(PIPELINE, scoring=None)
    name = "logisticregression__sample_weight"
    assert route(PIPELINE, scorer, given) == ({name: [2]}, {"sample_weight": [2]})
    assert route(PIPELINE, scorer, {name: [2]}) == ({name: [2]}, {"sample_weight": [2]})
    other = {"standardscaler__sample_weight": [2]}
    assert route(PIPELINE, scorer, other) == (other, {})
    unweighted = check_scoring(Ridge(), scoring="neg_max_error")
    assert route(Ridge(), unweighted, given) == ({"sample_weight": [2]}, {})


def test_a_weighted_score_by_hand():
    # One fold: the training rows make a class per value; of the test rows a, a, b, b with classes
    # 0, 1, 1, 1 and weights 1, 2, 3, 4 all but the second are right: 8 of 10, not 3 of 4.
    X = np.array([[0.0], [0.1], [1.0], [1.1], [0.0], [0.1], [1.0], [1.1]])
    y = np.array([0, 0, 1, 1, 0, 1, 1, 1])
    weight = np.array([1, 1, 1, 1, 1, 2, 3, 4])
    fold = [(np.arange(4), np.arange(4, 8))]
    for fast in (True, False):
        measure = CrossValidated(GaussianNB(), cv=fold, fast=fast)
        weighted = measure.bind(as_table(X, y, metadata={"sample_weight": weight}))
        both = np.array([[True], [False]])
        # Without features the larger class of the training rows: none is, so the first, 1 of 10.
        np.testing.assert_allclose(weighted.score(both).value, [0.8, 0.1])
        np.testing.assert_allclose(measure.bind(as_table(X, y)).score(both).value, [0.75, 0.25])


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss", "balanced_accuracy"])
def test_weighted_scores_are_those_of_scikit_learn(scoring):
    X, y = load_breast_cancer(return_X_y=True)
    X, weight = X[:, :4], np.random.default_rng(0).integers(0, 4, len(y)) + 0.5
    table = as_table(X, y, metadata={"sample_weight": weight})
    found = CrossValidated(GaussianNB(), cv=5, scoring=scoring).bind(table)
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer(scoring or "accuracy").set_score_request(sample_weight=True)
        model = GaussianNB().set_fit_request(sample_weight=True)
        given = {"sample_weight": weight}
        expected = cross_val_score(model, X, y, cv=5, scoring=scorer, params=given)
    np.testing.assert_allclose(found.score(np.ones((1, 4), dtype=bool)).folds[0], expected)


def test_a_score_without_weights_is_noted():
    X, y = np.random.default_rng(0).normal(size=(2, 40))
    table = as_table(X[:, None], y, metadata={"sample_weight": np.ones(40) * 2})
    notes = CrossValidated(Ridge(), scoring="neg_max_error").bind(table).notes
    assert "scoring=neg_max_error takes no weights: rows count once" in " ".join(notes)


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
