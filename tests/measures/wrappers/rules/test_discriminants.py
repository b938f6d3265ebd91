"""Linear discriminant analysis gives what cross_val_score gives."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest import SubsetSelector
from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.measures._wrappers.line import fast_scorer
from tests.measures.wrappers.rules.test_linear import difficult, mixed, with_dummies
from tests.measures.wrappers.test_responses import check, masks_of

LINEAR = [
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(solver="lsqr"),
    make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()),
]


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss", "neg_brier_score"])
@pytest.mark.parametrize("estimator", LINEAR)
def test_two_classes(estimator, scoring):
    X, y = load_breast_cancer(return_X_y=True)
    check(estimator, X, y, masks_of(30, m=3), scoring, cv=3, rtol=1e-7)


@pytest.mark.parametrize("estimator", LINEAR)
def test_constant_columns_of_a_real_table(dataset, estimator):
    table = as_table(dataset("ionosphere").X, dataset("ionosphere").y)
    X = np.ascontiguousarray(table.values)
    masks = masks_of(X.shape[1], m=4)
    masks[:, 1] = True
    check(estimator, X, table.target, masks, None, cv=3)


@pytest.mark.parametrize("estimator", LINEAR)
def test_columns_nearly_dependent_in_a_real_table(dataset, estimator):
    data = dataset("image-segmentation")
    X = np.ascontiguousarray(as_table(data.X, data.y).values)
    masks = np.vstack([masks_of(X.shape[1], m=3, seed=2), np.ones((1, X.shape[1]), dtype=bool)])
    check(estimator, X, np.asarray(data.y), masks, None, cv=3)


@pytest.mark.parametrize("estimator", LINEAR)
@pytest.mark.parametrize("classes", [2, 4])
def test_collinear_and_constant_columns(estimator, classes):
    X, score = difficult()
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    X[:, 7] = y == 1  # constant within every class
    masks = np.vstack([masks_of(10, m=10, seed=4), np.eye(10, dtype=bool)[[0, 3, 5]]])
    check(estimator, X, y, masks, None, cv=3)
    check(estimator, X, y, masks[:4], "neg_log_loss", cv=3, rtol=1e-5)


@pytest.mark.parametrize("estimator", LINEAR)
@pytest.mark.parametrize("scoring", [None, "f1_macro", "roc_auc_ovr", "neg_log_loss"])
def test_several_classes(estimator, scoring):
    X, y = load_iris(return_X_y=True)
    check(estimator, X, y, masks_of(4), scoring, cv=5, rtol=1e-8)


def test_a_class_that_training_lacks():
    X, y = load_iris(return_X_y=True)
    order = np.argsort(y, kind="stable")
    for estimator in LINEAR[:2]:
        check(estimator, X[order], y[order], masks_of(4, m=3), "f1_macro", cv=KFold(4))


def test_what_it_cannot_promise_goes_to_the_estimator():
    X, y = load_iris(return_X_y=True)
    for estimator in (
        LinearDiscriminantAnalysis(solver="eigen"),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        LinearDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]),
    ):
        check(estimator, X, y, masks_of(4, m=2), None, fast=False)


@pytest.mark.parametrize("estimator", LINEAR)
@pytest.mark.parametrize("ratio", [1e-9, 1e-12, 1e-13, 1e-14])
def test_spreads_that_are_little_next_to_the_mean(estimator, ratio):
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, 1.0 + ratio * X])
    check(estimator, X, y, masks_of(8, m=12), None, cv=5)


def test_single_precision():
    X, y = load_iris(return_X_y=True)
    for estimator in LINEAR:
        check(estimator, X.astype(np.float32), y, masks_of(4), None, cv=5)


def test_errors_in_single_precision_are_those_of_each_row():
    """Those of the farthest row would leave twice as many folds to the referee."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 14)).astype(np.float32)
    y = (X[:, :4].sum(axis=1) + rng.normal(size=400) > 0.0).astype(int)
    masks = rng.random((100, 14)) < 0.5
    splits = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    scorer = fast_scorer(LinearDiscriminantAnalysis(), as_table(X, y), splits)
    assert scorer.doubted(masks) < 0.007


def test_a_constant_column_does_not_end_a_search():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, np.full(len(X), 2.5), np.full(len(X), 0.1)])
    line = CrossValidated(LINEAR[0], cv=3).bind(as_table(X, y)).scorers[0]
    masks = np.eye(6, dtype=bool)
    for fold in range(3):
        _, unsure = line.rule.judge(fold, masks, line.metric, line.truths[fold])
        assert unsure[4:].all()
        assert not unsure[:4].any()
    selected = SubsetSelector(LINEAR[0], search="sfs", cv=3).fit(X, y)
    assert not selected.support_[4:].any()


def test_labels_are_blocks_of_dummies():
    X, y = with_dummies()
    y = np.digitize(y, np.quantile(y, [0.4, 0.7]))
    estimator = mixed(LINEAR[0], sparse_output=False)
    scorer = CrossValidated(estimator, cv=5).bind(as_table(X, y))
    masks = np.array([[bool(i >> j & 1) for j in range(4)] for i in range(1, 16)])
    found = scorer.score(masks).folds
    assert scorer.scorers[0].doubted(masks) < 0.1
    for mask, folds in zip(masks, found, strict=True):
        expected = cross_val_score(estimator, X.loc[:, mask], y, cv=list(scorer.splits))
        assert_array_equal(folds, expected)


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 0.8, 1.0])
@pytest.mark.parametrize(
    "model", [LINEAR[0], QuadraticDiscriminantAnalysis(reg_param=0.1), GaussianNB()]
)
def test_dummies_are_refused_only_where_they_stay_sparse(model, threshold):
    X, y = with_dummies()
    y = np.digitize(y, np.quantile(y, [0.4, 0.7]))
    estimator = mixed(model)
    estimator[0].sparse_threshold = threshold
    line = CrossValidated(estimator, cv=5).bind(as_table(X, y)).scorers[0]
    masks = np.array([[bool(i >> j & 1) for j in range(4)] for i in range(1, 16)])
    train = line.rule.source.splits[0][0]
    for mask in masks:
        sparse = issparse(clone(estimator[0]).fit_transform(X.loc[:, mask].iloc[train]))
        doubted = line.rule.judge(0, mask[None], line.metric, line.truths[0])[1][0]
        assert line.rule.source.columns(0).stay_sparse(mask[None])[0] == sparse
        assert doubted == sparse
        counted = line.rule.count(mask[None])
        assert counted is None or (counted.doubtful[0, 0] > 0) == sparse
    slow = CrossValidated(estimator, cv=5, fast=False).bind(as_table(X, y))
    dense = masks[~line.rule.source.columns(0).stay_sparse(masks)]
    assert_array_equal(line.score(dense[:4]).folds, slow.score(dense[:4]).folds)


def test_the_rounded_mean_of_a_constant_in_float32_is_left_to_the_estimator():
    # Divided by its rounding error, the one value that differs decides about its row.
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, np.full(len(X), 0.9013015)]).astype(np.float32)
    y = (y == 2).astype(int)
    X[3, 4] = 239.61032
    estimator = make_pipeline(StandardScaler(with_mean=False), LinearDiscriminantAnalysis())
    splits = [(np.flatnonzero(np.arange(150) % 50 != k), np.arange(k, 150, 50)) for k in (3, 4)]
    scorer = CrossValidated(estimator, cv=splits).bind(as_table(X, y))
    masks = np.array([[1, 1, 0, 0, 1], [1, 1, 1, 1, 1], [0, 0, 1, 0, 1]], dtype=bool)
    for mask, found in zip(masks, scorer.score(masks).folds, strict=True):
        assert_array_equal(found, cross_val_score(estimator, X[:, mask], y, cv=splits))
    assert scorer.scorers[0].doubted(masks) > 0.0
