"""The splits of the external loop."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from fewest.data.build import as_table
from fewest.errors import InputError
from fewest.validation.schemes import auto_folds, external_splits

RNG = np.random.default_rng


@pytest.fixture
def table():
    return as_table(np.arange(80.0).reshape(40, 2), np.arange(40) % 2)


def test_a_name_gives_repetitions_of_stratified_folds(table):
    splits = external_splits("3x4cv", table, RNG(0))
    assert len(splits) == 12
    for start in (0, 4, 8):
        tested = np.concatenate([test for _, test in splits[start : start + 4]])
        assert sorted(tested) == list(range(40))
    assert all(np.bincount(table.target[test]).tolist() == [5, 5] for _, test in splits)


def test_groups_stay_on_one_side():
    groups = np.repeat(np.arange(10), 4)
    for y in (np.arange(40) % 2, np.linspace(0.0, 1.0, 40) ** 2):
        table = as_table(np.arange(80.0).reshape(40, 2), y, metadata={"groups": groups})
        for train, test in external_splits("2x5cv", table, RNG(0)):
            assert not set(groups[train]) & set(groups[test])


def test_the_folds_of_auto_follow_small_classes_and_groups(table):
    assert auto_folds(table) == 10
    rare = as_table(np.arange(80.0).reshape(40, 2), np.r_[np.zeros(37), np.ones(3)].astype(int))
    assert auto_folds(rare) == 3
    grouped = {"groups": np.repeat(np.arange(5), 8)}
    assert auto_folds(as_table(np.eye(40), np.arange(40) % 2, metadata=grouped)) == 5


def test_a_splitter_is_taken_as_it_is(table):
    splits = external_splits(KFold(4), table, RNG(0))
    assert [test.tolist() for _, test in splits] == np.arange(40).reshape(4, 10).tolist()


def test_too_few_rows_get_a_sentence(table):
    with pytest.raises(InputError, match="which needs at least 60 rows, but there are 40"):
        external_splits("1x30cv", table, RNG(0))
    rare = as_table(np.eye(40), [f"{i % 20}" for i in range(40)])
    with pytest.raises(InputError, match="no class has that many rows"):
        external_splits("1x4cv", rare, RNG(0))
