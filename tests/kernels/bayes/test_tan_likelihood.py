"""Conditional log-likelihoods against products of observed shares."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from fewest._kernels.bayes.tan_likelihood import conditional_log_likelihoods
from tests.naive.conditional_likelihood import conditional_log_likelihood
from tests.naive.spanning_tree import edges_of_maximum_tree


def some_rows(seed=0, n=80):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, r, n) for r in (2, 3, 2, 4)]).astype(np.uint8)
    target = rng.integers(0, 3, n)
    codes[0, :50] = target[:50] % 2
    codes[2, :60] = codes[0, :60]
    edges = rng.random((4, 4))
    return codes, target, edges + edges.T


@pytest.mark.parametrize("tree", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_are_those_of_the_definition(tree, weighted):
    codes, target, edges = some_rows()
    sizes = np.array([2, 3, 2, 4])
    weight = np.ones(80)
    if weighted:
        weight = np.random.default_rng(1).integers(1, 4, 80).astype(float)
    subsets = np.array([[c >> j & 1 for j in range(4)] for c in range(16)], dtype=bool)
    found = conditional_log_likelihoods(codes, sizes, target, 3, weight, edges, tree, subsets)
    for subset, value in zip(subsets, found, strict=True):
        chosen = np.flatnonzero(subset).tolist()
        arcs = edges_of_maximum_tree(edges, subset) if tree else set()
        slow = conditional_log_likelihood(
            codes.T.tolist(), target.tolist(), weight.tolist(), chosen, arcs
        )
        assert value == pytest.approx(slow)


def test_nothing_known_is_the_entropy_of_the_class():
    codes, target, edges = some_rows()
    none = np.zeros((1, 4), dtype=bool)
    sizes = np.array([2, 3, 2, 4])
    (found,) = conditional_log_likelihoods(codes, sizes, target, 3, np.ones(80), edges, True, none)
    counts = np.bincount(target)
    assert found == pytest.approx(sum(n * log2(n / 80) for n in counts))
