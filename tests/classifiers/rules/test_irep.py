import numpy as np
import pytest

from fewest.classifiers._base import Rows
from fewest.classifiers._rule_lists import Conditions, OneClass


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
    assert task.prune(body, task.rows) == body
    only_positive = task.rows[task.positive]
    assert task.prune(body, only_positive) == body[:1]
    assert task.prune_among(body, task.rows, []) == body


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
    assert one.prune(body, one.rows) == (1,)
