"""Rows to search again on."""

from dataclasses import replace

import numpy as np

from fewest._fitting.consensus import all_but_one_part, subsample
from fewest.testing import toy_table


def test_a_subsample_keeps_the_share_of_every_class():
    table = toy_table(n_rows=100, n_classes=2)
    rows = subsample(table, np.random.default_rng(1))
    assert np.bincount(table.target[rows]).tolist() == [35, 35]
    assert len(np.unique(rows)) == 70


def test_a_class_with_one_row_is_never_lost():
    table = toy_table(n_rows=21)
    target = np.zeros(21, dtype=table.target.dtype)
    target[20] = 1
    assert 20 in subsample(replace(table, target=target), np.random.default_rng(0))


def test_groups_stay_together():
    groups = np.repeat(np.arange(10), 4)
    table = replace(toy_table(n_rows=40), metadata={"groups": groups})
    rows = subsample(table, np.random.default_rng(0))
    assert np.bincount(groups[rows], minlength=10).tolist().count(4) == 7
    assert len(rows) == 28
    for kept in all_but_one_part(table, 5, np.random.default_rng(0)):
        assert set(np.bincount(groups[kept], minlength=10)) == {0, 4}


def test_every_row_is_left_out_once_and_classes_stay_balanced():
    table = toy_table(n_rows=60)
    parts = all_but_one_part(table, 10, np.random.default_rng(0))
    left = [np.setdiff1d(np.arange(60), kept) for kept in parts]
    assert sorted(np.concatenate(left).tolist()) == list(range(60))
    assert all(np.bincount(table.target[rows]).tolist() == [3, 3] for rows in left)
