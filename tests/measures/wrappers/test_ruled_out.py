"""The twin of naive Bayes with plain frequencies: classes that a level rules out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold

from fewest.classifiers.bayes.naive_bayes import NaiveBayes
from fewest.data.build import as_table
from fewest.measures.steps import Steps
from fewest.measures.wrappers.cross_validated import CrossValidated
from fewest.measures.wrappers.naive_bayes_twin import NaiveBayesScorer
from fewest.measures.wrappers.ruled_out import RuledOutScorer
from tests.measures.wrappers.cases import check_twin, some_masks
from tests.naive.naive_bayes import fold_accuracies

READING = NaiveBayes(alpha=0.0, variance_floor=0.01)


def _words(seed, n=60, d=7, levels=9, classes=3):
    """Many levels for few rows: most rows rule out some class, some rows all of them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = (rng.integers(0, levels, (n, d)) + y[:, None] * (rng.random((n, d)) < 0.5)) % levels
    return np.array(list("abcdefghi"), dtype=object)[X], y


@pytest.mark.parametrize(("seed", "classes"), [(0, 2), (1, 3), (2, 5)])
def test_the_scores_are_those_of_the_classifier(seed, classes):
    X, y = _words(seed, classes=classes)
    table = as_table(X, y)
    scorer = CrossValidated(READING, cv=5).bind(table).scorers[0]
    assert isinstance(scorer, RuledOutScorer)
    assert sum(map(len, scorer.ruled)) > 0
    check_twin(READING, X, y, some_masks(7, m=14, seed=seed))


def test_continuous_and_unknown_values_beside_words():
    pandas = pytest.importorskip("pandas")
    X, y = _words(3)
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame(X, columns=list("pqrstuv"))
    frame["w"] = rng.normal(y)
    frame.loc[rng.random(60) < 0.2, ["p", "w"]] = None
    check_twin(READING, frame, y, some_masks(8, m=12))


def test_words_against_the_slow_twin():
    X, y = _words(4, n=40)
    folds = list(KFold(3, shuffle=True, random_state=0).split(X))
    masks = some_masks(7, m=9)
    scored = CrossValidated(READING, cv=folds).bind(as_table(X, y)).score(masks).folds
    for mask, got in zip(masks, scored, strict=True):
        columns = np.flatnonzero(mask)
        assert_allclose(got, fold_accuracies(X.tolist(), y, folds, columns, 0.01, alpha=0.0))


def test_steps_are_scored_as_the_subsets_they_stand_for():
    X, y = _words(5)
    scorer = CrossValidated(READING, cv=5).bind(as_table(X, y))
    steps = Steps(np.arange(7) < 3, np.arange(3, 7), np.ones(4, np.int64))
    assert_array_equal(scorer.score_steps(steps).folds, scorer.score(np.asarray(steps)).folds)


def test_without_an_impossible_level_the_margins_are_the_plain_ones():
    rng = np.random.default_rng(0)
    X, y = rng.choice(["u", "v"], (80, 3)).astype(object), np.arange(80) % 2
    scorer = CrossValidated(READING, cv=4).bind(as_table(X, y)).scorers[0]
    assert isinstance(scorer, NaiveBayesScorer)
    assert [(own.folds, own.margins.rivals) for own in scorer.blocks()] == [([0, 1, 2, 3], 1)]
    check_twin(READING, X, y, some_masks(3, m=4))
