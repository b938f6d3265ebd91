"""Inconsistency counts of a subset with one more column against the definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from fewest._kernels.subsets.inconsistencies import count_steps
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive


@settings(deadline=None, max_examples=60)
@given(tables())
def test_counts_are_those_of_the_definition(table):
    codes, classes, weights, values, rng = table
    d = len(codes)
    words, fields = packed(codes, np.full(d, values))
    inside = rng.random(d) < 0.4
    columns = np.flatnonzero(~inside)
    found = count_steps(
        words, fields, np.full(d, values), classes, weights.astype(np.int32), 3,
        np.flatnonzero(inside), columns,
    )  # fmt: skip
    rows, labels = rows_of(codes, classes, weights)
    subsets = [inside | (np.arange(d) == j) for j in columns]
    assert found.tolist() == [naive.inconsistency_count(rows, labels, s) for s in subsets]
