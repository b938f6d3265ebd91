"""Folds in little memory are the folds that were given."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, TimeSeriesSplit

from fewest.measures._wrappers.splits import Folds, fold_of_rows

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
