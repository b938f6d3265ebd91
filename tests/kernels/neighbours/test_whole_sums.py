"""Votes by sums of whole numbers against one distance at a time."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.classifiers.neighbours.blocks import EQUAL, Blocks
from fewest.kernels.neighbours.terms import WIDTH
from fewest.kernels.neighbours.whole_sums import FAR, nearest_rows_of_subsets
from tests.naive.neighbours import naive_vote_of_nearest

N, D, CLASSES = 80, 7, 3


def found(values, masks, target, fold, k, squared, per_group, whole):
    m, n = len(masks), len(values)
    laid = Blocks.of(values, np.zeros(D, dtype=bool))
    groups = max(2, -(-D // per_group))
    groups += groups % 2
    padded = np.zeros((m, groups * per_group), dtype=np.int64)
    padded[:, :D] = masks
    at = padded.reshape(m, groups, per_group) @ (1 << np.arange(per_group))
    at += np.arange(groups) << per_group
    largest = np.ptp(values, axis=0).max() ** (2 if squared else 1)
    margin = np.zeros(m) if whole else masks.sum(axis=1) + 2
    predicted, open_ties = np.empty((m, n), dtype=np.int64), np.empty((m, n), dtype=bool)
    nearest_rows_of_subsets(
        laid.blocks, laid.low, laid.high, laid.values, squared,
        laid.spread(fold, -1).reshape(-1, WIDTH), values, fold, laid.place // WIDTH,
        1.0 if whole else (int(FAR) - 1) / D / largest, per_group, at.astype(np.uint64),
        margin.astype(np.int32), masks.astype(np.float64), k, EQUAL, np.zeros(m),
        laid.spread(target, 0), np.tile(np.arange(CLASSES)[::-1], (n, 1)), laid.row,
        np.zeros(m, dtype=bool), np.zeros(m, dtype=bool), np.zeros((1, 2), dtype=np.int64), True,
        predicted, open_ties,
    )  # fmt: skip
    return predicted, open_ties


# Groups of 4, 2 and 1 features make two, four and eight of them.
@pytest.mark.parametrize(("per_group", "k"), [(4, 1), (2, 5), (1, 9)])
@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("whole", [True, False])
def test_votes_are_those_of_plain_distances(per_group, k, squared, whole):
    rng = np.random.default_rng(k)
    values = rng.integers(0, 9, (N, D)).astype(float) if whole else rng.normal(size=(N, D))
    masks = np.vstack([np.eye(D)[:1], rng.random((2, D)) < 0.6]).astype(bool)
    masks[:, 0] |= ~masks.any(axis=1)
    target, fold = rng.integers(0, CLASSES, N), rng.integers(0, 4, N)
    predicted, open_ties = found(values, masks, target, fold, k, squared, per_group, whole)
    for s, mask in enumerate(masks):
        for q in range(0, N, 7):
            others = np.flatnonzero(fold != fold[q]).tolist()
            expected = naive_vote_of_nearest(
                values[:, mask].tolist(), target.tolist(), q, others, k, squared
            )
            assert (None if open_ties[s, q] else predicted[s, q]) == expected
