"""Areas and average precisions against the slow obvious way."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest._kernels.scoring.ranks import join_equals, rank_scores, row_keys
from tests.naive.scoring import naive_area, naive_average_precision


@pytest.mark.parametrize("digits", [0, 1, 8])
def test_ranks(digits):
    rng = np.random.default_rng(digits)
    scores = rng.normal(size=(4, 23)).round(digits)
    positive, weight = rng.random(23) < 0.4, rng.random(23)
    nobody = np.zeros((4, 23), dtype=np.uint64)
    areas, doubts = rank_scores(scores, np.zeros((4, 23)), nobody, positive, weight, False)
    precisions, _ = rank_scores(scores, np.zeros((4, 23)), nobody, positive, weight, True)
    for i in range(4):
        assert_allclose(areas[i], naive_area(scores[i], positive, weight))
        assert_allclose(precisions[i], naive_average_precision(scores[i], positive, weight))
        ties = (scores[i][positive][:, None] == scores[i][~positive]).any()
        assert (doubts[i] > 0) == ties


@pytest.mark.parametrize("spread", [-1.0, 0.0, 1e-14])
@pytest.mark.parametrize("digits", [0, 1, 8])
@pytest.mark.parametrize("n", [23, 150, 300])
def test_pairs_are_compared_where_rows_are_few_and_weigh_the_same(n, digits, spread):
    rng = np.random.default_rng(n + digits)
    scores, positive = rng.normal(size=(4, n)).round(digits), rng.random(n) < 0.4
    nobody, ones = np.zeros((4, n), dtype=np.uint64), np.ones(n)
    areas, _ = rank_scores(scores, np.full((4, n), spread), nobody, positive, ones, False)
    for own, area in zip(scores, areas, strict=True):
        assert_allclose(area, naive_area(own, positive, ones))


def test_one_kind_only():
    scores, nobody = np.zeros((1, 3)), np.zeros((1, 3), dtype=np.uint64)
    no = np.zeros(3, dtype=bool)
    assert np.isnan(rank_scores(scores, scores, nobody, no, np.ones(3), False)[0][0])
    assert rank_scores(scores, scores, nobody, no, np.ones(3), True)[0][0] == 0.0


def test_doubts_are_neighbours_of_different_kind_that_are_not_the_same():
    scores = np.array([[1.0, 1.0 + 1e-15, 2.0, 2.0, 3.0]])
    positive = np.array([True, False, True, False, True])
    spread, weight = np.full((1, 5), 1e-14), np.ones(5)
    keys = np.array([[0, 0, 7, 7, 0]], dtype=np.uint64)
    _, doubtful = rank_scores(scores, spread, keys, positive, weight, False)
    assert_array_equal(doubtful, [1])


def test_row_keys_tell_which_rows_are_the_same():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 3, (4, 40))
    masks = np.array([[1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]], dtype=bool)
    for mask, keys in zip(masks, row_keys(values, masks), strict=True):
        _, expected = np.unique(values[mask], axis=1, return_inverse=True)
        assert_array_equal(keys[:, None] == keys, expected[:, None] == expected)
        assert (keys > 2).all()


def test_rows_with_the_same_key_are_one_step_whatever_their_last_bits():
    rng = np.random.default_rng(3)
    plain = rng.normal(size=(4, 9))[:, rng.integers(0, 9, 30)]
    positive, weight = rng.random(30) < 0.5, np.ones(30)
    keys = row_keys(plain[:1].view(np.int64), np.ones((4, 1), dtype=bool))
    keys[:, :3] = 0
    scores = plain * (1.0 + 2e-16 * rng.integers(-1, 2, plain.shape))
    alone = scores[:, :3].copy()
    join_equals(scores, keys)
    assert_array_equal(scores[:, :3], alone)
    for own, known in zip(scores, keys, strict=True):
        for key in np.unique(known[3:]):
            assert len(np.unique(own[known == key])) == 1
    scores[:, :3] = plain[:, :3] = [7.0, 8.0, 9.0]
    found, _ = rank_scores(scores, np.zeros_like(scores), keys, positive, weight, True)
    expected = [naive_average_precision(own, positive, weight) for own in plain]
    assert_allclose(found, expected)
