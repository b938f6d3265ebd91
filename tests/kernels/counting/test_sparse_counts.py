"""Entropies of sparse columns against a count of all cells."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.counting.counts import sparse_entropies
from tests.naive.sparse import entropy


@pytest.mark.parametrize("seed", range(4))
def test_entropies_are_those_of_the_dense_columns(seed):
    rng = np.random.default_rng(seed)
    n, d = 25, 5
    codes = rng.integers(0, 3, size=(n, d)) * (rng.random((n, d)) < 0.3)
    zero = np.zeros(d, dtype=np.int64)
    stored = codes != 0
    stored[0, 1] = True  # A stored value may have the code of the zeros.
    indptr = np.append(0, np.cumsum(stored.sum(axis=0))).astype(np.int64)
    indices = np.concatenate([np.flatnonzero(stored[:, j]) for j in range(d)])
    kept = np.concatenate([codes[stored[:, j], j] for j in range(d)])
    target, other = rng.integers(0, 2, n), rng.integers(0, 3, n)
    cardinalities = np.full(d, 3, dtype=np.int64)
    found = sparse_entropies(indptr, indices, kept, zero, cardinalities, other, 3, target, 2)
    for j in range(d):
        pairs = list(zip(codes[:, j].tolist(), other.tolist(), strict=True))
        triples = list(zip(codes[:, j].tolist(), other.tolist(), target.tolist(), strict=True))
        assert found[0, j] == pytest.approx(entropy(pairs), abs=1e-12)
        assert found[1, j] == pytest.approx(entropy(triples), abs=1e-12)
