"""One split and one method of Drugan and Wiering: rows, selections and figures."""

import numpy as np
import pytest

from fewest.classifiers._network_classifiers import restricted
from fewest.data import generate, load
from fewest.data._discretise import Discretiser
from fewest.testing import mixed_table, nominal_table, parity_table
from papers.network_selection import (
    accuracy,
    call_per_row,
    complete_rows,
    redundant_percent,
    select,
    splits,
)


def test_the_wrapper_takes_one_feature_even_where_none_beats_the_most_frequent_class():
    noise = restricted(generate("xor").table(), [0, 3])
    assert select(noise, "accuracy", "naive-bayes").sum() == 1
    assert select(noise, "mdl-fs", "naive-bayes").sum() == 0


def test_rows_with_unknown_values_or_other_letters_go():
    table = mixed_table()
    known = ~np.isnan(table.values).any(axis=1)
    assert complete_rows(table).n_rows == known.sum() == 0
    letters = nominal_table()
    assert complete_rows(letters).n_rows == letters.n_rows
    kept = complete_rows(letters, "ab")
    # Every second feature has a third level, c.
    assert kept.n_rows == (letters.values < 2).all(axis=1).sum()


def test_a_third_of_the_rows_is_for_testing():
    table = nominal_table()
    parts = list(splits(table, 3, seed=1))
    assert [(train.n_rows, test.n_rows) for train, test in parts] == [(32, 16)] * 3
    assert any((parts[0][0].target != train.target).any() for train, _ in parts[1:])


def test_cut_points_are_learned_once_on_the_first_two_thirds():
    iris = load("iris").table()
    mixed = iris.take(np.random.default_rng(3).permutation(iris.n_rows))
    for table, first in (
        (mixed, np.arange(100)),
        (iris, np.random.default_rng(0).permutation(150)[:100]),
    ):
        known = Discretiser().fit(table.take(np.sort(first))).apply(table)
        parts = list(splits(table, 2))
        assert all(train.levels == test.levels == known.levels for train, test in parts)


def test_figures_of_a_mask():
    table = parity_table()
    three = np.array([True, True, True, False, False])
    # Naive Bayes sees nothing in parity; no features are all redundant alone, pairs as well.
    assert call_per_row(table, three, "naive-bayes") == pytest.approx(0.0)
    assert redundant_percent(table) == (100.0, 100.0)
    copy = nominal_table()
    first = np.array([True, False, False, False, False])
    agree = 100 * (copy.values[:, 0] == copy.target).mean()
    assert accuracy(copy, copy, first, "naive-bayes") == pytest.approx(agree)
