"""The selector as a model."""

import html
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import fewest
from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._fitting.final_model import ranking, scored_subsets
from fewest.measures import CrossValidated
from fewest.testing._results import toy_result

METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "score")


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


def selector(measure=None, **options):
    options = {"search": "sfs", "cv": 3, "random_state": 0, **options}
    return SubsetSelector(GaussianNB() if measure is None else measure, **options)


@pytest.mark.parametrize("model", [GaussianNB(), LogisticRegression(max_iter=500), LinearSVC()])
def test_it_predicts_as_the_estimator_on_the_chosen_features(iris, model):
    X, y = iris
    fitted = selector(model).fit(X, y)
    alone = clone(model).fit(X.loc[:, fitted.support_], y)
    for method in METHODS[:-1]:
        assert hasattr(fitted, method) == hasattr(alone, method)
        if hasattr(alone, method):
            expected = getattr(alone, method)(X.loc[:, fitted.support_])
            assert np.array_equal(getattr(fitted, method)(X), expected)
    assert fitted.score(X, y) == alone.score(X.loc[:, fitted.support_], y)
    assert np.array_equal(fitted.classes_, alone.classes_)


@pytest.mark.parametrize(
    "frame", [pd.DataFrame, pl.DataFrame, lambda c: np.column_stack([*c.values()])]
)
def test_every_kind_of_table(iris, frame):
    X, y = iris
    table = frame({name: X[name].to_numpy() for name in X})
    fitted = selector().fit(table, y)
    expected = selector().fit(X, y).predict(X)
    assert np.array_equal(fitted.predict(table), expected)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_after_fit_with_a_named_target_the_same_frame_is_predicted(iris, frame):
    X, y = iris
    whole = frame({**{name: X[name].to_numpy() for name in X}, "kind": y.to_numpy()})
    alone = selector().fit(X, y)
    for fitted in (selector().fit(whole, "kind"), selector().fit(whole, target="kind")):
        assert np.array_equal(fitted.predict(whole), alone.predict(X))
        assert fitted.transform(whole).shape == alone.transform(X).shape
        assert fitted.score(whole, "kind") == alone.score(X, y)
    with pytest.raises(ValueError, match="feature names"):
        alone.predict(whole)


def test_labels_and_structured_arrays():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 90)
    table = np.zeros(90, dtype=[("noise", float), ("colour", "U5")])
    table["noise"], table["colour"] = rng.normal(size=90), np.array(["blue", "red"])[y]
    fitted = selector("naive-bayes").fit(table, y)
    assert fitted.score(table, y) == 1.0
    with pytest.raises(InputError, match="`X` must have the columns"):
        fitted.predict(table[["colour", "noise"]])


def test_a_regressor():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    fitted = selector(LinearRegression(), max_features=2).fit(X, y)
    alone = LinearRegression().fit(X.loc[:, fitted.support_], y)
    assert fitted.score(X, y) == alone.score(X.loc[:, fitted.support_], y)
    assert not hasattr(fitted, "classes_")
    assert is_regressor(fitted)
    assert not hasattr(fitted, "predict_proba")


def test_filters_and_refit_false_have_no_predict(iris):
    X, y = iris
    for one in (selector("cfs"), selector(refit=False)):
        for state in (one, clone(one).fit(X, y)):
            assert not any(hasattr(state, name) for name in (*METHODS, "estimator_", "classes_"))
        assert not is_classifier(one)
    assert clone(selector("cfs")).fit(X, y).n_features_ > 0


def test_before_fit(iris):
    assert [hasattr(selector("auto"), m) for m in METHODS] == [True, True, False, False, True]
    assert is_classifier(selector("gaussian-nb"))
    # `fit` complains of these; looking at the selector must not.
    assert not is_classifier(selector("gaussian-nb(nothing=1)"))
    for early in (selector(), selector("auto")):
        with pytest.raises(NotFittedError):
            early.predict(iris[0])


def test_the_score_is_by_scoring(iris):
    X, y = iris
    two = (y == 1).astype(int)
    fitted = selector(scoring="roc_auc").fit(X, two)
    from sklearn.metrics import roc_auc_score

    assert fitted.score(X, two) == roc_auc_score(two, fitted.predict_proba(X)[:, 1])


def test_sample_weights_reach_the_last_fit(iris):
    X, y = iris
    weight = np.where(y == 2, 30.0, 1.0)
    fitted = selector().fit(X, y, sample_weight=weight)
    alone = GaussianNB().fit(X.loc[:, fitted.support_], y, sample_weight=weight)
    assert np.array_equal(fitted.predict_proba(X), alone.predict_proba(X.loc[:, fitted.support_]))


def test_a_second_fit_forgets_the_first_model(iris):
    X, y = iris
    fitted = selector().fit(X, y)
    fitted.set_params(measure="cfs").fit(X, y)
    assert not hasattr(fitted, "estimator_")


def test_no_feature_is_a_dummy():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.repeat([0, 1], [40, 20])
    measure = CrossValidated(GaussianNB(), cv=3)
    fitted = selector(measure, min_features=0, max_features=1, choose=0).fit(X, y)
    assert fitted.n_features_ == 0
    assert fitted.predict(X).tolist() == [0] * 60


def test_grid_search_tunes_the_selector(iris):
    X, y = iris
    grid = GridSearchCV(selector(), {"max_features": [1, 2]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.9
    assert grid.predict(X).shape == (150,)


class Counting(GaussianNB):
    fits = 0

    def fit(self, X, y, sample_weight=None):
        Counting.fits += 1
        return super().fit(X, y, sample_weight)


def test_fit_transform_searches_once(iris):
    X, y = iris
    counts = []
    for run in (selector(Counting()).fit, selector(Counting()).fit_transform):
        Counting.fits = 0
        run(X, y)
        counts.append(Counting.fits)
    assert counts[0] == counts[1] > 0
    one = selector().fit(X, y)
    assert np.array_equal(selector().fit_transform(X, y), one.transform(X))


def test_the_ranking_puts_the_chosen_first(iris):
    X, y = iris
    fitted = selector(search="exhaustive").fit(X, y)
    ranks = fitted.ranking_
    assert ((ranks == 1) == fitted.support_).all()
    archive = fitted.result_.archive
    best = [max(e["value"] for e in archive if j in e["features"]) for j in range(4)]
    others = np.flatnonzero(~fitted.support_)
    order = sorted({best[j] for j in others}, reverse=True)
    assert [ranks[j] for j in others] == [2 + order.index(best[j]) for j in others]


def test_features_in_no_subset_rank_last():
    result = toy_result()
    result = replace(
        result, archive=[{**result.archive[0], "features": np.flatnonzero(result.support).tolist()}]
    )
    ranks = ranking(result)
    assert sorted(set(ranks)) == [1, 2]
    assert ((ranks == 1) == result.support).all()


def test_the_scored_subsets_make_a_frame(iris):
    X, y = iris
    fitted = selector(search="exhaustive", min_features=1).fit(X, y)
    frame = pd.DataFrame(fitted.cv_results_)
    assert len(frame) == fitted.result_.evaluations == 15
    assert frame["mean_test_score"].is_monotonic_decreasing
    assert (
        frame["rank_test_score"].tolist()
        == frame["mean_test_score"].rank(ascending=False, method="min").tolist()
    )
    row = frame.iloc[3]
    scores = fewest.score_subsets(
        X, y, [[name in row["features"] for name in X]], measure=GaussianNB(), cv=3
    )
    assert row["mean_test_score"] == scores.value[0]
    assert row["std_test_score"] == pytest.approx(scores.folds[0].std(ddof=1))
    assert row["n_features"] == len(row["features"])
    assert len(pl.DataFrame(fitted.cv_results_)) == 15


def test_filters_have_no_deviations():
    result = toy_result()
    for entry in result.archive:
        entry.pop("std", None)
    assert "std_test_score" not in scored_subsets(result)


def test_the_diagram_names_the_kept_features():
    data = fewest.load("wine")
    selector = fewest.SubsetSelector("gaussian-nb", search="sfs", cv=3, max_features=2)
    assert "features are kept" not in selector._html_repr()
    shown = selector.fit(data.X.rename(columns={"alcohol": "<b>"}), data.y)._html_repr()
    assert "2 of 13 features are kept" in shown
    names = [html.escape(name) for name in selector.result_.features]
    assert shown.endswith(f"{', '.join(names)}</p>")
