"""Partitions of rows against the groups of equal patterns, refined column by column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from fewest._kernels.counting.row_patterns import count_mixed, count_split, refine, whole
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


def everything(classes):
    """All rows as one group, with room for the parts of a split."""
    n = len(classes)
    rows, starts = np.empty(n, np.int32), np.empty(n + 2, np.int32)
    return rows, starts, whole(classes, rows, starts)


def split(words, field, classes, partition, scratch):
    """The parts of a partition by one more column."""
    rows, starts, n_groups = partition
    parts, part_starts = np.empty_like(rows), np.empty_like(starts)
    n = refine(words, field, classes, rows, starts, n_groups, parts, part_starts, scratch)
    return parts, part_starts, n


def groups(partition):
    """The rows of each group, as sets of tuples."""
    rows, starts, n = partition
    return {tuple(sorted(rows[starts[g] : starts[g + 1]].tolist())) for g in range(n)}


@settings(deadline=None, max_examples=60)
@given(tables())
def test_each_split_leaves_the_groups_with_several_classes(table):
    codes, classes, weights, values, rng = table
    words, fields = packed(codes, np.full(len(codes), values))
    rows, labels = rows_of(codes, classes, weights)
    scratch, weight = np.zeros((3, values), np.int32), np.zeros(3, np.int64)
    cells, largest = np.zeros(values * 3, np.int64), np.zeros(values, np.int64)
    inside = np.zeros(len(codes), dtype=bool)
    partition = everything(classes)
    for column in rng.permutation(len(codes)):
        inside[column] = True
        ahead = count_split(
            words, fields[column], classes, weights, *partition, 3, cells, largest
        )  # fmt: skip
        partition = split(words, fields[column], classes, partition, scratch)
        assert groups(partition) == naive.mixed_groups(codes.T.tolist(), classes.tolist(), inside)
        expected = naive.inconsistency_count(rows, labels, inside)
        assert count_mixed(classes, weights, *partition, weight) == expected
        assert ahead == expected
        # The work arrays are as clean as before, so that the next split can use them.
        assert not scratch[0].any()
        assert not any(array.any() for array in (weight, cells, largest))


def test_rows_of_one_class_are_no_group():
    assert everything(np.zeros(4, np.uint8))[2] == 0
    assert groups(everything(np.array([0, 0, 1], np.uint8))) == {(0, 1, 2)}
