import numpy as np

from fewest.classifiers._base import Rows
from fewest.classifiers._rule_lists import (
    ABOVE,
    AT_MOST,
    EQUAL,
    Condition,
    Conditions,
    DecisionRule,
)


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
