"""Nearest neighbours have the fold scores of cross_val_score where no two rows are equally near."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

from fewest.classifiers import IB1, NearestNeighbor
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._models_by_name import named_estimator
from fewest.measures._wrappers.line import LineScorer
from fewest.measures._wrappers.paths import find_path
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.testing import mixed_table, toy_table
from tests.naive.neighbours import naive_mean, naive_shares

CLASSES = ["accuracy", "f1_macro", "balanced_accuracy", "roc_auc_ovr", "neg_log_loss"]
NUMBERS = ["r2", "neg_mean_absolute_error", "neg_root_mean_squared_error"]


def numbers(n=120, d=6, classes=3, seed=0):
    """Rows without ties, on different scales and away from zero."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3, d) + y[:, None] + 5.0
    return X, y


def subsets(d, m=8, seed=0):
    rng = np.random.default_rng(seed)
    masks = rng.random((m, d)) < rng.random((m, 1))
    masks[:, 0] |= ~masks.any(axis=1)
    return masks


def taken(X, mask):
    return X.loc[:, mask] if hasattr(X, "loc") else X[:, np.flatnonzero(mask)]


def compare(model, X, y, masks, cv=4, scoring=None, doubted=0.0):
    """The line has the fold scores of cross_val_score; at most a share of folds is trained."""
    scorer = CrossValidated(model, cv=cv, scoring=scoring).bind(as_table(X, y))
    line = scorer.scorers[0]
    assert isinstance(line, LineScorer)
    folds = scorer.score(masks).folds
    for mask, own in zip(masks, folds, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = cross_val_score(model, taken(X, mask), y, cv=cv, scoring=scoring)
        assert_allclose(own, expected, rtol=1e-9, atol=1e-12)
    assert line.doubted(masks) <= doubted
    return line


@pytest.mark.parametrize("k", [1, 5, 20])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize(
    "given",
    [{}, {"p": 1}, {"metric": "manhattan"}, {"algorithm": "brute"}, {"p": 3}, {"p": 1.5},
     {"metric": "l2", "algorithm": "ball_tree"}, {"p": 1, "algorithm": "brute"}],
    ids=str,
)  # fmt: skip
def test_classifiers(k, weights, given):
    X, y = numbers()
    model = KNeighborsClassifier(k, weights=weights, **given)
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    # The inverse of a small difference of two products has few digits left.
    doubted = 0.5 if given == {"algorithm": "brute"} and weights == "distance" else 0.0
    compare(model, X, y, subsets(6, 5), cv, doubted=doubted)


@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("given", [{}, {"p": 1}, {"algorithm": "brute"}], ids=str)
@pytest.mark.parametrize("scoring", NUMBERS)
def test_regressors(k, weights, given, scoring):
    X, _ = numbers()
    y = X[:, 0] + np.sin(X[:, 1])
    model = KNeighborsRegressor(k, weights=weights, **given)
    # The inverse of a small difference of two products has few digits left.
    doubted = 0.5 if given.get("algorithm") == "brute" and weights == "distance" else 0.0
    cv = KFold(4, shuffle=True, random_state=0)
    compare(model, X, y, subsets(6), cv, scoring, doubted)


@pytest.mark.parametrize("scoring", CLASSES)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("before", [StandardScaler(), MinMaxScaler(), None], ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_any_metric_after_scalers(scoring, weights, before, classes):
    X, y = numbers(classes=classes)
    model = KNeighborsClassifier(4, weights=weights)
    model = model if before is None else make_pipeline(before, model)
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    compare(model, X, y, subsets(6, 5), cv, scoring)


@pytest.mark.parametrize("scoring", [None, "roc_auc_ovr", "neg_log_loss", "f1_macro"])
def test_the_models_behind_names_are_fast(scoring):
    X, y = numbers()
    for name in ("k-nn", "k-nn(n_neighbors=3, weights='distance')"):
        compare(named_estimator(name), X, y, subsets(6), scoring=scoring)


def test_columns_of_blocks_and_columns_that_only_the_estimator_can_judge():
    X, y = numbers(90, 3)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["colour"] = rng.choice(["red", "green", "blue"], 90)
    frame.loc[::9, "b"] = np.nan
    model = make_pipeline(
        ColumnTransformer(
            [
                ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b", "c"]),
                ("labels", OneHotEncoder(handle_unknown="ignore"), ["colour"]),
            ]
        ),
        KNeighborsClassifier(3),
    )
    masks = np.array([[1, 1, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0], [0, 0, 1, 0]], bool)
    scorer = CrossValidated(model, cv=4).bind(as_table(frame, y))
    slow = CrossValidated(model, cv=4, fast=False).bind(as_table(frame, y))
    assert_allclose(scorer.score(masks).folds, slow.score(masks).folds)
    assert scorer.scorers[0].doubted(masks) == 0.0


def test_a_column_that_numbers_cannot_express_costs_only_the_candidates_that_hold_it():
    X, y = numbers(80, 4)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(name="x")
    scorer = CrossValidated(KNeighborsClassifier(3), cv=4).bind(as_table(frame, y))
    masks = np.array([[1, 1, 0, 0, 0], [0, 1, 1, 1, 0]], bool)
    for mask, folds in zip(masks, scorer.score(masks).folds, strict=True):
        assert_allclose(folds, cross_val_score(KNeighborsClassifier(3), X[:, mask[:4]], y, cv=4))
    assert scorer.scorers[0].doubted(masks) == 0.0
    assert scorer.scorers[0].doubted(np.ones((1, 5), bool)) == 1.0


@pytest.mark.parametrize("d", [8, 24])
@pytest.mark.parametrize("before", [StandardScaler(), None], ids=str)
@pytest.mark.parametrize("p", [1, 2])
def test_single_precision(d, before, p):
    X, y = numbers(100, d)
    model = KNeighborsClassifier(3, p=p)
    model = model if before is None else make_pipeline(before, model)
    compare(model, X.astype(np.float32), y, subsets(d), doubted=0.2)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("algorithm", ["auto", "brute", "kd_tree"])
@pytest.mark.parametrize("scale", [1e-290, 1e-100, 1e20, 1e40, 1e140, 1e200])
def test_scales_beyond_single_precision(scale, p, algorithm):
    # Squares of differences pass the largest float32, and those of 1e200 the largest float64.
    X, y = numbers(60, 4)
    X = X * np.array([scale, 1.0, scale, 1e-3])
    model = KNeighborsClassifier(3, p=p, algorithm=algorithm)
    compare(model, X, y, subsets(4, 6), doubted=1.0)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("scale", [1e-100, 1e20, 1e40])
def test_such_scales_need_no_training(scale, p):
    X, y = numbers(60, 4)
    compare(KNeighborsClassifier(3, p=p), X * scale, y, subsets(4, 6))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_wide_rows_far_from_zero_are_in_doubt_where_products_cancel(weights):
    rng = np.random.default_rng(0)
    X, y = 1e7 + rng.normal(size=(60, 20)), rng.integers(0, 2, 60)
    compare(KNeighborsClassifier(3, weights=weights), X, y, np.ones((1, 20), bool), doubted=1.0)


def test_sparse_tables():
    X, y = numbers(80, 20)
    given = sparse.csr_matrix(X)
    masks = subsets(20, 6)
    model = KNeighborsClassifier(3)
    scorer = CrossValidated(model, cv=4).bind(as_table(given, y))
    slow = CrossValidated(model, cv=4, fast=False).bind(as_table(given, y))
    assert isinstance(scorer.scorers[0], LineScorer)
    assert_allclose(scorer.score(masks).folds, slow.score(masks).folds)


@pytest.mark.parametrize(
    "cv",
    [
        LeaveOneOut(),
        ShuffleSplit(4, test_size=0.3, random_state=0),
        [(np.array([5, 3, 3, 40, 8, 9, 41, 50, 2]), np.array([0, 1, 5, 59]))],
        [(np.arange(30)[::-1], np.arange(30, 60)), (np.arange(10, 60), np.arange(20))],
    ],
    ids=str,
)
def test_any_splits(cv):
    X, y = numbers(60, 4)
    compare(KNeighborsClassifier(3), X, y, subsets(4), cv)


def test_groups_and_weights_of_rows():
    X, y = numbers(80, 4, 2)
    groups, weight = np.arange(80) % 7, np.linspace(0.1, 3.0, 80)
    cv, masks = list(GroupKFold(4).split(X, y, groups)), subsets(4)
    table = as_table(X, y, metadata={"groups": groups, "sample_weight": weight})
    with config_context(enable_metadata_routing=True):
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        line = CrossValidated(KNeighborsClassifier(3), cv=cv, scoring=scorer).bind(table)
        assert isinstance(line.scorers[0], LineScorer)
        for mask, folds in zip(masks, line.score(masks).folds, strict=True):
            expected = cross_val_score(
                KNeighborsClassifier(3), X[:, mask], y, cv=cv, scoring=scorer,
                params={"sample_weight": weight},
            )  # fmt: skip
            assert_allclose(folds, expected)


def test_strange_labels_and_classes_that_a_fold_lacks():
    X, y = numbers(60, 4)
    labels = np.array(["", "Ω", "rare"], dtype=object)[np.minimum(y, 1)]
    labels[:3] = "rare"
    cv = [(np.arange(3, 60), np.arange(20)), (np.arange(30), np.arange(30, 60))]
    compare(KNeighborsClassifier(3), X, labels, subsets(4), cv, doubted=0.5)
    one = [(np.flatnonzero(y == 1), np.arange(20))]
    compare(KNeighborsClassifier(3), X, y, subsets(4), one)


def test_fewer_training_rows_than_neighbours():
    X, y = numbers(30, 3)
    cv = [(np.arange(4), np.arange(20, 30)), (np.arange(20), np.arange(20, 30))]
    scorer = CrossValidated(KNeighborsClassifier(5), cv=cv).bind(as_table(X, y))
    assert_array_equal(np.isnan(scorer.score(np.ones((1, 3), bool)).folds), [[True, False]])


@pytest.mark.parametrize("k", [1, 3, 4])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("d", [5, 20])
def test_equally_near_rows_count_in_their_order(k, weights, power, d, monkeypatch):
    rng = np.random.default_rng(k)
    X, y = rng.integers(0, 3, (90, d)).astype(float), rng.integers(0, 3, 90)
    cv = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    masks = subsets(d, 4)
    monkeypatch.delattr(WrappedScorer, "fold")
    model = KNeighborsClassifier(k, weights=weights, p=power)
    line = CrossValidated(model, cv=cv, scoring="neg_log_loss").bind(as_table(X, y)).scorers[0]
    number = CrossValidated(KNeighborsRegressor(k, weights=weights, p=power), cv=cv).bind(
        as_table(X, y + 0.5)
    )
    by_distance = weights == "distance"
    for fold, (train, test) in enumerate(cv):
        shares = line.rule.respond(fold, masks)[0].shares
        means = number.scorers[0].rule.respond(fold, masks)[0].values
        for s, mask in enumerate(masks):
            rows = X[train][:, mask].tolist()
            for q in range(0, len(test), 5):
                query = X[test[q], mask].tolist()
                given = (query, k, power, by_distance)
                assert_allclose(shares[s, :, q], naive_shares(rows, y[train], 3, *given))
                assert_allclose(means[s, 0, q], naive_mean(rows, y[train] + 0.5, *given))
    assert line.doubted(masks) == 0.0


def test_the_empty_subset_is_the_mean():
    X, _ = numbers(40, 3)
    scorer = CrossValidated(KNeighborsRegressor(2), cv=4).bind(as_table(X, X[:, 0]))
    slow = CrossValidated(KNeighborsRegressor(2), cv=4, fast=False).bind(as_table(X, X[:, 0]))
    nothing = np.zeros((1, 3), dtype=bool)
    assert_allclose(scorer.score(nothing).folds, slow.score(nothing).folds)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (KNeighborsClassifier(3, weights=lambda d: d), "weights="),
        (KNeighborsClassifier(3, metric="chebyshev"), "metric='chebyshev'"),
        (KNeighborsClassifier(3, p=np.inf), "p=inf"),
        (KNeighborsClassifier(3, metric_params={"w": [1, 2, 3, 4]}), "metric_params"),
        (KNeighborsClassifier(500), "n_neighbors=500"),
        (NearestNeighbor(weights=[1.0, 2.0, 3.0, 4.0]), "weights of the features"),
        (NearestNeighbor(prototypes="edited"), "prototypes='edited'"),
    ],
)
def test_others_are_trained(model, words):
    path = find_path(model, toy_table(60, 4))
    assert not path.fast
    assert words in path.why


def test_more_rows_than_pay():
    X = np.arange(60_000.0)[:, None]
    path = find_path(KNeighborsRegressor(3), as_table(X, X[:, 0]))
    assert not path.fast
    assert "50,000 rows" in path.why


@pytest.mark.parametrize("model", [NearestNeighbor(k=1), NearestNeighbor(k=4), IB1()], ids=str)
@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss"])
def test_tables_as_they_are(model, scoring):
    table = mixed_table()
    masks = subsets(table.n_features)
    scorer = CrossValidated(model, cv=4, scoring=scoring).bind(table)
    assert isinstance(scorer.scorers[0], LineScorer)
    assert scorer.scorers[0].doubted(masks) == 0.0
    slow = CrossValidated(model, cv=4, scoring=scoring, fast=False).bind(table)
    assert_allclose(scorer.score(masks).folds, slow.score(masks).folds, rtol=1e-12)


def test_a_rule_pickles():
    X, y = numbers()
    line = CrossValidated(named_estimator("k-nn"), cv=4).bind(as_table(X, y)).scorers[0]
    masks = subsets(6)
    again = pickle.loads(pickle.dumps(line))
    assert_array_equal(again.score(masks).folds, line.score(masks).folds)


def test_the_audit_does_not_compare_folds_that_ties_decide():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (80, 3)).astype(float), rng.integers(0, 2, 80)
    masks = np.ones((1, 3), bool)
    audit = CrossValidated(KNeighborsClassifier(3), cv=4).bind(as_table(X, y)).audit(masks)
    assert audit.agrees
    assert audit.to_dict()["folds_with_ties"] == 4
    X, y = numbers(80, 3)
    audit = CrossValidated(KNeighborsClassifier(3), cv=4).bind(as_table(X, y)).audit(masks)
    assert audit.agrees
    assert audit.to_dict()["folds_with_ties"] == 0


@pytest.mark.parametrize("fast", [True, False])
def test_sparse_dummies_are_refused_with_other_powers(fast):
    X = pd.DataFrame({"a": list("xyzxy") * 6, "b": np.arange(30) % 7})
    y, encoder = np.arange(30) % 2, OneHotEncoder(handle_unknown="ignore")
    both = ColumnTransformer([("a", encoder, ["a"])], remainder="passthrough", sparse_threshold=1.0)
    for p, refused in ((1, False), (2, False), (3, True)):
        model = make_pipeline(clone(both), KNeighborsClassifier(p=p))
        scorer = CrossValidated(model, cv=3, fast=fast).bind(as_table(X, y))
        folds = scorer.score(np.ones((1, 2), dtype=bool)).folds
        assert np.isnan(folds).all() if refused else np.isfinite(folds).all()


@pytest.mark.parametrize(("seed", "shuffle"), [(13, 2), (24, 0), (40, 2), (64, 1)])
def test_nearly_all_of_the_votes_are_not_all_of_them(seed, shuffle):
    """A row at 1e-17 has so many votes that its share is rounded to 1: the hunt found it."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 90)
    y[60:] = 1
    small = rng.normal(size=90) * 1e-17
    wide = rng.permuted(np.arange(90) // 2) ** 1.01 * 0.3
    wide[60:] = 1000 + np.arange(30) ** 1.01
    cv = StratifiedKFold(3, shuffle=True, random_state=shuffle)
    model, every = KNeighborsClassifier(weights="distance"), np.ones((1, 2), dtype=bool)
    compare(model, np.stack([small, wide], axis=1), y, every, cv, "average_precision", 1.0)
