"""Majority classes of equal rows against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.subsets.majorities import majority, number_groups, right_by_majority
from fewest.classifiers._nearest_neighbor import class_rank
from fewest.measures._consistency.patterns import layout, mask_words
from tests.naive.majority import naive_right


def packed(rows, sizes):
    fields = layout(sizes)
    words = np.zeros((len(rows), int(fields[-1, 0]) + 1), np.uint64)
    for j, (word, shift, _) in enumerate(fields):
        words[:, word] |= rows[:, j].astype(np.uint64) << np.uint64(shift)
    return words, fields


@pytest.mark.parametrize("seed", range(8))
def test_right_rows_are_those_of_the_naive_table(seed):
    rng = np.random.default_rng(seed)
    # Columns with more than 64 bits together.
    sizes = [3, 2, 5, 1 << 30, 2, 1 << 31, 4]
    rows = rng.integers(0, np.minimum(sizes, 5), (60, 7))
    classes = rng.integers(0, 3, 60)
    words, fields = packed(rows, sizes)
    subsets = rng.random((10, 7)) < 0.4
    masks = np.array([mask_words(fields, s, words.shape[1]) for s in subsets])
    parts = np.split(rng.permutation(60), 3)
    splits = [(np.concatenate(parts[:f] + parts[f + 1 :]), parts[f]) for f in range(3)]
    ranks = np.array([class_rank(np.bincount(classes[a], minlength=3)) for a, _ in splits])
    right = np.zeros((10, 3), np.int64)
    right_by_majority(
        words, masks, classes, 3, np.concatenate([a for a, _ in splits]), np.arange(0, 121, 40),
        np.concatenate([b for _, b in splits]), np.arange(0, 61, 20), ranks, right,
    )  # fmt: skip
    for subset, found in zip(subsets, right, strict=True):
        columns = np.flatnonzero(subset)
        expected = [naive_right(rows.tolist(), classes.tolist(), columns, *s) for s in splits]
        assert found.tolist() == expected


def test_groups_of_equal_rows_by_hand():
    words = np.array([[0b01], [0b10], [0b01], [0b11]], dtype=np.uint64)
    group, places = np.zeros(4, np.int32), np.zeros(8, np.int32)
    assert number_groups(words, np.array([0b11], np.uint64), places, group) == 3
    assert group.tolist() == [0, 1, 0, 2]
    assert number_groups(words, np.array([0b10], np.uint64), places, group) == 2
    assert group.tolist() == [0, 1, 0, 1]


def test_equal_counts_go_to_the_higher_rank():
    counts = np.array([9, 2, 2, 1], np.int32)
    assert majority(counts, 1, 3, np.array([0, 1, 2])) == 1
    assert majority(counts, 1, 3, np.array([2, 1, 0])) == 0
