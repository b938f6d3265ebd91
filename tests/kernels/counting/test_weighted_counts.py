"""Entropies and counts of weighed rows equal those of repeated rows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fewest._kernels.counting.counts import (
    pair_entropies,
    subset_entropies,
    triple_counts,
    weighted_pair_entropies,
    weighted_subset_entropies,
    weighted_triple_counts,
)
from tests.naive.entropies import entropy


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    sizes = np.array([3, 2, 40], dtype=np.int64)
    codes = np.array([rng.integers(0, size, 50) for size in sizes], dtype=np.int32)
    return codes, sizes, rng.integers(0, 3, 50), rng.integers(1, 5, 50)


def test_subsets(rows):
    codes, sizes, target, times = rows
    subsets = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=bool)
    found = weighted_subset_entropies(codes, sizes, target, 3, times.astype(float), subsets)
    again = np.repeat(np.arange(50), times)
    many = (np.ascontiguousarray(codes[:, again]), sizes, target[again], 3)
    assert_allclose(found, subset_entropies(*many, subsets), atol=1e-12)
    for subset, (alone, joint) in zip(subsets, found, strict=True):
        columns = [codes[j, again].tolist() for j in np.flatnonzero(subset)]
        assert alone == pytest.approx(entropy(*columns) if columns else 0.0)
        assert joint == pytest.approx(entropy(*columns, target[again].tolist()))


def test_pairs(rows):
    codes, sizes, target, times = rows
    again = np.repeat(np.arange(50), times)
    found = weighted_pair_entropies(codes, sizes, target, 3, times.astype(float))
    many = (np.ascontiguousarray(codes[:, again]), sizes, target[again], 3)
    assert_allclose(found, pair_entropies(*many), atol=1e-12)


def test_triples(rows):
    codes, sizes, target, times = rows
    again = np.repeat(np.arange(50), times)
    a, b, _ = codes
    found = weighted_triple_counts(a, b, target, 3, 2, 3, times.astype(float))
    assert (found == triple_counts(a[again], b[again], target[again], 3, 2, 3)).all()
