"""Equal rows in buckets."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from fewest.measures._consistency import patterns as equal_rows
from fewest.measures._consistency.patterns import mask_words
from tests.kernels.code_tables import packed, rows_of, tables
from tests.naive import inconsistency as naive

# Counting bits multiplies modulo 2**64, of which numpy warns when nothing is compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


@pytest.mark.parametrize("bucket", [2, 16, 8192])
@settings(deadline=None, max_examples=30)
@given(table=tables(most_rows=60))
def test_equal_rows_in_buckets_of_any_size(bucket, table):
    codes, classes, weights, values, rng = table
    words, fields = packed(codes, [values] * len(codes))
    rows, labels = rows_of(codes, classes, weights)
    subset = rng.random(len(codes)) < 0.7
    mask = mask_words(fields, subset, words.shape[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equal_rows, "ROWS_PER_BUCKET", bucket)
        total = equal_rows.count_outside(words, mask, classes, weights.astype(np.int32), 3)
        mixed, starts = equal_rows.mixed_groups(words, mask, classes)
        often = equal_rows.repeated(words)
    assert total == naive.inconsistency_count(rows, labels, subset)
    groups = {tuple(mixed[a:b].tolist()) for a, b in pairwise(starts)}
    assert groups == naive.mixed_groups(codes.T.tolist(), classes.tolist(), subset)
    assert often.tolist() == naive.occurrences(codes.T.tolist())
