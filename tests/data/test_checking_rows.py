"""The check of a table: rows, target, stored tables."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, r2_score

import fewest
from fewest.data import as_table
from fewest.data._checking.look import Look, _ranks
from fewest.data._checking.row_findings import _skills

# What the rows show as a whole: copies, groups, order, and how few they are.
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


# What the target shows: leaks, gaps, imbalance, outliers; and what is none.
N = 600


DRAWS = np.random.default_rng(0)


def kinds_of_target(X, y, **more):
    return [(one.kind, one.column) for one in fewest.check(X, y, **more)]


def test_a_leak_is_one_only_where_the_others_are_worse():
    y = DRAWS.integers(0, 2, N)
    X = DRAWS.normal(size=(N, 6))
    X[:, 2] = y + 0.1 * X[:, 2]
    assert kinds_of_target(X, y) == [("leak", "x2")]
    two = X.copy()
    two[:, 4] = 5 - 9 * y + 0.1 * two[:, 4]
    assert kinds_of_target(two, y) == [("leak", "x2"), ("leak", "x4")]
    honest = X.copy()
    honest[:, :2] += 2.3 * y[:, None]
    honest[:, 3:] += 2.3 * y[:, None]
    assert kinds_of_target(honest, y) == []


def test_a_leak_in_a_category_and_in_the_gaps():
    pd = pytest.importorskip("pandas")
    y = DRAWS.integers(0, 3, N)
    frame = pd.DataFrame({"a": DRAWS.normal(size=N), "code": np.array(list("xyz"))[y]})
    assert kinds_of_target(frame, y) == [("leak", "code")]
    frame["code"] = np.where(y == 0, "x", None)
    assert ("missing-by-target", "code") in kinds_of_target(frame, y)


def test_a_leak_of_a_number():
    y = np.exp(DRAWS.normal(size=N))
    X = DRAWS.normal(size=(N, 5))
    X[:, 1] += 0.8 * np.log(y)
    X[:, 3] = np.sqrt(y)
    assert kinds_of_target(X, y) == [("leak", "x3")]


def test_skill_is_balanced_accuracy_on_the_other_half():
    y = (DRAWS.random(N) < 0.3).astype(int)
    X = DRAWS.integers(0, 5, (N, 1)) + y[:, None]
    look = Look(as_table(X.astype(float), y, nominal=[0]))
    halves = DRAWS.integers(0, 2, N)
    found, _ = _skills(look, np.array([0]), halves)
    expected = []
    for half in (0, 1):
        seen = halves == half
        rate = {v: (X[seen & (y == 1), 0] == v).sum() / (seen & (y == 1)).sum() for v in range(6)}
        other = {v: (X[seen & (y == 0), 0] == v).sum() / (seen & (y == 0)).sum() for v in range(6)}
        guess = [int(rate[v] > other[v]) for v in X[~seen, 0]]
        expected.append(2 * balanced_accuracy_score(y[~seen], guess) - 1)
    assert found[0] == pytest.approx(np.mean(expected))


def test_skill_of_a_number_is_r2_of_its_ranks_on_the_other_half():
    group = DRAWS.integers(0, 4, N)
    y = group + DRAWS.normal(size=N)
    look = Look(as_table(group[:, None].astype(float), y, nominal=[0]))
    halves, ranks = DRAWS.integers(0, 2, N), _ranks(y)
    found, _ = _skills(look, np.array([0]), halves)
    expected = []
    for half in (0, 1):
        seen = halves == half
        means = {g: ranks[seen & (group == g)].mean() for g in range(4)}
        expected.append(r2_score(ranks[~seen], [means[g] for g in group[~seen]]))
    assert found[0] == pytest.approx(np.mean(expected))


def test_gaps():
    y = DRAWS.integers(0, 2, N)
    X = DRAWS.normal(size=(N, 3))
    X[DRAWS.random(N) < 0.3, 0] = np.nan
    X[DRAWS.random(N) < np.where(y == 1, 0.4, 0.1), 1] = np.nan
    assert kinds_of_target(X, y) == [("missing-by-target", "x1")]
    score = y * 3.0 + DRAWS.normal(size=N)
    assert kinds_of_target(X, score) == [("missing-by-target", "x1")]


def test_imbalance_and_rare_classes():
    X = DRAWS.normal(size=(N, 2))
    assert kinds_of_target(X, np.arange(N) % 5 == 0) == []
    assert kinds_of_target(X, np.arange(N) % 6 == 0) == [("imbalance", "")]
    found = fewest.check(X, np.where(np.arange(N) % 100 == 0, "rare", np.where(X[:, 0] > 0, 1, 2)))
    assert [one.kind for one in found] == ["rare-class"]  # one cause, one warning
    assert "rare (6)" in found.of("rare-class")[0].evidence


def test_outliers_of_the_target():
    X = DRAWS.normal(size=(N, 2))
    y = 10 * DRAWS.normal(size=N)
    assert kinds_of_target(X, y) == []
    y[[3, 77]] *= 1000
    found = fewest.check(X, y).of("target-outliers")[0]
    assert found.evidence.startswith("2 of 600 values are more than 10 interquartile ranges from")
