"""The first set of a size within a number of inconsistencies."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._kernels.subsets.lattice_walks import find_within
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


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
