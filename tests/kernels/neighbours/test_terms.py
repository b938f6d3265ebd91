"""Differences and their sums against plain arrays."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.kernels.neighbours import terms
from tests.kernels.opened import opened


def plain(column, value, scale, label, squared):
    """One difference after the other."""
    if label:
        return np.where(column == value, 0.0, 1.0)
    scaled = np.abs((column - value) * scale)
    return np.where(np.isnan(scaled), 1.0, scaled**2 if squared else scaled)


@pytest.mark.parametrize("squared", [True, False])
def test_differences_to_all_rows(squared):
    rng = np.random.default_rng(0)
    blocks = rng.integers(0, 4, (2, 3, terms.WIDTH)).astype(float)
    blocks[rng.random(blocks.shape) < 0.1] = np.nan
    x, scale, labels = np.array([1.0, 2.0, np.nan]), np.array([1.0, 0.5, 1.0]), np.zeros(3, bool)
    labels[0] = True
    out = np.zeros(blocks.shape, np.float32)
    opened(terms.differences)(blocks, labels, squared, x, scale, out)
    for b in range(2):
        for j in range(3):
            expected = plain(blocks[b, j], x[j], scale[j], labels[j], squared)
            assert out[b, j] == pytest.approx(expected)
            for r in (0, 5):
                one = terms.difference(blocks[b, j, r], x[j], scale[j], labels[j], squared)
                assert one == pytest.approx(expected[r])


def test_no_row_of_a_block_is_nearer_than_its_box():
    rng = np.random.default_rng(1)
    rows = rng.random((4, 4, terms.WIDTH))
    rows[:, 2] = rng.integers(0, 2, (4, terms.WIDTH))
    rows[0, 2] = 1.0
    low, high = rows.min(axis=2).T.copy(), rows.max(axis=2).T.copy()
    x, scale = np.array([-0.5, 1.5, 0.0, 0.5]), np.ones(4)
    labels = np.array([False, False, True, False])
    out = np.ones((4, 4), np.float32)
    opened(terms.box_differences)(low, high, labels, True, x, scale, out)
    nearest = np.array(
        [[plain(rows[b, j], x[j], 1.0, labels[j], True).min() for b in range(4)] for j in range(4)]
    )
    assert (out <= nearest + 1e-6).all()
    # Outside of the box and for labels the bound is reached.
    assert out[:2] == pytest.approx(nearest[:2], rel=1e-6)
    assert (out[3] == 0).all()
    assert out[2].tolist() == nearest[2].tolist() == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_sums_of_terms(count):
    rng = np.random.default_rng(2)
    differences = rng.random((4, 8)).astype(np.float32)
    parent, feature = np.array([-1, 0, 1, -1, 3]), np.array([0, 1, 2, 3, 0])
    step = np.array([1.0, 1.0, 0.5, 0.5, 1.0], np.float32)
    out = np.zeros((5, 8), np.float32)
    opened(terms.terms_of)(differences, parent, feature, step, out)
    assert out[2] == pytest.approx(differences[0] + differences[1] + differences[2] / 2)
    assert out[4] == pytest.approx(differences[3] / 2 + differences[0])
    chosen, factor = rng.permutation(5), rng.random(5).astype(np.float32)
    base, total = np.full(8, 0.25, np.float32), np.zeros(8, np.float32)
    opened(terms.add_up)(out, chosen, factor, count, base, total)
    expected = 0.25 + (factor[:count, None] * out[chosen[:count]]).sum(axis=0)
    assert total == pytest.approx(expected, rel=1e-5)
