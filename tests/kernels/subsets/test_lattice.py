"""The first set of a size within a number of inconsistencies."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.kernels.subsets.lattice import find_within
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
@given(tables(most_columns=8), st.integers(1, 6), st.booleans())
def test_the_first_set_of_a_size_within_a_number_of_inconsistencies(table, most, with_base):
    codes, classes, weights, values, rng = table
    d = len(codes)
    rows, labels = rows_of(codes, classes, weights)
    base = [int(rng.integers(d))] if with_base else []
    columns = [j for j in rng.permutation(d).tolist() if j not in base]
    allowed = int(rng.integers(0, max(1, len(rows) // 3)))
    counts = {
        places: naive.inconsistency_count(
            rows, labels, [j in base or j in {columns[p] for p in places} for j in range(d)]
        )
        for places in combinations(range(len(columns)), most)
    }
    expected = next((places for places, found in counts.items() if found <= allowed), None)
    if len(columns) < most:
        return
    words, fields = packed(codes, [values] * d)
    of = (classes, weights.astype(np.int32), 3)
    place, sizes = np.zeros(most, np.int64), np.full(d, values)
    args = (np.array(base, np.int64), np.array(columns, np.int64), place, allowed)
    answer = find_within(words, fields, sizes, of, *args, np.zeros(1, np.int64))
    assert answer == (expected is not None)
    assert expected is None or tuple(place) == expected
    assert find_within(words, fields, sizes, of, *args, np.ones(1, np.int64)) == -1
