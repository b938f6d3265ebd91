"""Equal rows in buckets."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.measures.consistency import equal_rows
from fewest.measures.consistency.packing import layout, mask_words
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
        patch.setattr(equal_rows, "BUCKET", bucket)
        total = equal_rows.count_outside(words, mask, classes, weights.astype(np.int32), 3)
        mixed, starts = equal_rows.mixed_groups(words, mask, classes)
        often = equal_rows.repeated(words)
    assert total == naive.inconsistency_count(rows, labels, subset)
    groups = {tuple(mixed[a:b].tolist()) for a, b in pairwise(starts)}
    assert groups == naive.mixed_groups(codes.T.tolist(), classes.tolist(), subset)
    assert often.tolist() == naive.occurrences(codes.T.tolist())
