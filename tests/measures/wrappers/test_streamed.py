"""Margins made block by block give the scores of margins that are kept, and of the estimators."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.kernels.bayes.class_statistics import class_moments
from fewest.measures.steps import Steps
from fewest.measures.wrappers import streamed
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.measures.wrappers.streamed import StreamedScorer, extremes, fold_sums, rounding
from tests.measures.wrappers.cases import check_twin, some_masks

N = 20_000


def _rows(dtype=np.float64, n=N, classes=3):
    rng = np.random.default_rng(1)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, 5)) + 0.5 * y[:, None] * np.arange(5)
    return np.round(X, 2).astype(dtype), y


@pytest.mark.parametrize("estimator", [NaiveBayes(), GaussianNB()])
@pytest.mark.parametrize("order", ["C", "F"])
def test_blocks_are_made_anew_or_kept(estimator, order, monkeypatch):
    X, y = _rows()
    X = np.asarray(X, order=order)
    masks = some_masks(5, m=20)
    base = np.array([True, True, False, False, True])
    steps = Steps(base, np.arange(5), (~base).astype(np.int64))
    found = []
    for kept in (0, 2**30):
        monkeypatch.setattr(streamed, "KEPT", kept)
        scorer = CrossValidated(estimator, cv=2).bind(as_table(X, y)).scorers[0]
        assert isinstance(scorer, StreamedScorer)
        assert (scorer.kept is None) == (kept == 0)
        found.append((scorer.score(masks).folds, scorer.score_steps(steps).folds))
    for streaming, keeping in zip(*found, strict=True):
        assert_array_equal(streaming, keeping)
    check_twin(estimator, X, y, masks[:3], cv=StratifiedKFold(2, shuffle=True, random_state=0))


def test_ties_are_settled_in_their_block(monkeypatch):
    """Two classes with the same rows: every row is a tie, which the first class wins."""
    rng = np.random.default_rng(0)
    half = rng.normal(size=(200, 3))
    X, y = np.repeat(half, 2, axis=0), np.tile([0, 1], 200)
    fold = np.repeat(np.arange(200) % 4, 2)
    cv = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(4)]
    scorer = CrossValidated(NaiveBayes(), cv=cv).bind(as_table(X, y))
    twin, asked = scorer.scorers[0], []
    settle = twin.settle
    monkeypatch.setattr(twin, "settle", lambda *args: asked.append(args) or settle(*args))
    masks = some_masks(3, m=4)
    slow = CrossValidated(NaiveBayes(), cv=cv, fast=False).bind(as_table(X, y))
    assert_array_equal(scorer.score(masks).folds, slow.score(masks).folds)
    assert asked, "no doubt to settle"


def test_sums_of_the_other_folds_are_those_of_the_training_rows():
    X, y = _rows()
    table = as_table(X, y)
    folds = list(StratifiedKFold(3).split(X, y))
    for splits in (folds, folds[:2]):
        sums = fold_sums(table, splits)
        for number, (train, _) in enumerate(splits):
            exact = class_moments(X[train], y[train], np.ones(len(train)), 3)
            low, high = extremes(table)
            rough, shift = rounding(N, np.maximum(-low, high), exact[2][:-1])
            _, _, (count, mean, variance) = sums.training(number)
            assert_array_equal(count, exact[0])
            assert (np.abs(mean - exact[1]) <= shift).all()
            assert (np.abs(variance - exact[2]) <= rough * exact[2]).all()
    assert fold_sums(table, [folds[0], folds[0]]) is None


def test_extremes_leave_unknown_values_out():
    X, y = _rows(np.float32)
    X[:10, 0], X[:, 1] = np.nan, np.nan
    low, high = extremes(as_table(X, y))
    assert_array_equal(low[[0, 2]], np.nanmin(X[:, [0, 2]], axis=0))
    assert_array_equal(high[[0, 2]], np.nanmax(X[:, [0, 2]], axis=0))


@pytest.mark.parametrize("centre", [0.0, 1e6, 1e13])
def test_columns_far_from_zero(centre):
    """Where means and variances lose digits, the estimator's own sums are used from the start."""
    X, y = _rows(n=300)
    X = X + centre
    X[:, 4] = centre
    scores = check_twin(NaiveBayes(), X, y, some_masks(5, m=6), cv=3, fast=True)
    assert_allclose(scores.value, scores.folds.mean(axis=1))


def test_float32_scores_as_the_estimator_does():
    X, y = _rows(np.float32)
    folds = StratifiedKFold(2, shuffle=True, random_state=3)
    masks = some_masks(5, m=6)
    scores = check_twin(NaiveBayes(), X, y, masks, cv=folds)
    wide = CrossValidated(NaiveBayes(), cv=folds).bind(as_table(X.astype(np.float64), y))
    assert_array_equal(scores.folds, wide.score(masks).folds)
