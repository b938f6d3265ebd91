"""What the target shows: leaks, gaps, imbalance, outliers; and what is none."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, r2_score

import fewest
from fewest.data import as_table
from fewest.data._checking.look import Look, _ranks
from fewest.data._checking.row_findings import _skills

RNG = np.random.default_rng(0)
N = 600


def kinds(X, y, **more):
    return [(one.kind, one.column) for one in fewest.check(X, y, **more)]


def test_a_leak_is_one_only_where_the_others_are_worse():
    y = RNG.integers(0, 2, N)
    X = RNG.normal(size=(N, 6))
    X[:, 2] = y + 0.1 * X[:, 2]
    assert kinds(X, y) == [("leak", "x2")]
    two = X.copy()
    two[:, 4] = 5 - 9 * y + 0.1 * two[:, 4]
    assert kinds(two, y) == [("leak", "x2"), ("leak", "x4")]
    honest = X.copy()
    honest[:, :2] += 2.3 * y[:, None]
    honest[:, 3:] += 2.3 * y[:, None]
    assert kinds(honest, y) == []


def test_a_leak_in_a_category_and_in_the_gaps():
    pd = pytest.importorskip("pandas")
    y = RNG.integers(0, 3, N)
    frame = pd.DataFrame({"a": RNG.normal(size=N), "code": np.array(list("xyz"))[y]})
    assert kinds(frame, y) == [("leak", "code")]
    frame["code"] = np.where(y == 0, "x", None)
    assert ("missing-by-target", "code") in kinds(frame, y)


def test_a_leak_of_a_number():
    y = np.exp(RNG.normal(size=N))
    X = RNG.normal(size=(N, 5))
    X[:, 1] += 0.8 * np.log(y)
    X[:, 3] = np.sqrt(y)
    assert kinds(X, y) == [("leak", "x3")]


def test_skill_is_balanced_accuracy_on_the_other_half():
    y = (RNG.random(N) < 0.3).astype(int)
    X = RNG.integers(0, 5, (N, 1)) + y[:, None]
    look = Look(as_table(X.astype(float), y, nominal=[0]))
    halves = RNG.integers(0, 2, N)
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
    group = RNG.integers(0, 4, N)
    y = group + RNG.normal(size=N)
    look = Look(as_table(group[:, None].astype(float), y, nominal=[0]))
    halves, ranks = RNG.integers(0, 2, N), _ranks(y)
    found, _ = _skills(look, np.array([0]), halves)
    expected = []
    for half in (0, 1):
        seen = halves == half
        means = {g: ranks[seen & (group == g)].mean() for g in range(4)}
        expected.append(r2_score(ranks[~seen], [means[g] for g in group[~seen]]))
    assert found[0] == pytest.approx(np.mean(expected))


def test_gaps():
    y = RNG.integers(0, 2, N)
    X = RNG.normal(size=(N, 3))
    X[RNG.random(N) < 0.3, 0] = np.nan
    X[RNG.random(N) < np.where(y == 1, 0.4, 0.1), 1] = np.nan
    assert kinds(X, y) == [("missing-by-target", "x1")]
    score = y * 3.0 + RNG.normal(size=N)
    assert kinds(X, score) == [("missing-by-target", "x1")]


def test_imbalance_and_rare_classes():
    X = RNG.normal(size=(N, 2))
    assert kinds(X, np.arange(N) % 5 == 0) == []
    assert kinds(X, np.arange(N) % 6 == 0) == [("imbalance", "")]
    found = fewest.check(X, np.where(np.arange(N) % 100 == 0, "rare", np.where(X[:, 0] > 0, 1, 2)))
    assert [one.kind for one in found] == ["rare-class"]  # one cause, one warning
    assert "rare (6)" in found.of("rare-class")[0].evidence


def test_outliers_of_the_target():
    X = RNG.normal(size=(N, 2))
    y = 10 * RNG.normal(size=N)
    assert kinds(X, y) == []
    y[[3, 77]] *= 1000
    found = fewest.check(X, y).of("target-outliers")[0]
    assert found.evidence.startswith("2 of 600 values are more than 10 interquartile ranges from")
