"""Rows without a possible class against the slow obvious way, compiled or not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest.kernels.bayes.margins import nibbles
from fewest.kernels.bayes.ruled_out import count_ruled_out
from tests.naive.ruled_out import naive_ruled_out


@pytest.mark.parametrize(("d", "classes"), [(3, 2), (4, 3), (9, 2)])
def test_rows_that_have_no_class_left(d, classes):
    rng = np.random.default_rng(d)
    ruled = rng.random((25, classes, d)) < 0.3
    masks = rng.random((12, d)) < 0.5
    packed = nibbles(np.ascontiguousarray(ruled.reshape(-1, d))).reshape(25, classes, -1)
    counts = np.ones(12, np.int64)
    count_ruled_out(packed, nibbles(masks), counts)
    expected = naive_ruled_out(ruled.tolist(), masks.tolist())
    assert 0 < max(expected) < 25
    assert_array_equal(counts - 1, expected)


def test_no_rows():
    counts = np.zeros(2, np.int64)
    count_ruled_out(np.zeros((0, 2, 1), np.uint8), np.ones((2, 1), np.uint8), counts)
    assert_array_equal(counts, [0, 0])
