"""Margins in 16 bits judge as margins in full do."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest._kernels.bayes.class_margins import nibbles
from fewest._kernels.bayes.short_margins import WHOLE, judge_rounded, shorten
from tests.naive.margins import naive_judge, naive_judge_parts, naive_margins


def _judge_parts(rivals, margins, base, tolerance, masks, bounds):
    m = len(masks)
    right, doubtful = np.zeros((2, len(bounds) - 1, m), np.int64)
    judge_rounded(
        margins, base, tolerance, shorten(margins, base, tolerance), rivals, np.array(bounds),
        nibbles(masks), right, doubtful,
    )  # fmt: skip
    return right, doubtful


def _judge(rivals, margins, base, tolerance, masks):
    counts = _judge_parts(rivals, margins, base, tolerance, masks, [0, len(base) // rivals])
    return [count[0] for count in counts]


def _table(classes, n, d, far):
    rng = np.random.default_rng(classes)
    target = np.sort(rng.integers(0, classes, n))
    # Round numbers, so that many sums are zero; one feature may dwarf the others.
    evidence = rng.normal(size=(d, classes, n)).round(1)
    evidence[0] *= far
    log_prior = rng.normal(size=classes).round(1)
    margins, base, _ = map(np.array, naive_margins(evidence, log_prior, target, 0, n))
    masks = rng.random((20, d)) < 0.5
    masks[:, 1] |= ~masks.any(axis=1)
    return evidence, log_prior, target, margins, base, masks


@pytest.mark.parametrize("far", [1.0, 1e9])
@pytest.mark.parametrize(("classes", "n"), [(2, 20), (4, 150), (3, 1500)])
def test_rows_are_told_as_in_full(classes, n, far):
    evidence, log_prior, target, margins, base, masks = _table(classes, n, 9, far)
    found = _judge(classes - 1, margins, base, np.full(len(base), 0.05), masks)
    assert_array_equal(found, naive_judge(evidence, log_prior, target, masks, 0.05))


@pytest.mark.parametrize("bounds", [[0, 70, 70, 150], [0, 1, 149, 150]])
def test_parts_of_the_rows_are_counted_apart(bounds):
    evidence, log_prior, target, margins, base, masks = _table(4, 150, 9, 1.0)
    found = _judge_parts(3, margins, base, np.full(len(base), 0.05), masks, bounds)
    expected = naive_judge_parts(evidence, log_prior, target, masks, 0.05, bounds)
    assert_array_equal(found, expected)


def test_rounded_margins_and_their_sums_fit_16_bits():
    _, _, _, margins, base, _ = _table(3, 50, 9, 1e9)
    short = shorten(margins, base, np.full(len(base), 1e-9)).astype(np.int64)
    assert (np.abs(short).sum(axis=0) <= WHOLE + 1).all()
    assert (np.abs(short).sum(axis=0) > 0).all()


def test_what_is_no_number_is_left_open():
    margins = np.tile([[np.nan, 1.0, -1.0, np.inf, 0.0]], (2, 1))
    base, tolerance = np.zeros(5), np.zeros(5)
    assert_array_equal((shorten(margins, base, tolerance) != 0).any(axis=0), [0, 1, 1, 0, 0])
    right, doubtful = _judge(1, margins, base, tolerance, np.ones((30, 2), dtype=bool))
    assert_array_equal([right, doubtful], np.repeat([[2], [2]], 30, axis=1))


@pytest.mark.parametrize(("d", "small", "large"), [(4000, 7.6, 8.6), (20_000, 1.6, 1.6)])
def test_sums_of_many_margins_that_are_rounded_up_fit_16_bits(d, small, large):
    # In units of which 32,000 are the sum, all of these would be rounded up.
    margins = np.full((d, 3), small)
    margins[: 2 * d // 5] = large
    base, tolerance = np.zeros(3), np.full(3, 1e-9)
    short = shorten(margins, base, tolerance).astype(np.int64)
    assert np.abs(short).sum(axis=0).max() <= WHOLE + 1
    right, doubtful = _judge(1, margins, base, tolerance, np.ones((20, d), dtype=bool))
    assert_array_equal([right, doubtful], np.repeat([[3], [0]], 20, axis=1))
