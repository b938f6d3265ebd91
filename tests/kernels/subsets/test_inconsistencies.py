"""Inconsistency counts against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from fewest._kernels.subsets.inconsistencies import count_cells, inconsistencies
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


def count(codes, sizes, classes, weights, n_classes, subsets):
    words, fields = packed(codes, sizes)
    args = (classes, weights.astype(np.int32), n_classes, np.uint8(255))
    return inconsistencies(words, fields, sizes, *args, subsets)


def in_order(subsets):
    return np.ascontiguousarray(subsets[np.lexsort(subsets.T[::-1])][::-1])


@settings(deadline=None, max_examples=60)
@given(tables())
def test_counts_are_those_of_the_definition(table):
    codes, classes, weights, values, rng = table
    subsets = in_order(rng.random((9, len(codes))) < 0.6)
    counts = count(codes, np.full(len(codes), values), classes, weights, 3, subsets)
    rows, labels = rows_of(codes, classes, weights)
    assert counts.tolist() == [naive.inconsistency_count(rows, labels, s) for s in subsets]


@pytest.mark.parametrize("values", [2, 40])
def test_counts_do_not_depend_on_neighbours(values):
    # Columns that hardly split, so that the stack is full before all levels are on it; with 40
    # values they take several words.
    rng = np.random.default_rng(0)
    codes = (rng.random((12, 60)) < 0.04) * rng.integers(1, values, (12, 60))
    classes = rng.integers(0, 2, 60).astype(np.uint8)
    weights = np.ones(60, dtype=np.int64)
    sizes = np.full(12, values)
    subsets = in_order(rng.random((60, 12)) < 0.8)
    together = count(codes, sizes, classes, weights, 2, subsets)
    alone = [count(codes, sizes, classes, weights, 2, s[None])[0] for s in subsets]
    naively = [naive.inconsistency_count(codes.T.tolist(), classes.tolist(), s) for s in subsets]
    assert together.tolist() == alone == naively


def test_few_patterns_are_counted_in_cells():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (3, 80))
    classes, weights = rng.integers(0, 2, 80).astype(np.uint8), rng.integers(1, 5, 80)
    words, fields = packed(codes, [3, 3, 3])
    rows, labels = rows_of(codes, classes, weights)
    for subset in ([True, False, True], [False, False, False], [True, True, True]):
        subset = np.array(subset)
        n_bits = 2 * int(subset.sum())
        found = count_cells(words, fields, subset, classes, weights.astype(np.int32), 2, n_bits)
        assert found == naive.inconsistency_count(rows, labels, subset)


def test_values_far_above_the_number_of_rows():
    codes = np.array([[70_000, 5, 70_000, 5]], dtype=np.int32)
    classes = np.array([0, 1, 1, 1], dtype=np.uint8)
    ones_ = np.ones(4, dtype=np.int64)
    counts = count(codes, np.array([70_001]), classes, ones_, 2, np.array([[True]]))
    assert counts.tolist() == [1]
