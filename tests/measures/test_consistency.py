"""Inconsistency: counts, cuts, patterns, proofs."""

from __future__ import annotations

import pickle
import threading
import time
import warnings
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from fewest import SubsetSelector, score_subsets, validate
from fewest._errors import InputError, RowsWarning
from fewest.data import load
from fewest.data._as_table import as_table
from fewest.data._engine.frame import stored_table
from fewest.data._table import Table
from fewest.measures._consistency import patterns as equal_rows
from fewest.measures._consistency.inconsistency import Inconsistency, first_answer, first_consistent
from fewest.measures._consistency.patterns import pack_table, patterns_of
from fewest.testing import nominal_table, parametrize_with_measure_checks, parity_table
from tests.data.engine.sample import arrow, frame, mixed
from tests.naive.inconsistency import inconsistency_count
from tests.oracles.weka import ask_weka, needs_weka, write_arff


# Tables that several tests of consistency use.
def random_table(seed, n=60, d=6, values=3, classes=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)).astype(str)
    return X, rng.integers(0, classes, n)


# The inconsistency rate: its numbers, its cuts, and what it says of odd tables.
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


# Rows that contradict each other.
def test_explain_shows_the_rows_that_contradict_each_other():
    X = np.array([["a", "u"], ["a", "v"], ["b", "u"], ["a", "v"], ["a", "u"]])
    table = as_table(X, ["no", "yes", "no", "yes", "no"])
    found = Inconsistency().explain(table, np.array([True, False]))
    assert [g.tolist() for g in found.groups] == [[0, 1, 3, 4]]
    assert found.counts.tolist() == [2]
    assert found.rate == 0.4
    assert found.rate_by_class == {"no": 0.0, "yes": 1.0}


# Cuts: every subset within the threshold hits each of them.
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


# Equal rows of a packed table: how often, and where classes differ.
def packed(seed, n=300):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, 4)).astype(float)
    target = rng.integers(0, 2, n)
    table = Table(tuple("abcd"), values, ((0, 1, 2),) * 4, target, np.array([0, 1]))
    return pack_table(table), values, target


@pytest.mark.parametrize("bucket", [8192, 16])
def test_repeated_rows_are_counted_where_they_occur_first(bucket, monkeypatch):
    monkeypatch.setattr(equal_rows, "ROWS_PER_BUCKET", bucket)
    pack, values, target = packed(0)
    often = equal_rows.repeated(pack.words)
    rows = [(*row, c) for row, c in zip(values.tolist(), target.tolist(), strict=True)]
    counts = Counter(rows)
    seen = set()
    for row, found in zip(rows, often, strict=True):
        assert found == (0 if row in seen else counts[row])
        seen.add(row)


def test_weights_of_equal_rows_add_up():
    pack, values, target = packed(1)
    weight = np.random.default_rng(2).integers(1, 9, len(target)).astype(np.int32)
    often = equal_rows.repeated(pack.words, weight)
    assert often.sum() == weight.sum()
    total = Counter()
    for row, c, w in zip(values.tolist(), target.tolist(), weight.tolist(), strict=True):
        total[(*row, c)] += w
    assert sorted(often[often > 0]) == sorted(total.values())


def test_mixed_groups_hold_rows_of_several_classes():
    pack, values, target = packed(3)
    subset = np.array([True, True, False, False])
    rows, starts = equal_rows.mixed_groups(pack.words, pack.mask(subset), target.astype(np.uint8))
    for a, b in zip(starts, starts[1:], strict=False):
        group = rows[a:b]
        assert len({*map(tuple, values[group][:, :2])}) == 1
        assert len({*target[group]}) == 2


# The first part that has an answer wins, whichever thread is faster.
def flag():
    return np.zeros(1, dtype=np.int64)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_slow_first_part_still_wins(threads):
    def look(part, stopped):
        if part == 1:
            time.sleep(0.1)
        return (part if part in (1, 2) else None), True

    assert first_answer(look, 6, threads, flag()) == (1, True)


def test_no_part_has_an_answer():
    assert first_answer(lambda part, stopped: (None, True), 5, 2, flag()) == (None, True)


def test_parts_after_an_answer_are_stopped():
    reached = threading.Event()

    def look(part, stopped):
        if part == 0:
            reached.wait(5)
            return "first", True
        reached.set()
        while not stopped[0]:
            time.sleep(0.001)
        return None, False

    assert first_answer(look, 2, 2, flag()) == ("first", True)


def test_a_stop_from_outside_ends_every_part():
    stop = flag()

    def look(part, stopped):
        stop[0] = 1
        while not stopped[0]:
            time.sleep(0.001)
        return None, False

    assert first_answer(look, 3, 2, stop) == (None, False)


def test_errors_reach_the_caller():
    def look(part, stopped):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        first_answer(look, 2, 2, flag())


# Whether a few features can be within the threshold, by looking at all such sets.
def table(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2, (40, 7)).astype(float)
    target = (values[:, 1] + values[:, 4] * values[:, 5]).astype(int) % 2
    return Table(tuple("abcdefg"), values, ((0, 1),) * 7, target, np.array([0, 1]))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("most", "allowed"), [(1, 0), (2, 0), (3, 0), (2, 4), (1, 9)])
@pytest.mark.parametrize("seed", range(3))
def test_an_answer_is_found_exactly_where_there_is_one(seed, most, allowed, threads):
    patterns = patterns_of(table(seed))
    scorer = Inconsistency().bind(table(seed))
    base, free = np.zeros(7, dtype=bool), np.ones(7, dtype=bool)
    base[1], free[1] = True, False
    found = first_consistent(
        patterns, allowed, base, free, most, threads, np.zeros(1, dtype=np.int64)
    )
    subsets = []
    for chosen in combinations(np.flatnonzero(free), most):
        subsets.append(base.copy())
        subsets[-1][list(chosen)] = True
    counts = scorer.score(np.array(subsets)).goals["inconsistencies"]
    if (counts <= allowed).any():
        assert scorer.score(found[None]).goals["inconsistencies"][0] <= allowed
        assert found[1]
        assert found.sum() == most + 1
    else:
        assert found is None


def test_the_answer_does_not_depend_on_the_threads():
    patterns = patterns_of(table(0))
    free, stop = np.ones(7, dtype=bool), np.zeros(1, dtype=np.int64)
    answers = [first_consistent(patterns, 3, ~free, free, 3, n, stop).tolist() for n in (1, 2, 4)]
    assert answers[0] == answers[1] == answers[2]


def test_a_stop_gives_none():
    free = np.ones(7, dtype=bool)
    stop = np.ones(1, dtype=np.int64)
    assert first_consistent(patterns_of(table(0)), 40, ~free, free, 2, 2, stop) is None


# Packed tables: many features, many classes.
def test_more_than_64_features():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (30, 70)).astype(str)
    y = (X[:, 66] == "1").astype(int)
    scorer = Inconsistency().bind(as_table(X, y))
    cuts = scorer.cuts(np.zeros(70, dtype=bool), 0)
    assert cuts[:, 66].all()


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


# Distinct rows: long tables are counted as short ones.
@pytest.mark.filterwarnings("ignore:.*contradict others")
def test_long_tables_are_counted_as_short_ones(monkeypatch):
    X, y = random_table(3, n=200, d=9)
    table = as_table(X, y)
    subsets = np.random.default_rng(0).random((30, 9)) < 0.5
    short = Inconsistency().bind(table).score(subsets).value
    monkeypatch.setattr("fewest.measures._consistency.patterns.MOST_ROWS_BY_PARTITIONS", 20)
    monkeypatch.setattr("fewest.measures._consistency.patterns.ROWS_PER_BUCKET", 16)
    monkeypatch.setattr("fewest.measures._consistency.patterns.ROWS_PER_CHUNK", 50)
    np.testing.assert_array_equal(Inconsistency().bind(table).score(subsets).value, short)


#
EVERY = np.array([[bool(n >> j & 1) for j in range(6)] for n in range(64)])


def test_rates_threshold_and_goals_are_those_of_memory():
    table = frame().drop(columns="w")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        memory = score_subsets(table.drop(columns="y"), table["y"], EVERY, measure="inconsistency")
    measure = Inconsistency()
    stored = measure.bind(stored_table(arrow(table), "y"))
    assert (stored.score(EVERY).value == memory.value).all()
    assert (stored.score(EVERY).goals["inconsistencies"] == memory.goals["inconsistencies"]).all()
    assert stored.threshold == memory.value[-1]
    assert Inconsistency(threshold=0.4).bind(stored_table(arrow(table), "y")).threshold == -0.4


@pytest.mark.parametrize("search", ["exact", "set-cover", "lvf", "sfs", "abb"])
def test_searches_find_what_they_find_in_memory(search):
    table = frame().drop(columns="w")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = [
            SubsetSelector("inconsistency", search=search, random_state=0).fit(X, target="y")
            for X in (arrow(table).dataset, table)
        ]
    assert found[0].score_ == found[1].score_
    assert found[0].result_.n_features == found[1].result_.n_features
    assert found[0].result_.optimal == found[1].result_.optimal


def test_numbers_are_cut_and_numeric_targets_refused():
    table = mixed()
    four = EVERY[:16, :4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        memory = score_subsets(table.drop(columns="y"), table["y"], four, measure="inconsistency")
    stored = Inconsistency(threshold=0.5).bind(stored_table(arrow(table), "y"))
    assert (stored.score(four).value == memory.value).all()
    with pytest.raises(InputError, match="needs classes, but the target is a number"):
        Inconsistency().bind(stored_table(arrow(table), "size"))


@pytest.mark.filterwarnings("error::fewest._errors.RowsWarning")
def test_a_validation_does_not_repeat_for_its_training_parts_that_rows_contradict():
    data = load("iris")
    selector = SubsetSelector("inconsistency", search="abb", random_state=0)
    with pytest.raises(RowsWarning, match="5 of 150 rows contradict"):
        selector.fit(data.X, data.y)
    validate(selector, data.X, data.y, estimator=GaussianNB(), scheme="1x3cv", random_state=0)
