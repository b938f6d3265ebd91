"""The inconsistency rate: its numbers, its cuts, and what it says of odd tables."""

import pickle

import numpy as np
import pytest

from fewest.data.build import as_table
from fewest.errors import InputError
from fewest.measures.consistency.inconsistency import Inconsistency
from fewest.testing import nominal_table, parametrize_with_measure_checks, parity_table
from tests.naive.inconsistency import inconsistency_count
from tests.oracles.weka import ask_weka, needs_weka, write_arff


@parametrize_with_measure_checks(
    [(Inconsistency(), parity_table()), (Inconsistency(), nominal_table())]
)
@pytest.mark.filterwarnings("ignore:.*contradict others")
def test_conformance(measure, table, check):
    check(measure, table)


def random_table(seed, n=60, d=6, values=3, classes=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)).astype(str)
    return X, rng.integers(0, classes, n)


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


@pytest.mark.filterwarnings("ignore:.*contradict others")
def test_long_tables_are_counted_as_short_ones(monkeypatch):
    X, y = random_table(3, n=200, d=9)
    table = as_table(X, y)
    subsets = np.random.default_rng(0).random((30, 9)) < 0.5
    short = Inconsistency().bind(table).score(subsets).value
    monkeypatch.setattr("fewest.measures.consistency.patterns.LONG", 20)
    monkeypatch.setattr("fewest.measures.consistency.equal_rows.BUCKET", 16)
    monkeypatch.setattr("fewest.measures.consistency.patterns.CHUNK", 50)
    np.testing.assert_array_equal(Inconsistency().bind(table).score(subsets).value, short)


def test_more_than_254_classes():
    X = np.array([[str(i % 300)] for i in range(900)])
    y = np.arange(900) % 300
    y[:300:7] = 299 - y[:300:7]
    table = as_table(X, y.astype(str))  # as numbers they would not be classes
    with pytest.warns(UserWarning, match="contradict"):
        scorer = Inconsistency().bind(table)
    subsets = np.array([[True], [False]])
    counts = [inconsistency_count(X.tolist(), y.tolist(), s) for s in subsets]
    assert scorer.score(subsets).goals["inconsistencies"].tolist() == counts


def test_an_unknown_value_is_a_value_of_its_own():
    X = np.array([["a"], [None], ["b"], [None]], dtype=object)
    scorer = Inconsistency().bind(as_table(X, [0, 1, 0, 1]))
    assert scorer.score(np.array([[True]])).value.tolist() == [0.0]


def every_subset(d):
    return (np.arange(2**d)[:, None] >> np.arange(d) & 1).astype(bool)


@pytest.mark.filterwarnings("ignore:.*contradict others")
@pytest.mark.parametrize("threshold", [None, 0.25, 0.35])
@pytest.mark.parametrize("limit", [0, 1, 7])
@pytest.mark.parametrize("seed", range(4))
def test_cuts_are_hit_by_every_subset_within_the_threshold(seed, limit, threshold):
    X, y = random_table(seed, n=40, values=2, classes=2 + seed % 2, d=7)
    scorer = Inconsistency(threshold=threshold).bind(as_table(X, y))
    subsets = every_subset(7)
    reaches = scorer.score(subsets).value >= scorer.threshold - 1e-12
    for candidate in subsets[~reaches][::9]:
        cuts = scorer.cuts(candidate, limit)
        assert len(cuts) >= 1
        assert limit == 0 or len(cuts) <= limit
        assert not (cuts & candidate).any()
        assert (subsets[reaches][:, None, :] & cuts[None]).any(axis=2).all()


def test_ties_between_three_classes_still_give_cuts():
    # Majorities {0, 1}, {1, 2} and {0, 2}: each pair agrees, the three together do not.
    X = np.array([["a"], ["a"], ["b"], ["b"], ["c"], ["c"]])
    with pytest.warns(UserWarning, match="contradict"):
        scorer = Inconsistency().bind(as_table(X, [0, 1, 1, 2, 0, 2]))
    assert scorer.cuts(np.array([False]), 0).tolist() == [[True]]


def test_all_cuts_are_enough_for_a_consistent_table():
    table = parity_table()
    scorer = Inconsistency().bind(table)
    cuts = scorer.cuts(np.zeros(table.n_features, dtype=bool), 0)
    subsets = every_subset(table.n_features)
    hits = (subsets[:, None, :] & cuts[None]).any(axis=2).all(axis=1)
    np.testing.assert_array_equal(hits, scorer.score(subsets).value == 0)


def test_more_than_64_features():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (30, 70)).astype(str)
    y = (X[:, 66] == "1").astype(int)
    scorer = Inconsistency().bind(as_table(X, y))
    cuts = scorer.cuts(np.zeros(70, dtype=bool), 0)
    assert cuts[:, 66].all()


def test_a_bound_scorer_pickles():
    X, y = random_table(0, d=12)
    scorer = Inconsistency().bind(as_table(X, y))
    again = pickle.loads(pickle.dumps(scorer))
    subsets = np.random.default_rng(0).random((5, 12)) < 0.5
    np.testing.assert_array_equal(again.score(subsets).value, scorer.score(subsets).value)


def test_explain_shows_the_rows_that_contradict_each_other():
    X = np.array([["a", "u"], ["a", "v"], ["b", "u"], ["a", "v"], ["a", "u"]])
    table = as_table(X, ["no", "yes", "no", "yes", "no"])
    found = Inconsistency().explain(table, np.array([True, False]))
    assert [g.tolist() for g in found.groups] == [[0, 1, 3, 4]]
    assert found.counts.tolist() == [2]
    assert found.rate == 0.4
    assert found.rate_by_class == {"no": 0.0, "yes": 1.0}


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
