"""Votes under subsets by whole numbers: those of the general path, on tables of all kinds."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest.classifiers.neighbours.blocks import Blocks, Queries, find_neighbours
from fewest.classifiers.neighbours.subset_votes import find_votes, summable
from fewest.kernels.neighbours.terms import WIDTH

SCALES = {
    "alike": np.ones(9),
    "far apart": 10.0 ** np.arange(-4, 5),
    "one constant": np.r_[0.0, np.ones(8)],
}


def problem(values, seed=0):
    rng = np.random.default_rng(seed)
    n, d = values.shape
    laid = Blocks.of(values, np.zeros(d, dtype=bool))
    fold = rng.integers(0, 5, n)
    target = rng.integers(0, 3, n)
    rank = np.tile(np.arange(3)[::-1], (n, 1))
    queries = Queries(values, fold, laid.place // WIDTH, np.ones((n, d)), rank)
    masks = (rng.random((60, d)) < 0.4).astype(float)
    masks[masks.sum(axis=1) == 0, -1] = 1.0
    masks[:d] = np.eye(d)
    return laid, queries, masks, {"group": laid.spread(fold, -1), "target": laid.spread(target, 0)}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("k", [1, 4, 11])
def test_votes_and_open_ties_are_those_of_the_general_path(scale, squared, k):
    rng = np.random.default_rng(k)
    values = rng.normal(size=(150, 9)) * SCALES[scale]
    values[::7] = values[0]
    laid, queries, masks, given = problem(values)
    assert summable(laid, queries, masks)
    absolute = np.where(np.arange(len(masks)) % 2, 1e-7, 0.0)
    options = {
        "squared": squared, "whole": False, "absolute": absolute,
        "lowest": np.zeros(len(masks), dtype=bool), "fills": True,
    }  # fmt: skip
    found = find_votes(laid, queries, masks, k, **given, **options)
    expected = find_neighbours(laid, queries, masks, k, **given, **options)
    assert_array_equal(found.open_ties, expected.open_ties)
    assert_array_equal(found.predicted, expected.predicted)


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("lowest", [True, False])
def test_whole_numbers_are_exact(k, lowest):
    values = np.random.default_rng(k).integers(0, 4, (130, 40)).astype(float)
    laid, queries, masks, given = problem(values)
    options = {
        "squared": True, "whole": True, "absolute": np.zeros(len(masks)),
        "lowest": np.full(len(masks), lowest), "fills": True,
    }  # fmt: skip
    found = find_votes(laid, queries, masks, k, **given, **options)
    expected = find_neighbours(laid, queries, masks, k, **given, **options)
    assert_array_equal(found.open_ties, expected.open_ties)
    assert_array_equal(found.predicted, expected.predicted)


def test_what_cannot_be_summed_is_known():
    values = np.random.default_rng(0).normal(size=(40, 3))
    laid, queries, masks, _ = problem(values)
    assert summable(laid, queries, masks)
    assert not summable(laid, queries, masks[:5])
    assert not summable(laid, queries, masks / 2)
    values[0, 0] = np.nan
    assert not summable(*problem(values)[:3])
