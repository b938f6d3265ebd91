"""The twins of naive Bayes give exactly what cross_val_score gives, whatever the batch."""

from __future__ import annotations

import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB

from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.testing import nominal_table, parametrize_with_measure_checks, toy_table
from tests.naive.naive_bayes import fold_accuracies


def _masks(d, m=8, seed=0):
    rng = np.random.default_rng(seed)
    masks = rng.random((m, d)) < rng.random((m, 1))
    masks[:d, :] |= np.eye(d, dtype=bool)[: len(masks)]
    return masks[masks.any(axis=1)]


def _check(estimator, X, y, masks, cv=5, fast=True):
    """The twin's fold scores are bit for bit those of cross_val_score."""
    table = as_table(X, y)
    scorer = CrossValidated(estimator, cv=cv).bind(table)
    assert scorer.fast is fast
    scores = scorer.score(masks)
    sliced = X.loc if hasattr(X, "loc") else X
    for mask, folds in zip(masks, scores.folds, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = cross_val_score(estimator, sliced[:, mask], y, cv=cv)
        assert_array_equal(folds, expected)
    return scores


def _numbers(seed, n=120, d=6, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-4, 4, d) + y[:, None] * rng.random(d)
    X[:, 2] = np.round(X[:, 2])
    X[y == 0, 3] = 1.0
    return X, y


@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize(
    "estimator",
    [
        GaussianNB(),
        GaussianNB(var_smoothing=1e-2),
        GaussianNB(var_smoothing=0.0),
    ],
)
def test_gaussian(estimator, classes):
    X, y = _numbers(classes, classes=classes)
    _check(estimator, X, y, _masks(6, seed=classes), cv=3)


def test_gaussian_layouts_and_types():
    pandas = pytest.importorskip("pandas")
    X, y = _numbers(1)
    whole = np.round(X).astype(np.int64)
    masks = _masks(6, m=6)
    _check(GaussianNB(), np.asfortranarray(X), y, masks)
    _check(GaussianNB(), whole, np.array(["c", "a", "b"])[y], masks)
    _check(GaussianNB(), pandas.DataFrame(X, columns=list("abcdef")), y, masks)
    mixed = pandas.DataFrame({"a": whole[:, 0], "b": X[:, 1] > 0, "c": X[:, 2], "d": X[:, 5]})
    _check(GaussianNB(), mixed, y, _masks(4, m=6))
    _check(GaussianNB(), X.astype(np.float32), y, masks, fast=False)


def test_gaussian_priors_and_splitters():
    X, y = _numbers(2, classes=2)
    masks = _masks(6, m=6)
    _check(GaussianNB(priors=[0.3, 0.7]), X, y, masks)
    for cv in (KFold(4), ShuffleSplit(3, random_state=0)):
        _check(GaussianNB(), X, y, masks[:4], cv=cv)
    _check(GaussianNB(), X[:40], y[:40], masks[:1], cv=LeaveOneOut())
    # A training part with one class only: GaussianNB is asked itself.
    order = np.argsort(y)
    _check(GaussianNB(), X[order], y[order], masks[:4], cv=KFold(2), fast=False)


@pytest.mark.filterwarnings("ignore:Class 1 has 1 row", "ignore:The least populated")
@pytest.mark.parametrize(
    "estimator", [GaussianNB(), CategoricalNB(min_categories=9), BernoulliNB(), NaiveBayes()]
)
def test_classes_that_a_training_part_never_shows(estimator):
    """They are never predicted, and their test rows are always wrong."""
    X, y = _levels(5, classes=4)
    y = np.where(y == 1, np.where(np.arange(len(y)) == 7, 1, 5), y)  # one row of class 1
    masks = _masks(6, m=6)
    _check(estimator, X, y, masks, cv=5)
    _check(estimator, X[np.argsort(y)], np.sort(y), masks, cv=KFold(4))


def test_gaussian_ties_are_decided_as_scikit_learn_does():
    """Symmetric classes: every margin at zero is exactly zero, up to rounding."""
    rng = np.random.default_rng(0)
    half = rng.normal(size=(40, 4)).round(1)
    X = np.vstack([half, -half])
    X = np.vstack([X, np.zeros((20, 4))])
    y = np.array([0] * 40 + [1] * 40 + [0, 1] * 10)
    _check(GaussianNB(), X, y, _masks(4, m=8))
    _check(NaiveBayes(), X, y, _masks(4, m=8))


def test_gaussian_constant_columns():
    X, y = _numbers(3)
    X[:, 0] = 0.1
    X[:, 1] = 7.0
    masks = np.array([[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0]], bool)
    _check(GaussianNB(), X, y, masks)


def _levels(seed, n=150, d=6, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.integers(0, np.arange(2, d + 2), (n, d))
    return np.where(rng.random((n, d)) < 0.4, (y[:, None] + X) % np.arange(2, d + 2), X), y


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(
    "estimator",
    [
        CategoricalNB(),
        CategoricalNB(alpha=0.3),
        CategoricalNB(min_categories=9, alpha=0.1),
        CategoricalNB(fit_prior=False),
        BernoulliNB(),
        BernoulliNB(alpha=0.2, binarize=1.5),
        BernoulliNB(fit_prior=False),
    ],
)
def test_discrete(estimator, classes):
    X, y = _levels(classes, classes=classes)
    _check(estimator, X, y, _masks(6, seed=classes), cv=3)


def test_discrete_types_and_parameters():
    X, y = _levels(0, classes=2)
    masks = _masks(6, m=4)
    _check(CategoricalNB(class_prior=[0.2, 0.8]), X + 0.5, y, masks)
    _check(BernoulliNB(class_prior=[0.2, 0.8]), X > 1, y, masks)
    _check(BernoulliNB(binarize=None), (X > 1).astype(float), y, masks)
    _check(BernoulliNB(binarize=None), X, y, masks, fast=False)
    _check(CategoricalNB(alpha=1e-9), X, y, masks, fast=False)


def test_small_tables_are_full_of_ties():
    for seed in range(6):
        X, y = _levels(seed, n=16, d=4, classes=2)
        folds = list(StratifiedKFold(2).split(X, y))
        for estimator in (CategoricalNB(min_categories=5), BernoulliNB()):
            _check(estimator, X, y, _masks(4, m=8), cv=folds)


def test_a_category_new_to_a_fold_has_no_score():
    X, y = _levels(0)
    X[7, 3] = 11
    scores = _check(CategoricalNB(), X, y, _masks(6))
    assert np.isnan(scores.value).any()
    assert not np.isnan(scores.value).all()
    scores = _check(CategoricalNB(min_categories=12), X, y, _masks(6))
    assert not np.isnan(scores.value).any()


def _mixed(seed, n=90):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    frame = pandas.DataFrame(
        {
            "a": rng.normal(y),
            "b": pandas.Categorical(rng.choice(list("uvw"), n), categories=list("tuvw")),
            "c": np.where(rng.random(n) < 0.6, np.array(["x", "y", "z"])[y], "other"),
            "d": rng.random(n) < 0.3 + 0.2 * y,
            "e": rng.normal(size=n).round(1),
            "f": np.full(n, 0.1),
        }
    )
    frame.loc[rng.random(n) < 0.2, ["a", "c"]] = None
    frame.loc[3, "c"] = "seldom"
    frame.loc[y == 1, "e"] = 0.3
    return frame, y


@pytest.mark.parametrize("seed", range(2))
def test_mixed_tables(seed):
    frame, y = _mixed(seed)
    scores = _check(NaiveBayes(), frame, y, _masks(6, seed=seed))
    slow = CrossValidated(NaiveBayes(), cv=5, fast=False).bind(as_table(frame, y))
    assert not slow.fast
    assert_array_equal(slow.score(_masks(6, seed=seed)).folds, scores.folds)
    _check(NaiveBayes(alpha=0.5, variance_floor=0.01), frame, y, _masks(6, m=3, seed=seed))


def test_mixed_tables_against_the_slow_twin():
    frame, y = _mixed(9, n=40)
    rows = frame.astype(object).where(frame.notna(), None)
    for name in ("b", "d"):
        rows[name] = [str(v) for v in rows[name]]
    rows = rows.values.tolist()
    folds = list(StratifiedKFold(3).split(rows, y))
    scorer = CrossValidated(NaiveBayes(), cv=folds).bind(as_table(frame, y))
    masks = _masks(6, m=6)
    for mask, got in zip(masks, scorer.score(masks).folds, strict=True):
        columns = np.flatnonzero(mask)
        assert_allclose(got, fold_accuracies(rows, y, folds, columns, floor=0.1))


@pytest.mark.parametrize(
    "name", ["ionosphere", "image-segmentation", "chess-kr-vs-kp", "horse-colic"]
)
def test_real_tables(dataset, name):
    data = dataset(name)
    masks = _masks(data.X.shape[1], m=2, seed=5)
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    _check(NaiveBayes(), data.X, data.y, masks, cv=folds)
    table = as_table(data.X, data.y)
    if not table.missing.any():
        X = np.ascontiguousarray(table.values)
        estimator = CategoricalNB() if table.nominal.all() else GaussianNB()
        _check(estimator, X, data.y, masks, cv=folds)
        _check(BernoulliNB(), X, data.y, masks, cv=folds)


@pytest.mark.parametrize(
    ("estimator", "make"),
    [(GaussianNB(), _numbers), (CategoricalNB(), _levels), (BernoulliNB(), _levels)],
)
def test_scores_do_not_depend_on_the_batch(estimator, make):
    X, y = make(0)
    masks = _masks(6, m=64)
    scorer = CrossValidated(estimator, cv=4).bind(as_table(X, y))
    together = scorer.score(masks).folds
    for size in (1, 5, 63):
        parts = [scorer.score(masks[i : i + size]).folds for i in range(0, len(masks), size)]
        assert_array_equal(np.concatenate(parts), together)
    assert_array_equal(pickle.loads(pickle.dumps(scorer)).score(masks).folds, together)


@parametrize_with_measure_checks(
    [
        (CrossValidated(GaussianNB(), cv=4), toy_table(n_classes=3)),
        (CrossValidated(NaiveBayes(), cv=4), nominal_table()),
    ]
)
def test_conformance(measure, table, check):
    check(measure, table)


def test_memory_does_not_grow_with_the_candidates():
    X, y = _numbers(0, n=400, d=20)
    scorer = CrossValidated(GaussianNB(), cv=5).bind(as_table(X, y))
    masks = _masks(20, m=40_000)
    peaks = []
    for m in (1_000, 20_000):
        scorer.score(masks[:m])
        tracemalloc.start()
        scorer.score(masks[:m])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # What grows is the answer and the list of selected columns, not rows times candidates.
    assert peaks[1] - peaks[0] < 20_000 * (20 * 16 + 10 * 8 + 64)


def test_doubts_about_other_features_are_settled_without_the_estimator(monkeypatch):
    """A column that is constant within a class makes large numbers, but only where it is in."""
    rng = np.random.default_rng(0)
    half = rng.normal(1.0, 0.3, 20)
    x = np.concatenate([-half, half, [-1e-7, 1e-7]])
    constant = np.concatenate([np.ones(20), rng.integers(0, 2, 20), [0, 0]])
    X, y = np.column_stack([constant, x]), np.repeat([0, 1, 0, 1], [20, 20, 1, 1])
    cv = [(np.arange(40), np.array([40, 41]))]
    scorer = CrossValidated(GaussianNB(), cv=cv).bind(as_table(X, y))
    twin = scorer.scorers[0]
    looked, asked = [], []
    monkeypatch.setattr(twin, "referee", _listening(twin.referee, looked))
    monkeypatch.setattr(twin.slow, "folds_of", _listening(twin.slow.folds_of, asked))
    masks = np.array([[False, True], [True, True]])
    folds = scorer.score(masks).folds
    for mask, found in zip(masks, folds, strict=True):
        assert found.tolist() == cross_val_score(GaussianNB(), X[:, mask], y, cv=cv).tolist()
    assert any(not candidate.all() for candidate, _ in looked), "nothing to look at twice"
    assert all(candidate.all() for candidate, _ in asked)


def _listening(function, heard):
    def listening(*args):
        heard.append(args)
        return function(*args)

    return listening
