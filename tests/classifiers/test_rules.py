"""Classifiers by rules and by tables."""

from __future__ import annotations

import operator
from math import log2

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fewest.classifiers import CN2, OneR, Ripper, TableMajority
from fewest.classifiers._base import Rows
from fewest.classifiers._rule_lists import (
    ABOVE,
    AT_MOST,
    EQUAL,
    Condition,
    Conditions,
    DecisionRule,
    OneClass,
    exception_bits,
    laplace,
    rule_bits,
    subset_bits,
    theory_bits,
)
from tests.oracles.weka import ask_weka, needs_weka, write_arff


#
def test_intervals_by_hand():
    # The golf table of Holte's method: at least 3 of a class in an interval (the last may be
    # smaller), intervals of the same class are joined.
    values = [64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85, 86]
    play = list("ynyyynnyyynyynn")
    rule = OneR(min_bucket=3).fit(np.array(values, float)[:, None], play)
    assert rule.split_.cuts.tolist() == [77.5]
    assert rule.counts_[:2].tolist() == [[3, 7], [3, 2]]


def test_unknown_values_are_a_branch():
    rule = OneR().fit([["a"], ["a"], [None], [None]], ["x", "x", "y", "y"])
    assert rule.predict([[None], ["a"]]).tolist() == ["y", "x"]
    assert rule.to_text() == "x0 = a: x (2)\nx0 unknown: y (2)"


def test_a_value_never_seen_gets_the_most_frequent_class():
    rule = OneR().fit([["a"], ["b"], ["b"]], ["x", "y", "y"])
    assert rule.predict([["c"]]).tolist() == ["y"]


def test_graphviz():
    rule = OneR().fit([["a"], ["b"]], ["x", "y"])
    assert 'n0 -> n1 [label="= a"]' in rule.to_dot()


@needs_weka
@pytest.mark.parametrize("name", ["votes", "hepatitis", "lymphography", "breast-cancer"])
def test_the_rule_of_weka(name, dataset, tmp_path):
    # Tables in which equal values of several classes do not decide the rule: Weka sorts them
    # in an order of its own.
    table = dataset(name).table()
    feature, right = ask_weka("one-r", write_arff(tmp_path / "t.arff", table))
    rule = OneR().fit(dataset(name).X, dataset(name).y)
    assert rule.schema_.names[rule.split_.feature] == feature
    predicted = rule.predict(dataset(name).X)
    assert (predicted == np.asarray(dataset(name).y)).sum() == int(right)


#
def test_laplace_and_the_test_by_hand():
    # Six rows of class 0 behind a = 1, two of class 1 and one of class 0 behind a = 0.
    X = [["1"]] * 6 + [["0"]] * 3
    y = [0] * 6 + [1, 1, 0]
    model = CN2(significance=1.0).fit(X, y)
    first = model.rules_[0]
    # (6 + 1) / (6 + 2) for a = 1 beats (2 + 1) / (3 + 2) for a = 0.
    assert first.counts.tolist() == [6, 0]
    # 2 * 6 * log(6 / (6 * 7 / 9)) = 3.016: p = 0.082 at one degree of freedom.
    assert CN2(significance=0.09).fit(X, y).rules_[0].counts.tolist() == [6, 0]
    assert CN2(significance=0.08).fit(X, y).rules_ == []


@pytest.mark.parametrize("ordered", [True, False])
def test_a_concept_is_found(dataset, ordered):
    # Monk's first problem: a1 = a2 or a5 = 1; the noise-free test rows are all 432.
    train, test = dataset("monks-1"), dataset("monks-1-test")
    model = CN2(ordered=ordered).fit(train.X.astype(str), train.y)
    right = (model.predict(test.X.astype(str)) == np.asarray(test.y)).mean()
    assert right > 0.95


def test_entropy_is_for_ordered_rules(dataset):
    data = dataset("votes")
    model = CN2(quality="entropy").fit(data.X, data.y)
    assert (model.predict(data.X) == np.asarray(data.y)).mean() > 0.95


def test_words():
    X = [[1.0, "p"], [2.0, "p"], [3.0, "q"], [4.0, "q"]] * 3
    text = CN2().fit(X, ["a", "a", "b", "b"] * 3).to_text()
    assert text.splitlines()[0] in {"if x0 <= 2.5 then a (6)", "if x1 = p then a (6)"}
    assert text.splitlines()[-1].startswith("otherwise ")


def test_the_counts_of_an_unordered_rule_are_those_of_all_rows_that_it_covers(dataset):
    data = dataset("votes")
    model = CN2(ordered=False).fit(data.X, data.y)
    values = model.schema_.encode(data.X)
    target = np.searchsorted(model.classes_, np.asarray(data.y))
    assert len(model.rules_) > 4
    for rule in model.rules_:
        covered = target[rule.covers(values)]
        assert rule.counts.tolist() == np.bincount(covered, minlength=2).tolist()


def test_of_equally_pure_rules_the_larger_one_is_taken():
    # Both x0 = a (2 rows) and x1 = q (6 rows) are pure.
    X = [["a", "p"]] * 2 + [["b", "p"], ["b", "p"]] + [["b", "q"]] * 6
    y = ["no", "no", "no", "yes"] + ["yes"] * 6
    rules = CN2(quality="entropy", significance=1.0).fit(X, y).to_text().splitlines()
    assert rules[0] == "if x1 = q then yes (6)"


#
def some_rows():
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.integers(0, 3, 30), rng.integers(0, 6, 30) / 2.0])
    values[rng.random((30, 2)) < 0.2] = np.nan
    return Rows(values, np.array([3, 0]), rng.integers(0, 2, 30), rng.random(30), 2)


def test_every_condition_counts_what_it_holds_for():
    rows = some_rows()
    conditions = Conditions.of(rows)
    inside = np.arange(0, 30, 2)
    counts = conditions.counts(inside)
    assert len(conditions) == 3 + 2 * 5
    for i in range(len(conditions)):
        met = conditions[i].holds(rows.values[inside])
        assert (met == conditions.holds(i, inside)).all()
        found = np.bincount(rows.target[inside][met], rows.weight[inside][met], 2)
        assert np.allclose(counts[i], found)


def test_an_unknown_value_meets_no_condition():
    values = np.array([[np.nan]])
    for sign in (EQUAL, AT_MOST, ABOVE):
        assert not Condition(0, sign, 1.0).holds(values).any()


def test_a_rule_needs_all_its_conditions():
    rule = DecisionRule((Condition(0, EQUAL, 1.0), Condition(1, ABOVE, 0.5)), np.array([1.0]))
    assert rule.covers(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])).tolist() == [
        True,
        False,
        False,
    ]


#
@pytest.fixture
def task():
    # Class 1 is behind a = 1 and b = 1; ten rows of each of the four combinations.
    values = np.array([[a, b] for a in (0, 1) for b in (0, 1)] * 10, dtype=float)
    target = (values.sum(axis=1) == 2).astype(np.int64)
    rows = Rows(values, np.array([2, 2]), target, np.ones(40), 2)
    rng = np.random.default_rng(0)
    return OneClass(Conditions.of(rows), 1, np.arange(40), 2.0, rng)


def words(task, body):
    return [(task.conditions[i].feature, task.conditions[i].value) for i in body]


def test_a_rule_grows_until_it_covers_one_class(task):
    assert sorted(words(task, task.grow((), task.rows))) == [(0, 1.0), (1, 1.0)]


def test_a_rule_is_cut_back_to_its_best_beginning(task):
    body = task.grow((), task.rows)
    assert task.prune(body, task.rows, laplace) == body
    only_positive = task.rows[task.positive]
    assert task.prune(body, only_positive, laplace) == body[:1]
    assert task.prune(body, task.rows, operator.sub) == body


def test_rows_split_two_to_one_in_both_classes(task):
    grow, prune = task.split(task.rows)
    assert sorted([*grow, *prune]) == task.rows.tolist()
    assert (task.positive[grow].sum(), len(grow)) == (7, 27)


def test_a_rule_that_says_nothing_is_left_out(task):
    body = task.grow((), task.rows)
    assert task.reduced([body, body]) == [body]
    assert task.bits([body]) < task.bits([])


def test_the_cover_is_the_concept(task):
    bodies = task.cover([])
    assert task.outside(bodies, task.rows).tolist() == np.flatnonzero(~task.positive).tolist()
    assert task.optimised(bodies) == bodies


def test_one_pruning_row_does_not_outweigh_many():
    # Of nine rows with a = 1, eight are positive; one of these has b = 1.
    values = np.array([[1, 1], *[[1, 0]] * 8, *[[0, 0]] * 3], dtype=float)
    target = np.array([1] * 8 + [0] * 4)
    rows = Rows(values, np.array([2, 2]), target, np.ones(12), 2)
    one = OneClass(Conditions.of(rows), 1, np.arange(12), 2.0, np.random.default_rng(0))
    body = (1, 3)
    assert words(one, body) == [(0, 1.0), (1, 1.0)]
    assert one.prune(body, one.rows, laplace) == (1,)


#
# Ten-fold accuracies of Weka's JRip (3.6.14, default parameters, its own folds).
JRIP = {"votes": 0.954, "hepatitis": 0.781, "glass": 0.668, "breast-cancer": 0.710}


@pytest.mark.parametrize("name", JRIP)
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_as_accurate_as_weka(name, dataset):
    data = dataset(name)
    folds = StratifiedKFold(10, shuffle=True, random_state=1)
    scores = cross_val_score(Ripper(random_state=0), data.X, data.y, cv=folds)
    error = scores.std(ddof=1) / np.sqrt(10)
    assert abs(scores.mean() - JRIP[name]) < 2 * error


def test_the_default_is_the_most_frequent_class(dataset):
    data = dataset("votes")
    model = Ripper(random_state=0).fit(data.X, data.y)
    assert model.classes_[model.default_.argmax()] == "democrat"
    assert all(model.classes_[rule.counts.argmax()] == "republican" for rule in model.rules_)


def test_the_seed_repeats(dataset):
    data = dataset("glass")
    texts = {Ripper(random_state=3).fit(data.X, data.y).to_text() for _ in range(2)}
    assert len(texts) == 1


#
def test_bits_by_hand():
    assert subset_bits(4, 1, 0.25) == pytest.approx(2 + 3 * log2(4 / 3))
    assert subset_bits(4, 0, 0.0) == 0.0
    assert subset_bits(4, 4, 1.0) == 0.0
    assert rule_bits(2, 8) == pytest.approx(0.5 * (1 + subset_bits(8, 2, 0.25)))
    assert theory_bits([1, 1], 100) == pytest.approx(2 * rule_bits(1, 100))


def test_no_errors_cost_only_their_number():
    assert exception_bits(10, 5, 0, 0, 0.3) == pytest.approx(log2(16))
    assert exception_bits(5, 10, 0, 0, 0.3) == pytest.approx(log2(16))


def test_more_errors_cost_more():
    bits = [exception_bits(50, 50, errors, 3, 0.5) for errors in range(6)]
    assert bits == sorted(bits)


#
def test_the_majority_of_equal_rows_else_of_all():
    X = [["a", "p"]] * 3 + [["b", "q"]] * 4
    y = ["x", "x", "y"] + ["y"] * 4
    table = TableMajority(select=False).fit(X, y)
    assert table.predict([["a", "p"], ["b", "q"], ["a", "q"]]).tolist() == ["x", "y", "y"]
    assert np.allclose(table.predict_proba([["a", "p"]]), [[2 / 3, 1 / 3]])


def test_it_finds_the_features_of_a_concept(dataset):
    data = dataset("monks-1")
    table = TableMajority(discretise="width").fit(data.X.astype(str), data.y)
    assert {data.names[j] for j in table.features_} >= {"a1", "a2", "a5"}


def test_leave_one_out_by_hand():
    # Without its own row, each of two equal rows of different classes is wrong, and a single
    # row falls back on the majority of the others.
    X = [["a"], ["a"], ["b"], ["c"], ["c"]]
    y = ["x", "y", "x", "x", "x"]
    from fewest.classifiers._base import Rows
    from fewest.classifiers._table_majority import _leave_one_out

    codes = np.array([0, 0, 1, 2, 2])
    rows = Rows(codes[:, None] * 1.0, np.array([3]), np.array([0, 1, 0, 0, 0]), np.ones(5), 2)
    assert _leave_one_out(codes, 3, rows) == 3.0
    assert TableMajority(select=False).fit(X, y).predict([["a"]]).tolist() == ["x"]
