"""What the rows show as a whole: copies, groups, order, and how few they are."""

from __future__ import annotations

import numpy as np
import pytest

import fewest

RNG = np.random.default_rng(0)


def kinds(X, y, **more):
    return [(one.kind, one.column, one.severity) for one in fewest.check(X, y, **more)]


def test_copies_of_rows_and_their_labels():
    X = RNG.normal(size=(200, 3))
    y = RNG.integers(0, 2, 200)
    X[180:] = X[:20]
    y[180:] = y[:20]
    assert kinds(X, y) == [("duplicate-rows", "", "warning")]
    y[190] = 1 - y[190]
    found = fewest.check(X, y)
    assert [one.kind for one in found] == ["conflicting-rows", "duplicate-rows"]
    assert found.findings[0].evidence == "2 rows have the values of a row with another target"


@pytest.mark.parametrize("times", [2, 3, 5])
def test_a_table_whose_rows_were_repeated_is_a_serious_finding(times):
    rows = np.arange(200) % (200 // times)
    X, y = RNG.normal(size=(200, 3))[rows], RNG.integers(0, 2, 200)[rows]
    assert ("duplicate-rows", "", "serious") in kinds(X, y)


def test_copies_count_equal_rows_as_numpy_does():
    X = RNG.integers(0, 3, (300, 4)).astype(float)
    X[RNG.random(X.shape) < 0.1] = np.nan
    X[5, 1], X[6, 1] = 0.0, -0.0
    copies = 300 - len(np.unique(np.nan_to_num(X, nan=9.0), axis=0))
    found = fewest.check(X, np.arange(300) % 2).of("duplicate-rows")[0]
    assert found.evidence == f"{copies} of 300 rows are copies of another row"
    # Few values in few columns repeat by themselves.
    assert found.severity == "note"


def test_order_by_class_and_by_time():
    X = RNG.normal(size=(300, 2))
    y = np.repeat([0, 1, 2], 100)
    assert kinds(X, y) == [("sorted-rows", "", "note")]
    assert kinds(X, X[:, 0].cumsum()) == [("ordered-rows", "", "warning")]
    assert kinds(X, np.sort(X[:, 1] ** 2)) == [("sorted-rows", "", "note")]
    runs = np.repeat(RNG.permutation(np.arange(60) % 2), 5)
    assert kinds(X, runs) == [("ordered-rows", "", "warning")]
    assert kinds(X, RNG.permutation(y)) == []


def test_a_column_of_moments_that_never_go_back():
    pd = pytest.importorskip("pandas")
    days = pd.date_range("2020-01-01", periods=300)
    y = RNG.integers(0, 2, 300)
    frame = pd.DataFrame({"day": days, "a": RNG.normal(size=300)})
    assert kinds(frame, y) == [("ordered-rows", "day", "warning"), ("date", "day", "note")]
    shuffled = frame.assign(day=RNG.permutation(days))
    assert kinds(shuffled, y) == [("date", "day", "note")]


@pytest.mark.parametrize("label", ["P{}", 7])
def test_rows_of_one_person_look_alike(label):
    pd = pytest.importorskip("pandas")
    person = RNG.permutation(400) // 8
    own = RNG.normal(size=(50, 4))
    frame = pd.DataFrame(own[person] + 0.2 * RNG.normal(size=(400, 4)), columns=list("abcd"))
    names = [label.format(i) if isinstance(label, str) else i * label for i in person]
    frame["subject"] = names
    y = RNG.integers(0, 2, 400)
    assert kinds(frame, y)[0] == ("row-groups", "subject", "serious")
    frame["subject"] = RNG.permutation(names)
    assert ("row-groups", "subject", "serious") not in kinds(frame, y)


def test_few_rows_and_many_columns():
    X = RNG.normal(size=(40, 50))
    found = fewest.check(X, np.arange(40) % 2)
    assert [one.kind for one in found] == ["too-small", "wide"]
    assert "±15 points; ±5 points need 385 rows" in found.findings[0].evidence
