"""Boruta: its decisions by binomial tests, and the features of the boruta package."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.ensemble import RandomForestClassifier

import fewest
from fewest._errors import MismatchError
from fewest.search import Boruta, Subsets
from fewest.search._elimination import Record
from fewest.testing import TableMeasure, drive, toy_table


def test_hits_are_decided_by_one_sided_binomial_tests():
    for rounds in (1, 8, 20):
        record = Record(21)
        record.limits = [0.0] * rounds
        record.hits = np.minimum(np.arange(21), rounds)
        record.decide(0.05)
        for hits, confirmed, rejected in zip(
            record.hits, record.confirmed, record.rejected, strict=True
        ):
            hits = int(hits)
            assert confirmed == (binomtest(hits, rounds, 0.5, "greater").pvalue < 0.05 / 21)
            assert rejected == (binomtest(hits, rounds, 0.5, "less").pvalue < 0.05 / 21)


def test_what_is_decided_stays_decided():
    record = Record(2)
    record.confirmed[0] = record.rejected[1] = True
    for _ in range(20):
        record.note(np.array([-1.0, 1.0]), 0.0)
    assert not record.decide(0.05)
    assert record.hits.tolist() == [0, 0]
    assert record.confirmed.tolist() == [True, False]


def relevant():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 8))
    X[:, 1] = X[:, 0] + 0.1 * rng.normal(size=150)
    y = (X[:, 0] + X[:, 2] > 0).astype(int)
    return X, y


def test_relevant_features_are_those_of_the_boruta_package():
    boruta = pytest.importorskip("boruta")
    X, y = relevant()
    forest = RandomForestClassifier(25, max_depth=5, random_state=0)
    theirs = boruta.BorutaPy(
        forest, n_estimators=25, two_step=False, alpha=0.01, max_iter=25, random_state=1
    ).fit(X, y)
    ours = fewest.SubsetSelector(
        forest, search=Boruta(rounds=25, tentative="drop"), cv=3, random_state=1
    ).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.support_)
    assert np.flatnonzero(ours.support_).tolist() == [0, 1, 2]
    assert "3 confirmed" in ours.result_.stopped


def scorer_of(worth):
    worth = np.array(worth)
    return TableMeasure(lambda mask: float(worth @ mask)).bind(toy_table(n_features=len(worth)))


def test_all_relevant_features_are_confirmed_and_the_others_rejected():
    done = drive(Boruta(), Subsets(5), scorer_of([1.0, 0.0, 2.0, -1.0, 0.5]))
    assert np.flatnonzero(done.answer).tolist() == [0, 2, 4]
    assert done.verdict.reason.startswith("3 confirmed, 2 rejected, 0 undecided")


def test_of_too_many_relevant_features_the_most_important_stay():
    done = drive(Boruta(), Subsets(5, max_features=2), scorer_of([1.0, 0.0, 2.0, -1.0, 0.5]))
    assert np.flatnonzero(done.answer).tolist() == [0, 2]


def test_without_a_relevant_feature_the_least_bad_ones_fill_the_smallest_size():
    done = drive(Boruta(), Subsets(3, min_features=1), scorer_of([-1.0, -0.5, -2.0]))
    assert np.flatnonzero(done.answer).tolist() == [1]


@pytest.mark.parametrize(("tentative", "kept"), [("keep", 2), ("drop", 0), ("median", 1)])
def test_undecided_features(tentative, kept):
    search = Boruta(rounds=1, tentative=tentative)
    done = drive(search, Subsets(2), scorer_of([1.0, -1.0]))
    assert done.answer.sum() == kept


def test_a_filter_is_refused():
    X, y = relevant()
    with pytest.raises(MismatchError, match="`boruta` needs a measure that gives importances"):
        fewest.SubsetSelector("mrmr", search="boruta").fit(X, y)
