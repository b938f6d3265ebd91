"""Folds: groups, seeds, small classes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.measures._wrappers.splits import (
    Folds,
    fold_of_rows,
    given_splits,
    mean_over_repetitions,
    repeated_splits,
)
from tests.measures.wrappers.estimator_cases import IRIS, TREE, refusal


def test_groups_stay_together():
    X, y = IRIS
    groups = np.random.default_rng(0).integers(0, 30, len(y))
    table = as_table(X, y, metadata={"groups": groups})
    for cv in ("auto", GroupKFold(4)):
        for train, test in CrossValidated(TREE, cv=cv).bind(table).splits:
            assert not set(groups[train]) & set(groups[test])
    with pytest.warns(UserWarning, match="has 4 `groups`, fewer than the 5 folds"):
        CrossValidated(TREE).bind(as_table(X, y, metadata={"groups": groups % 4}))


def test_a_splitter_without_seed_draws_from_the_generator():
    table = as_table(*IRIS)
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=1)
    one, two, other = (
        CrossValidated(TREE, cv=cv).bind(table, np.random.default_rng(seed)).splits
        for seed in (1, 1, 2)
    )
    assert_array_equal(one[0][1], two[0][1])
    assert not np.array_equal(one[0][1], other[0][1])
    assert cv.random_state is None


def test_small_classes():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.array(["a"] * 33 + ["b"] * 7)
    table = as_table(X, y)
    with pytest.warns(UserWarning, match="Class 'b' has 7 rows, fewer than the 8 folds: some"):
        CrossValidated(TREE, cv=8).bind(table)
    with pytest.warns(UserWarning, match="Class 'b' has 7 rows, fewer than the 10 folds: some"):
        CrossValidated(GaussianNB()).bind(table)
    assert refusal(TREE, X, y, cv=34) == (
        "Class 'b' has 7 rows, fewer than the 34 folds of `cv`; use fewer folds, for example "
        "cv=7, or join it with another class."
    )
    with pytest.warns(UserWarning, match="has 8 rows, fewer than the 10 folds"):
        CrossValidated(Ridge()).bind(as_table(X[:8], np.arange(8) + 0.5))


def timed(n, time=None, y=None):
    X = np.arange(n, dtype=float)[:, None]
    time = RNG_TIME.permutation(n) if time is None else time
    return as_table(X, np.arange(n) % 2 if y is None else y, metadata={"time": time})


RNG_TIME = np.random.default_rng(5)


def test_windows_in_time_are_those_of_scikit_learn_in_the_order_of_time():
    table = timed(60)
    order = np.argsort(table.metadata["time"])
    for cv in (4, TimeSeriesSplit(4), TimeSeriesSplit(3, gap=5)):
        found = given_splits(table, cv, np.random.default_rng(0), True)
        splitter = TimeSeriesSplit(cv) if isinstance(cv, int) else cv
        for (train, test), (past, window) in zip(found, splitter.split(order), strict=True):
            assert_array_equal(train, np.sort(order[past]))
            assert_array_equal(test, np.sort(order[window]))
    automatic = repeated_splits(table, np.random.default_rng(0))
    assert (len(automatic), len(automatic[0])) == (1, 5)


def test_training_rows_are_always_earlier_than_test_rows():
    time = np.array(["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"])[
        RNG_TIME.integers(0, 4, 200)
    ]
    for train, test in given_splits(timed(200, time), 5, np.random.default_rng(0), True):
        assert max(time[train]) < min(time[test])


def test_windows_that_have_no_past():
    late = timed(60, np.arange(60), np.arange(60) >= 31)
    assert len(given_splits(late, 5, np.random.default_rng(0), True)) == 2
    with pytest.raises(InputError, match="`time` must have several moments"):
        given_splits(timed(60, np.zeros(60)), 5, np.random.default_rng(0), True)
    with pytest.raises(InputError, match="`cv` must fit the table, but TimeSeriesSplit"):
        given_splits(timed(6), 9, np.random.default_rng(0), True)
    with pytest.raises(InputError, match="`time` must be known in every row, but is unknown in 1"):
        timed(3, [1.0, None, 2.0])


Y = np.arange(60) % 3
SPLITTERS = [
    KFold(4),
    StratifiedKFold(5, shuffle=True, random_state=0),
    ShuffleSplit(3, random_state=0),
    TimeSeriesSplit(3),
]


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_rows_are_those_given(splitter):
    given = list(splitter.split(np.zeros((60, 1)), Y))
    folds = Folds(iter(given), 60)
    assert len(folds) == len(given)
    for again in (folds, pickle.loads(pickle.dumps(folds))):
        for (train, test), (own_train, own_test) in zip(given, again, strict=True):
            assert_array_equal(train, own_train)
            assert_array_equal(test, own_test)
            assert own_train.dtype == own_test.dtype == np.intp


def test_training_rows_that_are_all_others_are_not_kept():
    rows = np.arange(100_000)
    folds = Folds(KFold(10).split(rows), len(rows))
    assert len(pickle.dumps(folds)) < 5 * len(rows)
    assert_array_equal(folds[3][0], np.delete(rows, np.arange(30_000, 40_000)))


def test_fold_of_each_row():
    parted = list(KFold(3, shuffle=True, random_state=1).split(Y))
    found = fold_of_rows(60, parted)
    for number, (_, test) in enumerate(parted):
        assert_array_equal(np.flatnonzero(found == number), np.sort(test))
    # A part of the folds leaves rows without a fold; rows taken twice or left out are no parts.
    assert_array_equal(fold_of_rows(60, parted[:2]) == 2, found == 2)
    for splitter in SPLITTERS[2:]:
        assert fold_of_rows(60, list(splitter.split(np.zeros((60, 1)), Y))) is None
    train, test = parted[0]
    assert fold_of_rows(60, [(np.repeat(train[:20], 2), test)]) is None
    assert fold_of_rows(60, [(train, np.repeat(test[:10], 2))]) is None


def test_repeats_what_is_not_precise():
    first = np.array([[0.8, 0.8, 0.8], [0.6, 0.8, 1.0]])
    asked = []

    def again(repetition, rows):
        asked.append((repetition, rows.tolist()))
        return np.full((len(rows), 3), 0.5)

    mean = mean_over_repetitions(first, 3, again)
    assert asked == [(1, [1]), (2, [1])]
    assert_allclose(mean, [0.8, (2.4 + 3.0) / 9])
