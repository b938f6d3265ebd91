"""Naive Bayes over sparse columns against dense arithmetic, cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from fewest._kernels.bayes.sparse_margins import (
    judge_sparse_steps,
    sparse_base,
    sparse_class_moments,
    sparse_evidence,
)
from tests.naive.class_statistics import naive_moments
from tests.naive.sparse import margins as naive_margins


def small(seed, n_classes):
    rng = np.random.default_rng(seed)
    values = rng.normal(2, 1, size=(20, 4)) * (rng.random((20, 4)) < 0.4)
    target = np.sort(rng.integers(0, n_classes, 20))
    target[:n_classes] = np.arange(n_classes)
    return values, np.sort(target)


def parts(values):
    matrix = sparse.csc_matrix(values)
    return matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data


@pytest.mark.parametrize("n_classes", [2, 3])
def test_moments(n_classes):
    values, target = small(1, n_classes)
    found = sparse_class_moments(*parts(values), target, n_classes)
    expected = naive_moments(values, target, np.ones(20), n_classes)
    for one, other in zip(found, expected, strict=True):
        assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_margins_and_counts_of_steps(seed, n_classes):
    values, target = small(seed, n_classes)
    indptr, indices, data = parts(values)
    _, mean, variance = sparse_class_moments(indptr, indices, data, target, n_classes)
    mean, variance = mean[:-1], np.maximum(variance[:-1], 0.05)
    variance[:, 3] = np.inf
    zero, more, largest = sparse_evidence(indptr, data, mean, variance)
    assert largest[3] == 0.0
    prior = np.log(np.bincount(target) / 20)
    bounds = np.searchsorted(target, np.arange(n_classes + 1)).astype(np.int64)
    found = np.empty((n_classes - 1, 20))
    sparse_base(np.array([0, 2]), prior, bounds, zero, indptr, indices, more, found)
    assert_allclose(
        found.T, naive_margins(values, mean, variance, prior, target, [0, 2]), atol=1e-10
    )
    units, gains = np.array([1, 3, 2]), np.array([1, 1, -1])
    right, doubtful = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    slack = np.array([1e-9, 1e-9, 0.3])
    judge_sparse_steps(
        found, bounds, zero, indptr, indices, more, units, gains, slack, right, doubtful
    )
    for step, subset in enumerate(([0, 1, 2], [0, 2, 3], [0])):
        told = np.array(naive_margins(values, mean, variance, prior, target, subset)).min(axis=1)
        assert right[step] == (told > slack[step]).sum()
        assert doubtful[step] == (np.abs(told) <= slack[step]).sum()
