"""Any scoring: the twins give what cross_val_score gives on the same folds."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import (
    brier_score_loss,
    f1_score,
    fbeta_score,
    get_scorer,
    jaccard_score,
    log_loss,
    make_scorer,
    precision_score,
)
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import has_fit_parameter

from fewest._errors import InputError
from fewest.classifiers._naive_bayes import NaiveBayes
from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.weighted import weighted_scores

LABELS = [
    "balanced_accuracy", "f1_macro", "f1_micro", "f1_weighted", "matthews_corrcoef",
    "precision_macro", "recall_weighted", "jaccard_macro",
]  # fmt: skip
MEAN_SQUARE = "neg_mean_squared_error"
CHANCES = ["neg_log_loss", "neg_brier_score"]
BINARY = [*LABELS, *CHANCES, "f1", "precision", "recall", "roc_auc", "average_precision"]
SEVERAL = [*LABELS, *CHANCES, "roc_auc_ovr", "roc_auc_ovr_weighted"]


def masks_of(d, m=6, seed=0):
    """Random subsets, none of them empty."""
    rng = np.random.default_rng(seed)
    masks = rng.random((m, d)) < rng.random((m, 1))
    masks[:, rng.integers(d)] |= ~masks.any(axis=1)
    return masks


def check(estimator, X, y, masks, scoring, cv=5, fast=True, rtol=1e-10, atol=1e-12):
    """The fold scores are those of cross_val_score, up to rounding of their last step."""
    scorer = CrossValidated(estimator, cv=cv, scoring=scoring).bind(as_table(X, y))
    assert scorer.fast is fast
    scores = scorer.score(masks)
    sliced = X.loc if hasattr(X, "loc") else X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for mask, folds in zip(masks, scores.folds, strict=True):
            expected = cross_val_score(estimator, sliced[:, mask], y, cv=cv, scoring=scoring)
            assert_allclose(folds, expected, rtol=rtol, atol=atol)
    return scorer


@pytest.mark.parametrize("estimator", [NaiveBayes(), GaussianNB(), BernoulliNB()])
@pytest.mark.parametrize("scoring", BINARY)
def test_two_classes(estimator, scoring):
    X, y = load_breast_cancer(return_X_y=True)
    check(estimator, X, y, masks_of(X.shape[1], m=2), scoring, cv=3)


@pytest.mark.parametrize("estimator", [NaiveBayes(), GaussianNB(), BernoulliNB()])
@pytest.mark.parametrize("scoring", SEVERAL)
def test_several_classes(dataset, estimator, scoring):
    data = dataset("image-segmentation")
    X = np.ascontiguousarray(as_table(data.X, data.y).values)
    check(estimator, X, np.asarray(data.y), masks_of(X.shape[1], m=2), scoring, cv=3)


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "f1_macro", "average_precision"])
def test_discrete_tables_are_full_of_ties(dataset, scoring):
    data = dataset("chess-kr-vs-kp")
    table = as_table(data.X, data.y)
    X = np.ascontiguousarray(table.values)
    masks = masks_of(X.shape[1], m=3)
    for estimator in (CategoricalNB(), BernoulliNB(), NaiveBayes()):
        check(estimator, X, table.target, masks, scoring, cv=3)


@pytest.mark.parametrize(
    "scoring",
    [
        "f1_macro",
        make_scorer(f1_score, pos_label="yes"),
        make_scorer(precision_score, average="weighted", pos_label="no", zero_division=0),
        make_scorer(jaccard_score, pos_label="no"),
        make_scorer(log_loss, greater_is_better=False, response_method="predict_proba"),
    ],
)
def test_scorers_made_by_hand(scoring):
    X, y = _numbers(0, classes=2)
    check(GaussianNB(), X, np.array(["no", "yes"])[y], masks_of(6), scoring)


def test_what_only_scikit_learn_knows_goes_to_it():
    X, y = _numbers(0, classes=2)
    masks = masks_of(6, m=2)
    check(GaussianNB(), X, y, masks, make_scorer(fbeta_score, beta=2), fast=False)
    check(GaussianNB(), X, y, masks, make_scorer(f1_score, zero_division=1), fast=False)
    check(GaussianNB(), X, y, masks, lambda e, X, y: float(e.predict(X)[0]), fast=False)
    half = make_scorer(brier_score_loss, response_method="predict_proba", pos_label=0)
    check(GaussianNB(), X, y, masks, half, fast=False)


def test_a_score_without_its_positive_class_is_refused_where_scikit_learn_scores_nan():
    X, y = _numbers(0, classes=2)
    macro = CrossValidated(GaussianNB(), scoring=make_scorer(f1_score, average="macro"))
    scorer = macro.bind(as_table(X, np.array(["no", "yes"])[y]))
    with pytest.raises(InputError, match="must go with the classes"):
        scorer.score(masks_of(6, m=2))


def _numbers(seed, n=120, d=6, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-4, 4, d) + y[:, None] * rng.random(d)
    X[:, 2] = np.round(X[:, 2])
    X[y == 0, 3] = 1.0
    return X, y


@pytest.mark.parametrize("scoring", ["f1_macro", "balanced_accuracy", "matthews_corrcoef"])
def test_folds_without_a_class(scoring):
    """Sorted by class, every fold tests rows of classes that it has hardly seen."""
    X, y = _numbers(3, classes=4)
    order = np.argsort(y)
    for estimator in (GaussianNB(), NaiveBayes(), BernoulliNB()):
        check(estimator, X[order], y[order], masks_of(6), scoring, cv=KFold(4))


def test_folds_that_lack_a_class_for_the_metric_go_to_the_estimator():
    X, y = _numbers(3, classes=2)
    order = np.argsort(y)
    folds = list(KFold(3).split(X))
    check(GaussianNB(), X[order], y[order], masks_of(6, m=2), "neg_log_loss", cv=folds)
    check(GaussianNB(), X[order], y[order], masks_of(6, m=2), "average_precision", cv=folds)


@pytest.mark.parametrize("estimator", [NaiveBayes(), GaussianNB(), BernoulliNB(), CategoricalNB()])
@pytest.mark.parametrize("scoring", [None, "accuracy", "f1_macro", "neg_log_loss"])
def test_weights_of_rows(estimator, scoring):
    X, y = _numbers(1, classes=2)
    X = np.abs(X.round()) % 5
    weight = np.random.default_rng(0).integers(1, 5, len(y)).astype(float)
    folds = list(StratifiedKFold(4).split(X, y))
    table = as_table(X, y, metadata={"sample_weight": weight})
    scorer = CrossValidated(estimator, cv=folds, scoring=scoring).bind(table)
    assert scorer.fast
    masks = masks_of(6)
    for mask, got in zip(masks, scorer.score(masks).folds, strict=True):
        expected = weighted_scores(estimator, X[:, mask], y, weight, folds, scoring)
        assert_allclose(got, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("trained", [True, False])
@pytest.mark.parametrize(
    ("estimator", "scoring"),
    [
        (GaussianNB(), "roc_auc"),
        (LinearDiscriminantAnalysis(), "accuracy"),
        (LogisticRegression(solver="newton-cholesky", tol=1e-10), "neg_log_loss"),
        (DecisionTreeClassifier(random_state=0), "accuracy"),
        *((model, name) for model in (LinearRegression(), Ridge()) for name in ("r2", MEAN_SQUARE)),
    ],
)
def test_weights_that_the_scorer_asks_for(estimator, scoring, trained):
    X, labels = _numbers(1, classes=2)
    weight = np.random.default_rng(0).random(len(labels)) * 5.0 + 0.1
    y = X[:, 0] + 0.5 * X[:, 1] + labels if is_regressor(estimator) else labels
    folds = list(StratifiedKFold(4).split(X, labels))
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = clone(estimator)
        if has_fit_parameter(estimator, "sample_weight"):
            estimator.set_fit_request(sample_weight=trained)
        scorer = get_scorer(scoring).set_score_request(sample_weight=True)
        table = as_table(X, y, metadata={"sample_weight": weight})
        bound = CrossValidated(estimator, cv=folds, scoring=scorer).bind(table)
        masks = masks_of(6, m=3)
        for mask, got in zip(masks, bound.score(masks).folds, strict=True):
            expected = cross_val_score(
                estimator, X[:, mask], y, cv=folds, scoring=scorer, params={"sample_weight": weight}
            )
            assert_allclose(got, expected, rtol=1e-9, atol=1e-12)


def test_the_empty_subset_scores_as_a_dummy():
    X, y = _numbers(1, classes=2)
    scorer = CrossValidated(GaussianNB(), cv=4, scoring="roc_auc").bind(as_table(X, y))
    assert_array_equal(scorer.score(np.zeros((1, 6), dtype=bool)).value, [0.5])


def test_scores_do_not_depend_on_the_batch_and_scorers_pickle():
    X, y = _numbers(2, classes=2)
    scorer = CrossValidated(NaiveBayes(), cv=4, scoring="roc_auc").bind(as_table(X, y))
    masks = masks_of(6, m=30)
    whole = scorer.score(masks).folds
    assert_array_equal(np.concatenate([scorer.score(m[None]).folds for m in masks]), whole)
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, whole)


def test_frames(dataset):
    pandas = pytest.importorskip("pandas")
    X, y = _numbers(2, classes=2)
    frame = pandas.DataFrame(X, columns=list("abcdef"))
    for scoring in ("roc_auc", "neg_log_loss"):
        check(GaussianNB(), frame, y, masks_of(6), scoring)
    data = dataset("horse-colic")
    check(NaiveBayes(), data.X, data.y, masks_of(data.X.shape[1], m=2), "roc_auc")
