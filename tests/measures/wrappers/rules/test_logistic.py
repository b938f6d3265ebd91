"""LogisticRegression against scikit-learn's own, given the steps to reach the optimum."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

from fewest.data.build import as_table
from fewest.measures.steps import Steps
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.measures.wrappers.line import LineScorer
from fewest.measures.wrappers.registry import find_path
from fewest.measures.wrappers.sources.pipelines import model_of
from tests.measures.wrappers.weighted import weighted_scores

CHANCES = ["neg_log_loss", "neg_brier_score"]


def sharp(estimator):
    """The same estimator with a solver that reaches the optimum."""
    own = clone(estimator)
    solver = "liblinear" if model_of(own).solver == "liblinear" else "newton-cholesky"
    model_of(own).set_params(solver=solver, tol=1e-12, max_iter=10_000)
    return own


def masks_of(d, m=6, seed=0):
    """Random subsets, none of them empty."""
    rng = np.random.default_rng(seed)
    masks = rng.random((m, d)) < rng.random((m, 1))
    masks[:, rng.integers(d)] |= ~masks.any(axis=1)
    return masks


def numbers(classes=2, n=120, d=6, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    return rng.normal(size=(n, d)) + y[:, None] * rng.random(d), y


def bound(estimator, X, y, scoring=None, cv=3, **metadata):
    scorer = CrossValidated(estimator, cv=cv, scoring=scoring).bind(
        as_table(X, y, metadata=metadata)
    )
    line = scorer.scorer(0)
    assert isinstance(line, LineScorer)
    return line


def expected(estimator, X, y, masks, scoring=None, cv=3, **params):
    sliced = X.loc if hasattr(X, "loc") else X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if params:
            weight = next(iter(params.values()))
            return np.array(
                [weighted_scores(estimator, sliced[:, m], y, weight, cv, scoring) for m in masks]
            )
        return np.array(
            [cross_val_score(estimator, sliced[:, m], y, cv=cv, scoring=scoring) for m in masks]
        )


def check(estimator, X, y, scoring=None, m=6, cv=3, atol=1e-8, doubts=0.0, **params):
    """The fold scores are those of the optimum, without training."""
    masks = masks_of(X.shape[1], m)
    line = bound(estimator, X, y, scoring, cv, **params)
    found = line.score(masks).folds
    assert_allclose(
        found, expected(sharp(estimator), X, y, masks, scoring, cv, **params), rtol=0, atol=atol
    )
    assert line.doubted(masks) <= doubts
    return line


@pytest.mark.parametrize("scoring", [None, "f1_macro", "roc_auc", *CHANCES])
@pytest.mark.parametrize("scaled", [False, True])
def test_two_classes(scoring, scaled):
    """Log loss and Brier score on raw columns were off by up to 17 %."""
    X, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression()
    check(make_pipeline(StandardScaler(), model) if scaled else model, X, y, scoring)


@pytest.mark.parametrize("scoring", [None, "roc_auc_ovr", *CHANCES])
@pytest.mark.parametrize("data", [load_iris, load_wine])
def test_several_classes(data, scoring):
    check(LogisticRegression(), *data(return_X_y=True), scoring)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "given",
    [
        {"C": 1e-4}, {"C": 1e6}, {"C": np.inf}, {"fit_intercept": False},
        {"class_weight": "balanced"}, {"class_weight": {0: 3.0, 1: 0.5}}, {"solver": "sag"},
        {"solver": "saga"}, {"solver": "newton-cg"}, {"max_iter": 1},
    ],
    ids=str,
)  # fmt: skip
def test_parameters(classes, given):
    X, y = numbers(classes)
    check(LogisticRegression(**given), X + 2.0, y, "neg_log_loss")


@pytest.mark.parametrize("given", [{}, {"intercept_scaling": 7.0}, {"fit_intercept": False}])
def test_liblinear_penalises_the_intercept(given):
    X, y = numbers()
    model = LogisticRegression(solver="liblinear", class_weight="balanced", **given)
    check(model, X + 2.0, y, "neg_log_loss", atol=1e-6)
    check(model.set_params(dual=True), X + 2.0, y, None)


@pytest.mark.parametrize(
    "model", [LogisticRegression(), LogisticRegression(class_weight="balanced")]
)
def test_weights_of_rows(model):
    """Balanced classes count rows by their weights."""
    X, y = numbers(3)
    weight = np.random.default_rng(0).random(len(y)) + 0.01
    check(model, X, y, "neg_log_loss", sample_weight=weight * 1e9)


@pytest.mark.parametrize("solver", ["newton-cg", "newton-cholesky", "lbfgs"])
@pytest.mark.parametrize("scoring", ["roc_auc", "neg_brier_score", None])
def test_tiny_columns(solver, scoring):
    """Solvers stop at once where columns are around 1e-4; fewest does not."""
    X, y = numbers(n=121)
    masks, model = masks_of(6), LogisticRegression(solver=solver)
    best = LogisticRegression(solver="newton-cholesky", tol=1e-30, max_iter=50)
    found = bound(model, 1e-4 * X, y, scoring).score(masks).folds
    assert_allclose(found, expected(best, 1e-4 * X, y, masks, scoring), atol=1e-9)


@pytest.mark.parametrize("solver", ["newton-cg", "newton-cholesky"])
@pytest.mark.parametrize("scoring", ["roc_auc", "neg_brier_score"])
def test_columns_lost_in_rounding(solver, scoring):
    """Around 1e-10 the order of the rows is that of rounding errors: the estimator is asked."""
    X, y = numbers(n=121)
    masks, model = masks_of(6), LogisticRegression(solver=solver)
    found = bound(model, 1e-10 * X, y, scoring).score(masks).folds
    assert_allclose(found, expected(model, 1e-10 * X, y, masks, scoring), atol=1e-9)


@pytest.mark.parametrize("scale", [1e20, 1e150, 1e300])
def test_huge_columns(scale):
    """The penalty is nothing there: scores are those of the columns in another unit."""
    X, y = numbers()
    found = bound(LogisticRegression(), X * scale, y, "neg_log_loss").score(masks_of(6)).folds
    best = expected(sharp(LogisticRegression(C=np.inf)), X, y, masks_of(6), "neg_log_loss")
    assert_allclose(found, best, atol=1e-8)


def test_constant_equal_and_distant_columns():
    X, y = numbers(n=200)
    X[:, 1], X[:, 2] = 7.0, X[:, 0]
    check(LogisticRegression(), X, y, "neg_log_loss")
    near = X.copy()
    near[:, 3] += 2.0**40
    masks = masks_of(6)
    line = bound(LogisticRegression(), near, y, "neg_log_loss")
    best = expected(sharp(LogisticRegression()), near - [0, 0, 0, 2.0**40, 0, 0], y, masks,
                    "neg_log_loss")  # fmt: skip
    assert_allclose(line.score(masks).folds, best, atol=1e-8)


@pytest.mark.parametrize("classes", [2, 3])
def test_no_optimum_goes_to_the_estimator(classes):
    """Without a penalty separable classes have none; equal columns have many."""
    X, y = numbers(classes)
    X[:, 0], X[:, 2] = y, X[:, 1]
    masks = np.array([[1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 0], [0, 1, 0, 1, 1, 1]], dtype=bool)
    model = LogisticRegression(C=np.inf)
    line = bound(model, X, y, "neg_log_loss")
    assert [line.doubted(mask[None]) for mask in masks] == [1.0, 1.0, 0.0]
    assert_array_equal(
        line.score(masks[:2]).folds, expected(model, X, y, masks[:2], "neg_log_loss")
    )


def test_more_columns_than_rows():
    X, y = numbers(n=40, d=80)
    check(LogisticRegression(), X, y, "neg_log_loss")
    line = bound(LogisticRegression(), np.hstack([X] * 10), y)
    assert line.doubted(np.ones((1, 800), dtype=bool)) == 1.0


def test_single_candidates_batches_and_steps_agree():
    X, y = load_breast_cancer(return_X_y=True)
    masks = masks_of(30, m=40, seed=3)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    batch = bound(model, X, y, "neg_log_loss").score(masks).folds
    line = bound(model, X, y, "neg_log_loss")
    assert_allclose(np.vstack([line.score(mask[None]).folds for mask in masks]), batch, rtol=1e-7)
    base = masks[0]
    steps = Steps(base, np.arange(30), 1 - base.astype(np.int64))
    matrix = np.asarray(steps, dtype=bool)
    assert_allclose(line.score_steps(steps).folds, line.score(matrix).folds, rtol=1e-7)
    assert_array_equal(
        pickle.loads(pickle.dumps(line)).score(matrix).folds, line.score(matrix).folds
    )


@pytest.mark.parametrize("scoring", [None, "neg_log_loss", "roc_auc"])
def test_equal_rows(dataset, scoring):
    """In chess every column has two or three values: test rows tie."""
    table = as_table(dataset("chess-kr-vs-kp").X, dataset("chess-kr-vs-kp").y)
    X, y = np.ascontiguousarray(table.values[::3]), table.target[::3]
    check(LogisticRegression(), X, y, scoring, m=3, doubts=0.2)


@pytest.mark.parametrize("model", [LogisticRegression(), LogisticRegression(C=0.1)])
def test_blocks_of_columns(model):
    X, y = numbers(3, d=4)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["e"] = np.array(["x", "y", "z"])[(y + np.arange(len(y)) // 7) % 3]
    frame.loc[::9, "a"] = np.nan
    whole = make_column_transformer(
        (make_pipeline(SimpleImputer(), MinMaxScaler()), ["a", "b", "c"]),
        (OneHotEncoder(handle_unknown="ignore"), ["e"]),
        remainder="passthrough",
    )
    masks = np.array(
        [[1, 1, 0, 0, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [1, 0, 0, 1, 0]], dtype=bool
    )
    line = bound(make_pipeline(whole, model), frame, y, "neg_log_loss")
    assert line.doubted(masks) == 0.0
    kinds = {"a": SimpleImputer, "b": SimpleImputer, "c": SimpleImputer}
    for mask, found in zip(masks, line.score(masks).folds, strict=True):
        part = frame.loc[:, mask]
        given = [c for c in part if c in kinds]
        same = make_column_transformer(
            (make_pipeline(SimpleImputer(), MinMaxScaler()), given),
            (OneHotEncoder(handle_unknown="ignore"), [c for c in part if c == "e"]),
            remainder="passthrough",
        )
        best = make_pipeline(same, sharp(model))
        assert_allclose(found, cross_val_score(best, part, y, cv=3, scoring="neg_log_loss"))


def test_a_column_of_unknown_values_costs_only_its_candidates():
    X, y = numbers()
    X[3, 0] = np.nan
    line = bound(LogisticRegression(), X, y)
    masks = np.array([[1, 1, 0, 0, 0, 0], [0, 1, 1, 1, 0, 0]], dtype=bool)
    assert [line.doubted(mask[None]) for mask in masks] == [1.0, 0.0]


def test_single_precision():
    X, y = numbers(3)
    check(LogisticRegression(), X.astype(np.float32), y, None, doubts=0.1)


def test_folds_without_a_class():
    X, y = numbers(3)
    y[:] = np.where(y == 2, 1, y)
    y[:3] = 2
    rows = np.arange(len(y))
    folds = [(rows[3:], rows[:40]), (rows[:60], rows[60:])]
    masks = masks_of(6)
    found = bound(LogisticRegression(tol=1e-10), X, y, cv=folds).score(masks).folds
    assert_allclose(found, expected(LogisticRegression(tol=1e-10), X, y, masks, cv=folds))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (LogisticRegression(l1_ratio=0.5, solver="saga"), "only the L2 penalty"),
        (LogisticRegression(solver="liblinear"), "more than two classes"),
        (LogisticRegression(dual=True), "dual=True"),
        (LogisticRegression(C=-1.0), "out of range"),
        (LogisticRegression(solver="magic"), "solver='magic'"),
    ],
)
def test_refusals(model, words):
    path = find_path(model, as_table(*numbers(3)))
    assert not path.fast
    assert words in path.why


@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
def test_the_audit_knows_how_far_solvers_go(scoring):
    """Converged models are near the optimum; raw columns end with a convergence warning."""
    X, y = load_breast_cancer(return_X_y=True)
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    found = bound(scaled, X, y, scoring).audit(masks_of(30, m=3))
    assert found.agrees
    assert not found.stopped_early
    assert bound(LogisticRegression(), X, y, scoring).audit(masks_of(30, m=3)).stopped_early
    sharper = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-9, max_iter=1000))
    line = bound(sharper, X, y, "neg_log_loss")
    assert line.rule.tolerance(line.metric) < 1e-6
    assert line.audit(masks_of(30, m=3)).agrees


def test_every_fold_of_a_table_is_bound_once():
    X, y = numbers()
    folds = list(StratifiedKFold(3).split(X, y))
    line = bound(LogisticRegression(), X, y, cv=folds)
    assert line.rule.folds == [None] * 3
    line.score(masks_of(6))
    kept = list(line.rule.folds)
    line.score(masks_of(6, seed=1))
    assert all(a is b for a, b in zip(kept, line.rule.folds, strict=True))


def test_a_test_row_out_of_range_costs_only_the_subsets_that_hold_it():
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :4].copy()
    X[:, 3] *= 1e-200
    X[0, 3] = 1e200
    scorer = CrossValidated(LogisticRegression(), cv=3).bind(as_table(X, y)).scorers[0]
    assert scorer.doubted(np.array([[True, True, False, False]])) == 0.0
    assert scorer.doubted(np.array([[True, False, False, True]])) > 0.0
