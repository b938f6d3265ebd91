"""Masks of the columns that tell pairs of rows apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._kernels.subsets.masks import count_pairs, grow, minimal, pair_masks
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


@settings(deadline=None, max_examples=40)
@given(tables(most_rows=12))
def test_pairs_are_told_apart_by_the_columns_that_differ(table):
    codes, classes, _, values, _ = table
    words, fields = packed(codes, [values] * len(codes))
    starts = np.array([0, len(classes)], dtype=np.int32)
    total = count_pairs(classes, starts)
    masks = pair_masks(words, fields, classes, starts, 1, total)
    found = {frozenset(j for j in range(len(codes)) if int(w) >> j & 1) for w in masks[:, 0]}
    assert found == naive.pairs_apart(codes.T.tolist(), classes.tolist())


def test_more_than_64_columns_take_two_words():
    codes = np.zeros((70, 2), dtype=np.uint8)
    codes[[3, 66], 1] = 1
    words, fields = packed(codes, [3] * 70)
    ends = np.array([0, 2], np.int32)
    masks = pair_masks(words, fields, np.array([0, 1], np.uint8), ends, 1, 1)
    assert masks.tolist() == [[1 << 3, 1 << 2]]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 255), min_size=1, max_size=30, unique=True))
def test_minimal_masks(masks):
    masks = sorted(masks, key=lambda m: (m.bit_count(), m))
    words = np.array(masks, dtype=np.uint64)[:, None]
    kept = words[minimal(words, 100), 0].tolist()
    sets = {frozenset(j for j in range(8) if m >> j & 1) for m in masks}
    expected = naive.minimal_masks(sets)
    assert {frozenset(j for j in range(8) if m >> j & 1) for m in kept} == expected


@settings(deadline=None, max_examples=40)
@given(tables())
def test_grown_sets_fail_and_every_larger_one_does_not(table):
    codes, classes, weights, values, rng = table
    rows, labels = rows_of(codes, classes, weights)
    nothing = np.zeros(len(codes), dtype=bool)
    allowed = naive.inconsistency_count(rows, labels, nothing) // 2
    if naive.inconsistency_count(rows, labels, nothing) <= allowed:
        return
    sizes = np.full(len(codes), values)
    order = rng.permutation(len(codes))
    words, fields = packed(codes, sizes)
    of = (classes, weights.astype(np.int32))
    grown = grow(words, fields, sizes, *of, 3, nothing, order, allowed)
    assert naive.inconsistency_count(rows, labels, grown) > allowed
    for j in np.flatnonzero(~grown):
        more = grown.copy()
        more[j] = True
        assert naive.inconsistency_count(rows, labels, more) <= allowed
