"""Splits that part the rows are tested together, others one after the other."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_array_equal

from fewest.classifiers.neighbours.blocks import Blocks
from fewest.measures.wrappers.neighbour_folds import rows_under_test, slices
from fewest.testing import toy_table


def test_parted_rows_are_one_call_and_overlapping_ones_several():
    table = toy_table(12, 2)
    laid = Blocks.of(table.values, table.nominal)
    rows = np.arange(12)
    parted = tuple((rows[rows % 3 != f], rows[rows % 3 == f]) for f in range(3))
    one = rows_under_test(table, laid, parted, scaled=True)
    assert len(one) == 1
    assert_array_equal(one[0].fold, rows % 3)
    partly = ((rows[6:], rows[:3]), (rows[:6], rows[6:]))
    assert [len(part.rows) for part in rows_under_test(table, laid, partly, scaled=True)] == [3, 6]


def test_slices_cover_all_candidates():
    parts = slices(10, 1_500_000)
    assert_array_equal(np.concatenate([np.arange(10)[p] for p in parts]), np.arange(10))
    assert len(parts) == 5
