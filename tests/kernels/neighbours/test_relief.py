"""ReliefF weights against the definition, and unknown values by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.neighbours.near_rows import _difference, _shares, relief_weights
from tests.naive import filters


@pytest.mark.parametrize("k", [1, 4, 50])
def test_weights_equal_the_naive_ones(k):
    rng = np.random.default_rng(k)
    values = np.column_stack([rng.random(40), rng.integers(0, 3, 40), rng.random(40)])
    target = rng.integers(0, 3, 40)
    values[:, 0] = (values[:, 0] + target) / 3
    shares = np.bincount(target) / 40
    sizes = np.array([0, 3, 0])
    found = relief_weights(values, sizes, target, shares, np.arange(40), k)
    expected = filters.relief(values.tolist(), [False, True, False], target.tolist(), k)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("a", "b", "size", "expected"),
    [
        (1.0, 2.0, 3, 1.0),
        (1.0, 1.0, 3, 0.0),
        (np.nan, 1.0, 4, 0.75),
        (0.2, 0.9, 0, 0.7),
        (np.nan, 0.3, 0, 0.7),
        (0.6, np.nan, 0, 0.6),
        (np.nan, np.nan, 0, 1.0),
    ],
)
def test_differences(a, b, size, expected):
    assert _difference(a, b, size) == pytest.approx(expected)


def test_rows_as_far_as_the_last_share_its_place():
    distances = np.array([0.0, 2.0, 1.0, 0.7, 1.0, 0.5])
    target = np.array([0, 0, 0, 0, 0, 1])
    best, share = np.zeros(2, dtype=np.int64), np.zeros(6)
    assert _shares(distances, target, 0, 0, 2, best, share) == 2
    assert share.tolist() == [0.0, 0.0, 0.5, 1.0, 0.5, 0.0]
    assert _shares(distances, target, 0, 1, 2, best, share) == 1
    assert share.tolist() == [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]


def test_weights_of_tied_rows_do_not_depend_on_their_order():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2, (30, 4)).astype(float)
    target, order = rng.integers(0, 2, 30), rng.permutation(30)
    shares, sizes = np.bincount(target) / 30, np.full(4, 2)
    found = relief_weights(values, sizes, target, shares, np.arange(30), 3)
    again = relief_weights(values[order], sizes, target[order], shares, np.arange(30), 3)
    assert found == pytest.approx(again)
    expected = filters.relief(values.tolist(), [True] * 4, target.tolist(), 3)
    assert found == pytest.approx(expected)
