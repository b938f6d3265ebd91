"""The inconsistency rate: its numbers, its cuts, and what it says of odd tables."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.testing import nominal_table, parametrize_with_measure_checks, parity_table
from tests.measures.consistency.cases import random_table
from tests.naive.inconsistency import inconsistency_count
from tests.oracles.weka import ask_weka, needs_weka, write_arff


@parametrize_with_measure_checks(
    [(Inconsistency(), parity_table()), (Inconsistency(), nominal_table())]
)
@pytest.mark.filterwarnings("ignore:.*contradict others")
def test_conformance(measure, table, check):
    check(measure, table)


@pytest.mark.filterwarnings("ignore:.*contradict others")
@pytest.mark.parametrize("seed", range(5))
def test_the_rate_is_that_of_the_definition(seed):
    X, y = random_table(seed)
    scorer = Inconsistency().bind(as_table(X, y))
    subsets = np.random.default_rng(seed).random((20, 6)) < 0.5
    scores = scorer.score(subsets)
    counts = [inconsistency_count(X.tolist(), y.tolist(), s) for s in subsets]
    assert scores.goals["inconsistencies"].tolist() == counts
    np.testing.assert_array_equal(scores.value, -np.array(counts) / 60)


def test_the_example_of_the_definition():
    # A pattern with classes 1, 2, 2, 3, 3, 3: six rows, the largest class has three.
    table = as_table(np.array([["a"]] * 6), [1, 2, 2, 3, 3, 3])
    with pytest.warns(UserWarning, match="3 of 6 rows contradict"):
        scorer = Inconsistency().bind(table)
    assert scorer.score(np.array([[True]])).value.tolist() == [-0.5]
    assert scorer.threshold == -0.5


@needs_weka
@pytest.mark.filterwarnings("ignore:.*contradict others")
def test_the_rate_is_that_of_weka(tmp_path):
    X, y = random_table(0)
    table = as_table(X, y)
    subsets = np.random.default_rng(1).random((20, 6)) < 0.5
    words = ["".join("01"[int(inside)] for inside in subset) for subset in subsets]
    path = write_arff(tmp_path / "table.arff", table)
    merits = [float(line) for line in ask_weka("consistency", path, *words)]
    np.testing.assert_allclose(1 + Inconsistency().bind(table).score(subsets).value, merits)


def test_an_unknown_value_is_a_value_of_its_own():
    X = np.array([["a"], [None], ["b"], [None]], dtype=object)
    scorer = Inconsistency().bind(as_table(X, [0, 1, 0, 1]))
    assert scorer.score(np.array([[True]])).value.tolist() == [0.0]


def test_a_bound_scorer_pickles():
    X, y = random_table(0, d=12)
    scorer = Inconsistency().bind(as_table(X, y))
    again = pickle.loads(pickle.dumps(scorer))
    subsets = np.random.default_rng(0).random((5, 12)) < 0.5
    np.testing.assert_array_equal(again.score(subsets).value, scorer.score(subsets).value)


def test_a_threshold_below_the_rate_of_all_features_is_refused():
    X = np.array([["a"], ["a"], ["b"], ["b"]])
    with pytest.raises(InputError, match="must be at least 0.25, the rate of all features"):
        Inconsistency(threshold=0.1).bind(as_table(X, [0, 1, 1, 1]))


def test_odd_tables_get_a_sentence():
    table = as_table(np.array([["a"], ["b"], ["b"]]), [1, 1, 0])
    with pytest.raises(InputError, match="only one class, 1: every subset"):
        Inconsistency().bind(table.take(np.array([0, 1])))
    with pytest.raises(InputError, match="has 0 rows"):
        Inconsistency().bind(table.take(np.array([], dtype=int)))
