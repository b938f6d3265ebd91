"""Ranges without a row, and the order of classes."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from fewest.classifiers._nearest_neighbor import class_rank, range_scale, scales_without_own
from fewest.testing import mixed_table


def test_scales_without_a_row_are_those_of_the_other_rows():
    table = mixed_table()
    got = scales_without_own(table.values, table.nominal)
    for i in range(table.n_rows):
        rest = np.delete(table.values, i, axis=0)
        assert_allclose(got[i], range_scale(rest, table.nominal)[0])


def test_the_more_frequent_class_ranks_higher_and_then_the_earlier():
    assert_array_equal(class_rank(np.array([2, 5, 2, 5])), [1, 3, 0, 2])
