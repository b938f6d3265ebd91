"""Partitions and masks against their naive twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.kernels.subsets.masks import grow
from fewest.measures.consistency.packing import layout
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


@st.composite
def tables(draw, most_rows=24, most_columns=5):
    n = draw(st.integers(1, most_rows))
    d = draw(st.integers(1, most_columns))
    seed = draw(st.integers(0, 2**32 - 1))
    values = draw(st.integers(1, 4))
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, values, (d, n)).astype(np.uint8)
    classes = rng.integers(0, draw(st.integers(1, 3)), n).astype(np.uint8)
    weights = rng.integers(1, 4, n).astype(np.int64)
    return codes, classes, weights, values, rng


def rows_of(codes, classes, weights):
    """The rows, each as often as it weighs."""
    rows = np.repeat(codes.T, weights, axis=0).tolist()
    return rows, np.repeat(classes, weights).tolist()


def packed(codes, sizes):
    """The rows in words, a few bits a column; a column never lies across two words."""
    fields = layout([int(size) for size in sizes])
    words = np.zeros((codes.shape[1], fields[-1, 0] + 1), dtype=np.uint64)
    for column, (word, shift, _) in zip(codes, fields, strict=True):
        words[:, word] |= column.astype(np.uint64) << np.uint64(shift)
    return words, fields


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
