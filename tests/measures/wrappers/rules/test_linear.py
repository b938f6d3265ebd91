"""LinearRegression, Ridge and RidgeClassifier give what cross_val_score gives."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import KFold, ShuffleSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.test_responses import check, masks_of
from tests.measures.wrappers.weighted import weighted_scores

SCORINGS = [
    None, "r2", "neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error",
]  # fmt: skip
REGRESSORS = [
    LinearRegression(),
    Ridge(),
    Ridge(alpha=1e-3, solver="svd"),
    make_pipeline(StandardScaler(), LinearRegression()),
    make_pipeline(StandardScaler(), Ridge(alpha=3.0)),
]
CLASSIFIERS = [
    RidgeClassifier(),
    RidgeClassifier(alpha=0.01),
    make_pipeline(StandardScaler(), RidgeClassifier()),
]


def difficult(seed=0, n=90):
    """Columns of many scales, one constant, one twice, sums of others, exactly and nearly."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 10)) * 10.0 ** np.array([-3, 3, 0, 0, 1, 0, 0, 2, 0, 0])
    X[:, 2] = 0.1
    X[:, 4] = X[:, 3]
    X[:, 6] = X[:, 3] - 2.0 * X[:, 5]
    X[:, 8] = np.round(X[:, 9] + X[:, 5], 7)
    return X, X[:, 0] * 500.0 + X[:, 3] - X[:, 9] + rng.normal(size=n)


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("estimator", REGRESSORS)
def test_diabetes(estimator, scoring):
    X, y = load_diabetes(return_X_y=True)
    scorer = check(estimator, X, y, masks_of(10, m=4), scoring, cv=4, rtol=1e-9)
    assert scorer.scorers[0].doubted(masks_of(10, m=50)) == 0.0


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error"])
@pytest.mark.parametrize("estimator", REGRESSORS)
def test_collinear_and_constant_columns(estimator, scoring):
    X, y = difficult()
    masks = np.vstack([masks_of(10, m=12, seed=3), np.eye(10, dtype=bool)])
    check(estimator, X, y, masks, scoring, cv=KFold(3, shuffle=True, random_state=0), rtol=1e-7)


@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge()])
def test_columns_nearly_dependent_in_a_real_table(dataset, estimator):
    """In image-segmentation means of colours and their sums are rounded to six digits."""
    data = dataset("image-segmentation")
    table = as_table(data.X, data.y)
    X = np.ascontiguousarray(table.values)
    y = table.target + np.random.default_rng(0).normal(size=len(X))
    masks = np.vstack([masks_of(X.shape[1], m=5, seed=2), np.ones((1, X.shape[1]), dtype=bool)])
    scorer = check(estimator, X, y, masks, None, cv=3, rtol=1e-7)
    assert scorer.scorers[0].doubted(masks) < 0.2


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(24, 30)), rng.normal(size=24)
    masks = np.vstack([np.ones((1, 30), dtype=bool), masks_of(30, m=4)])
    for estimator in (LinearRegression(), Ridge(), make_pipeline(StandardScaler(), Ridge())):
        check(estimator, X, y, masks, None, cv=3, rtol=1e-7)


def test_columns_constant_in_training_only():
    X, y = difficult(1, n=30)
    X[:, 2] = np.arange(30) < 10
    for estimator in REGRESSORS:
        check(estimator, X, y, masks_of(10, m=6, seed=1), None, cv=KFold(3), rtol=1e-7)


def test_folds_that_take_a_part_of_the_rows():
    X, y = load_diabetes(return_X_y=True)
    cv = ShuffleSplit(3, train_size=0.3, test_size=0.2, random_state=0)
    check(LinearRegression(), X, y, masks_of(10, m=3), None, cv=cv, rtol=1e-9)


@pytest.mark.parametrize("estimator", [LinearRegression(), Ridge(), RidgeClassifier()])
def test_weights(estimator):
    X, y = load_diabetes(return_X_y=True)
    y = (y > 140).astype(int) if isinstance(estimator, RidgeClassifier) else y
    weight = np.random.default_rng(0).random(len(y))
    folds = list(KFold(4).split(X))
    table = as_table(X, y, metadata={"sample_weight": weight})
    scorer = CrossValidated(estimator, cv=folds).bind(table)
    assert scorer.fast
    masks = masks_of(10, m=4)
    for mask, got in zip(masks, scorer.score(masks).folds, strict=True):
        expected = weighted_scores(estimator, X[:, mask], y, weight, folds)
        assert_allclose(got, expected, rtol=1e-9)


@pytest.mark.parametrize("scoring", [None, "roc_auc", "f1_macro", "average_precision"])
@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_two_classes(dataset, estimator, scoring):
    table = as_table(dataset("ionosphere").X, dataset("ionosphere").y)
    X = np.ascontiguousarray(table.values)
    check(estimator, X, table.target, masks_of(X.shape[1], m=4), scoring, cv=3)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_several_classes(dataset, estimator):
    data = dataset("image-segmentation")
    X = np.ascontiguousarray(as_table(data.X, data.y).values)
    check(estimator, X, np.asarray(data.y), masks_of(X.shape[1], m=3), None, cv=3)
    X, y = load_iris(return_X_y=True)
    for scoring in (None, "matthews_corrcoef", "f1_weighted"):
        check(estimator, X, y, masks_of(4), scoring, cv=5)


def test_what_it_cannot_promise_goes_to_the_estimator():
    X, y = load_diabetes(return_X_y=True)
    masks = masks_of(10, m=1)
    for estimator in (
        LinearRegression(positive=True),
        LinearRegression(fit_intercept=False),
        Ridge(solver="saga", max_iter=5, random_state=0),
    ):
        check(estimator, X, y, masks, None, fast=False)


def test_scores_do_not_depend_on_the_batch_and_scorers_pickle():
    X, y = difficult()
    scorer = CrossValidated(LinearRegression(), cv=3).bind(as_table(X, y))
    masks = masks_of(10, m=20)
    whole = scorer.score(masks).folds
    assert_array_equal(np.concatenate([scorer.score(m[None]).folds for m in masks]), whole)
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, whole)


@pytest.mark.parametrize("weight", ["balanced", {0: 3.0, 1: 0.2, 2: 1.0}])
@pytest.mark.parametrize("scoring", [None, "f1_macro"])
def test_class_weights(weight, scoring):
    X, y = load_iris(return_X_y=True)
    estimator = RidgeClassifier(class_weight=weight)
    check(estimator, X, y, masks_of(4), scoring, cv=5)
    check(make_pipeline(StandardScaler(), estimator), X, y, masks_of(4), scoring, cv=5)


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_absolute_error"])
def test_weights_of_the_scorer(scoring):
    X, y = load_diabetes(return_X_y=True)
    weight = np.random.default_rng(0).random(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = Ridge().set_fit_request(sample_weight=True)
        scorer = get_scorer(scoring).set_score_request(sample_weight=True)
        table = as_table(X, y, metadata={"sample_weight": weight})
        bound = CrossValidated(model, cv=4, scoring=scorer).bind(table)
        assert bound.fast
        masks = masks_of(10, m=4)
        for mask, found in zip(masks, bound.score(masks).folds, strict=True):
            given = {"sample_weight": weight}
            expected = cross_val_score(model, X[:, mask], y, cv=4, scoring=scorer, params=given)
            assert_allclose(found, expected, rtol=1e-9)


def with_dummies(seed=0, n=120):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=n),
            "colour": rng.choice(["red", "green", "blue"], n),
            "b": rng.normal(size=n) * 100.0,
            "size": rng.choice(list("smlx"), n, p=[0.4, 0.3, 0.27, 0.03]),
        }
    )
    y = frame["a"] + (frame["colour"] == "red") - (frame["size"] == "x") + rng.normal(size=n)
    return frame, y.to_numpy()


def mixed(model, **options):
    encoder = OneHotEncoder(handle_unknown="ignore", **options)
    labels = make_column_selector(dtype_exclude=np.number)
    numbers = make_column_selector(dtype_include=np.number)
    steps = ColumnTransformer([("n", StandardScaler(), numbers), ("l", encoder, labels)])
    return make_pipeline(steps, model)


@pytest.mark.parametrize("options", [{"sparse_output": False}, {"drop": "first"}])
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(0.5), RidgeClassifier(0.5)])
def test_labels_are_blocks_of_dummies(model, options):
    """All dummies of a label and an intercept depend on each other: the shortest rule is taken."""
    X, y = with_dummies()
    y = (y > 0.3).astype(int) if isinstance(model, RidgeClassifier) else y
    options = {"sparse_output": False, **options}
    scorer = CrossValidated(mixed(model, **options), cv=5).bind(as_table(X, y))
    masks = np.array([[bool(i >> j & 1) for j in range(4)] for i in range(1, 16)])
    found = scorer.score(masks).folds
    assert scorer.scorers[0].doubted(masks) < 0.05
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for mask, folds in zip(masks, found, strict=True):
            own = X.loc[:, mask]
            expected = cross_val_score(mixed(model, **options), own, y, cv=list(scorer.splits))
            assert_allclose(folds, expected, rtol=1e-8)


@pytest.mark.parametrize("ratio", [1e-9, 1e-12, 1e-13, 1e-14])
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), Ridge(1e-3)])
def test_spreads_that_are_little_next_to_the_mean(model, ratio):
    """What is left of such a column after scaling are a few units in the last place."""
    X, y = load_diabetes(return_X_y=True)
    X = X / X.std(axis=0)
    X[:, [2, 5, 8]] = 1.0 + ratio * X[:, [2, 5, 8]]
    masks = np.vstack([masks_of(10, m=6), np.eye(10, dtype=bool)[[2, 5]]])
    check(make_pipeline(StandardScaler(), model), X, y, masks, "r2", cv=4, rtol=1e-7)
    check(model, X, y, masks, "r2", cv=4, rtol=1e-7)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), RidgeClassifier()])
def test_scales_far_apart(model):
    X, y = load_diabetes(return_X_y=True)
    y = (y > 140).astype(int) if isinstance(model, RidgeClassifier) else y
    X = X * 10.0 ** np.array([-160, 150, 0, 0, -160, 150, 3, -3, 100, -100])
    masks = np.vstack([masks_of(10, m=8), np.eye(10, dtype=bool)])
    check(model, X, y, masks, None, cv=4, rtol=1e-7)


@pytest.mark.filterwarnings("ignore")
def test_constant_columns_without_a_penalty_are_left_to_the_estimator():
    X, y = difficult()
    scorer = check(Ridge(alpha=0.0), X, y, np.arange(10)[None] < 3, None)
    assert scorer.scorers[0].doubted(np.arange(10)[None] < 3) == 1.0


def test_an_outlier_that_one_fold_tests():
    X, y = load_diabetes(return_X_y=True)
    X, rows = X.copy(), np.arange(len(X))
    X[5, 3] = 1e9
    folds = [(np.setdiff1d(rows, rows[k::4]), rows[k::4]) for k in range(4)]
    for model in (LinearRegression(), Ridge()):
        check(model, X, y, masks_of(10), None, cv=folds, rtol=1e-7)


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(), RidgeClassifier()])
def test_single_precision(model):
    """The solution is the exact one; labels within single precision are left to the model."""
    X, y = load_diabetes(return_X_y=True)
    y = (y > 140).astype(int) if isinstance(model, RidgeClassifier) else y
    X = (X / X.std(axis=0)).astype(np.float32)
    label = isinstance(model, RidgeClassifier)
    scorer = check(model, X, y, masks_of(10), None, cv=4, rtol=0 if label else 1e-4)
    assert scorer.scorers[0].doubted(masks_of(10, m=50)) < 0.5


def test_a_column_that_no_number_is_costs_only_its_candidates():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    X = X.assign(name=[f"row {i}" for i in range(len(X))], gap=X["age"].where(X["age"] > 0))
    scorer = CrossValidated(Ridge(), cv=4).bind(as_table(X, y))
    masks = np.hstack([masks_of(10, m=5), np.zeros((5, 2), dtype=bool)])
    assert scorer.scorers[0].doubted(masks) == 0.0
    for mask, folds in zip(masks, scorer.score(masks).folds, strict=True):
        assert_allclose(folds, cross_val_score(Ridge(), X.loc[:, mask], y, cv=4), rtol=1e-9)
    masks[1, 11] = True
    assert scorer.scorers[0].doubted(masks) == 0.2


def test_many_columns_are_trained_where_that_is_faster():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 200)), rng.normal(size=30)
    scorer = CrossValidated(Ridge(), cv=3).bind(as_table(X, y))
    every = np.ones((1, 200), dtype=bool)
    assert scorer.scorers[0].doubted(every) == 1.0
    check(Ridge(), X, y, every, None, cv=3)
