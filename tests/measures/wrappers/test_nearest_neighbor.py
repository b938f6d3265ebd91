"""Weights scored at once give the numbers of the classifier, one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import LeaveOneOut, ShuffleSplit, StratifiedKFold, cross_val_score

from fewest._errors import InputError
from fewest.classifiers import NearestNeighbor
from fewest.measures import CrossValidated, WeightedNeighbors
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.testing import mixed_table, nominal_table, parametrize_with_measure_checks, toy_table
from tests.naive.neighbours import naive_edited, naive_leave_one_out

TABLES = [mixed_table(), nominal_table(), toy_table(n_classes=3)]


@parametrize_with_measure_checks(
    [(WeightedNeighbors(), TABLES[0]), (WeightedNeighbors(k=3, cv=4), TABLES[2])]
)
def test_measure(measure, table, check):
    check(measure, table)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("prototypes", ["all", "edited"])
def test_leave_one_out_is_that_of_the_naive_way(table, k, prototypes):
    weights = np.random.default_rng(k).integers(0, 3, (4, table.n_features)) / 2
    value = WeightedNeighbors(k=k, prototypes=prototypes).bind(table).score(weights).value
    rows = table.values.tolist(), table.target.tolist(), table.nominal.tolist()
    for got, w in zip(value, weights, strict=True):
        of = *rows, w.tolist(), k
        predicted = naive_leave_one_out(*of, None if prototypes == "all" else naive_edited(*of))
        assert got == pytest.approx(np.mean(np.array(predicted) == table.target), abs=1e-12)


@pytest.mark.parametrize(
    "cv",
    [
        StratifiedKFold(5, shuffle=True, random_state=0),
        ShuffleSplit(4, test_size=0.3, random_state=0),
        LeaveOneOut(),
    ],
)
@pytest.mark.parametrize("prototypes", ["all", "edited"])
def test_folds_are_those_of_the_classifier(cv, prototypes):
    table = toy_table(50, 5, 3)
    weights = np.random.default_rng(0).random((3, 5))
    folds = WeightedNeighbors(2, cv=cv, prototypes=prototypes).bind(table).score(weights).folds
    for got, w in zip(folds, weights, strict=True):
        model = NearestNeighbor(k=2, weights=w, prototypes=prototypes)
        assert_array_equal(got, cross_val_score(model, table.values, table.target, cv=cv))


@pytest.mark.parametrize("cv", ["leave-one-out", "repeated", 4])
def test_each_candidate_gets_the_number_of_neighbours_that_suits_it_best(cv):
    table = toy_table(60, 5)
    weights = np.random.default_rng(0).random((20, 5)).round()
    several = WeightedNeighbors((1, 3, 7), cv=cv).bind(table).score(weights)
    each = [WeightedNeighbors(k, cv=cv).bind(table).score(weights) for k in (1, 3, 7)]
    assert_array_equal(several.value, np.max([scores.value for scores in each], axis=0))
    best = np.argmax([scores.value for scores in each], axis=0)
    assert set(best) == {0, 1, 2}
    assert_array_equal(several.goals["k"], np.array([1.0, 3.0, 7.0])[best])
    assert_array_equal(several.folds, [each[b].folds[i] for i, b in enumerate(best)])


@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("table", TABLES)
def test_subsets_of_the_classifier_are_scored_as_if_it_were_trained(table, k):
    masks = np.random.default_rng(1).random((6, table.n_features)) < 0.6
    measure = CrossValidated(NearestNeighbor(k=k), cv=5)
    scorer = measure.bind(table)
    assert scorer.fast
    slow = CrossValidated(NearestNeighbor(k=k), cv=5, fast=False).bind(table)
    assert isinstance(slow.scorers[0], WrappedScorer)
    assert_allclose(scorer.score(masks).folds, slow.score(masks).folds, rtol=1e-12)


def test_large_tables_use_folds_and_small_ones_leave_one_out():
    small, large = toy_table(100, 3), toy_table(1001, 3)
    assert WeightedNeighbors().bind(small).alone
    assert WeightedNeighbors().bind(large).alone is False
    assert WeightedNeighbors(cv="leave-one-out").bind(large).alone


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        (WeightedNeighbors(cv="some"), '`cv` of WeightedNeighbors must be "auto"'),
        (WeightedNeighbors(k=40), "`k` must be at most 39"),
        (WeightedNeighbors(k=40, cv=5), "`k` must be at most 32"),
    ],
)
def test_refuses(measure, words):
    with pytest.raises(InputError, match=words):
        measure.bind(toy_table(40))
