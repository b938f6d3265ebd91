"""Partitions and masks against their naive twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from fewest.kernels.subsets.masks import grow
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


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
