"""Rows as they are: groups, time and weights from the folds to the permutation test."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest._errors import InputError
from fewest._validation.permutation import _orders
from fewest._validation.schemes import external_splits
from fewest.data import as_table, generate

RNG = np.random.default_rng(0)


def split_rows(data, *names):
    return data.X.drop(columns=list(names)), [np.asarray(data.X[name]) for name in names]


def test_a_new_patient_is_not_recognised_and_the_honest_score_holds_on_new_patients():
    data = generate("patients")
    X, (patient,) = split_rows(data, "patient")
    selector = fewest.SubsetSelector("gaussian-nb", exclude="sex", search="sfs", random_state=0)
    rows = fewest.validate(selector, X, data.y, random_state=0)
    people = fewest.validate(selector, X, data.y, random_state=0, groups=patient)
    assert rows.score > people.score + 0.03
    selector.fit(X, data.y, groups=patient)
    fresh = generate("patients", 20_000, random_state=1)
    new = fresh.X.drop(columns="patient").loc[:, selector.support_]
    truth = selector.estimator_.score(new, fresh.y)
    low, high = people.interval
    assert low <= truth <= high


def test_doubled_rows_of_noise_are_warned_of_and_groups_bring_chance_back():
    X, y = np.random.default_rng(3).normal(size=(150, 3)), np.arange(150) % 2
    X, y, row = X.repeat(2, axis=0), y.repeat(2), np.arange(300) // 2
    selector = fewest.SubsetSelector("nearest-neighbor", search="sfs", random_state=0)
    notes = selector.fit(X, y).result_.notes
    (found,) = [note for note in notes if getattr(note, "kind", "") == "duplicate-rows"]
    assert "150 of 300 rows are copies of another row" in found
    told = fewest.validate(selector, X, y, scheme="1x10cv", random_state=0)
    apart = fewest.validate(selector, X, y, scheme="1x10cv", groups=row, random_state=0)
    assert told.accuracy > 0.9
    low, high = apart.interval
    assert low <= 0.5 <= high


def test_groups_are_never_on_both_sides():
    groups = RNG.integers(0, 9, 90)
    table = as_table(RNG.normal(size=(90, 2)), RNG.integers(0, 2, 90), metadata={"groups": groups})
    for train, test in external_splits("3x3cv", table, np.random.default_rng(0)):
        assert not set(groups[train]) & set(groups[test])


def test_the_score_of_sensors_is_that_of_later_rows():
    data = generate("sensors-in-time")
    X, (time,) = split_rows(data, "time")
    selector = fewest.SubsetSelector("gaussian-nb", search="exhaustive", random_state=0)
    selector.fit(X, data.y, time=time)
    assert selector.result_.features == ["pressure", "current"]
    assert not [n for n in selector.result_.notes if getattr(n, "kind", "") == "ordered-rows"]
    later = fewest.validate(selector, X, data.y, time=time, random_state=0)
    shuffled = fewest.validate(selector, X, data.y, random_state=0)
    assert later.scheme == "5 windows in time, each after its training rows"
    # Shuffled rows know where the sensors have drifted to; later rows do not.
    assert shuffled.baseline > later.baseline + 0.05
    with pytest.raises(InputError, match="`time` is not used by cv=KFold"):
        fewest.validate(selector, X, data.y, time=time, scheme=KFold(3), random_state=0)


def test_windows_of_the_validation():
    time = RNG.permutation(120)
    table = as_table(RNG.normal(size=(120, 2)), RNG.integers(0, 2, 120), metadata={"time": time})
    for scheme, windows in (("5x2cv", 5), ("1x10cv", 10)):
        splits = external_splits(scheme, table, np.random.default_rng(0))
        assert len(splits) == windows
        for train, test in splits:
            assert time[train].max() < time[test].min()


def test_shuffled_targets_stay_in_the_order_of_time():
    time = RNG.permutation(50)
    table = as_table(RNG.normal(size=(50, 2)), RNG.normal(size=50), metadata={"time": time})
    in_time = np.argsort(time)
    for order in _orders(table, 5, seed=0):
        moved = table.target[order][in_time]
        step = int(np.flatnonzero(moved == table.target[in_time][0])[0])
        np.testing.assert_array_equal(np.roll(table.target[in_time], step), moved)
        assert step > 0


def balanced(n=2000):
    """One signal and four columns that tell the frequent class from nothing."""
    y = (RNG.random(n) < 0.07).astype(int)
    X = RNG.normal(size=(n, 5))
    X[:, 0] += 1.2 * y
    return X, y, np.where(y == 1, 1 / y.mean(), 1 / (1 - y.mean()))


def test_balancing_weights_find_the_signal_in_score_baseline_and_validation():
    X, y, weight = balanced()
    selector = fewest.SubsetSelector(
        LogisticRegression(), search="exhaustive", max_features=1, cv=5, random_state=0
    )
    selector.fit(X, y, sample_weight=weight)
    assert selector.support_.tolist() == [True] + [False] * 4
    # The accuracy of balanced classes is near the balanced accuracy of the same rows.
    model = LogisticRegression(class_weight="balanced")
    own = fewest.score_subsets(X, y, [[0], [1]], measure=model, cv=5, scoring="balanced_accuracy")
    assert selector.score_ == pytest.approx(own.value[0], abs=0.02)
    found = fewest.validate(selector, X, y, sample_weight=weight, random_state=0)
    assert found.score == pytest.approx(own.value[0], abs=0.03)
    assert found.guessing == pytest.approx(0.5, abs=0.02)
    tested = fewest.permutation_test(selector, X, y, sample_weight=weight, permutations=9)
    assert max(tested.scores) < 0.6 < tested.score
    assert fewest.corrected_score(selector, X, y, sample_weight=weight).score < 0.8


def test_whole_weights_are_copies_of_rows():
    X, y, _ = balanced(300)
    weight = RNG.integers(1, 4, 300)
    folds = [(np.arange(150), np.arange(150, 300)), (np.arange(150, 300), np.arange(150))]
    rows = np.repeat(np.arange(300), weight)
    copies = [tuple(np.flatnonzero(np.isin(rows, part)) for part in fold) for fold in folds]
    masks = np.eye(5, dtype=bool)
    for scoring in (None, "roc_auc", "f1"):
        weighted = fewest.score_subsets(
            X, y, masks, measure=GaussianNB(), cv=folds, scoring=scoring, sample_weight=weight
        )
        repeated = fewest.score_subsets(
            X[rows], y[rows], masks, measure=GaussianNB(), cv=copies, scoring=scoring
        )
        np.testing.assert_allclose(weighted.folds, repeated.folds)


def test_a_rare_class_is_warned_of_once(recwarn):
    X = RNG.normal(size=(300, 3))
    y = np.where(np.arange(300) < 7, "rare", np.where(X[:, 0] > 0, "a", "b"))
    selector = fewest.SubsetSelector("naive-bayes", search="sfs", random_state=0).fit(X, y)
    fewest.validate(selector, X, y, random_state=0)
    told = {str(one.message) for one in recwarn if "rare" in str(one.message)}
    assert told == {
        "Class 'rare' has 7 rows, fewer than the 10 folds: some folds test no row of it; leave its "
        "rows out, or join it with another class."
    }
