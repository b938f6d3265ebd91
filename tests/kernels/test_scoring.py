"""Probabilities and their losses against the slow obvious way and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import log_loss

from fewest._kernels.exponentials import exponentials, logarithms, summed_exponentials
from fewest._kernels.scoring.probabilities import (
    LOGSUMEXP,
    ODDS,
    brier_losses,
    log_loss_errors,
    log_losses,
    probabilities,
    ranked_shares,
)
from fewest._kernels.scoring.ranks import confusions, join_equals, rank_scores, row_keys
from tests.naive.scoring import (
    naive_area,
    naive_average_precision,
    naive_confusion,
    naive_probabilities,
)


@pytest.mark.parametrize("way", [LOGSUMEXP, ODDS])
@pytest.mark.parametrize("outputs", [1, 2, 3])
def test_probabilities(outputs, way):
    values = np.random.default_rng(outputs).normal(size=(2, outputs, 9)) * 20.0
    shares = probabilities(values, way)
    for i in range(2):
        assert_allclose(shares[i], naive_probabilities(values[i]), rtol=1e-12, atol=1e-15)
    if outputs > 1:
        ranked, _, _ = ranked_shares(values, np.zeros((2, 9)), way, 0)
        assert_allclose(np.moveaxis(ranked, 0, 1), shares, rtol=1e-12, atol=1e-300)


def test_losses():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(2, 3, 30))
    target, weight = rng.integers(0, 3, 30), rng.random(30)
    shares = probabilities(values, ODDS)
    for i in range(2):
        expected = log_loss(target, shares[i].T, sample_weight=weight)
        assert_allclose(log_losses(shares, target, weight)[i], expected)
        away = ((shares[i].T - np.eye(3)[target]) ** 2).sum(axis=1)
        assert_allclose(brier_losses(shares, target, weight)[i], np.average(away, weights=weight))


def test_certain_ties_at_the_ends():
    values = np.array([[[0.0, 0.0, 0.0], [100.0, -900.0, 1.0]]])
    shares, spread, keys = ranked_shares(values, np.zeros((1, 3)), ODDS, 0)
    assert_array_equal(keys[1, 0], [1, 2, 0])
    assert_array_equal(shares[1, 0, :2], [1.0, 0.0])
    assert 0.0 < spread[1, 0, 2] < 1e-14


def test_ends_are_not_certain_where_rounding_may_turn_the_lead():
    values = np.array([[[0.0, 0.0, 0.0], [100.0, -900.0, 1.0]]])
    _, spread, keys = ranked_shares(values, np.full((1, 3), 950.0), ODDS, 0)
    assert_array_equal(keys[1, 0], [0, 0, 0])
    assert not (spread[1, 0] < 1.0).any()
    _, _, keys = ranked_shares(values, np.full((1, 3), 20.0), ODDS, 0)
    assert_array_equal(keys[1, 0], [1, 2, 0])


@pytest.mark.parametrize("centre", [0.0, 100.0, -700.0])
@pytest.mark.parametrize("outputs", [2, 3])
@pytest.mark.parametrize("way", [LOGSUMEXP, ODDS])
def test_rounding_moves_log_losses_by_no_more_than_their_errors(outputs, way, centre):
    """Moving all values by a little changes how probabilities are rounded, and nothing else."""
    rng = np.random.default_rng(outputs)
    values = rng.normal(0.0, 15.0, (40, outputs, 6)) + centre
    target, weight = np.arange(6) % max(2, outputs), rng.random(6)
    found, errors = [], []
    for shift in (0.0, *rng.normal(0.0, 1e-13, 20)):
        moved = values + shift
        shares = probabilities(moved, way)
        if outputs < 3:
            shares[:, 0] = 1.0 - shares[:, 1]
        slack = np.full((40, 6), 1e-12)
        errors.append(log_loss_errors(moved, slack, way, shares, target, weight))
        found.append(log_losses(shares, target, weight))
    for loss, error in zip(found, errors, strict=True):
        assert (np.abs(loss - found[0]) <= error + errors[0]).all()
    assert (errors[0] < 1e-7).mean() > (0.9 if outputs > 2 else 0.4)
    assert (errors[0] > 0.0).all()
    assert outputs > 2 or (errors[0] > 1e-7).any()


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


@pytest.mark.parametrize("outputs", [1, 2, 4])
def test_confusions(outputs):
    rng = np.random.default_rng(outputs)
    values = rng.normal(size=(3, outputs, 25)).round(1)
    labels = np.array([0, 2, 3, 4])[: max(outputs, 2)]
    target, weight = rng.integers(0, 5, 25), rng.random(25)
    counts, doubtful = confusions(values, np.full((3, 25), 0.05), labels, target, weight, 5)
    for i in range(3):
        assert_allclose(counts[i], naive_confusion(values[i], labels, target, weight, 5))
        lead = np.abs(values[i, 0])
        if outputs > 1:
            lead = np.diff(np.sort(values[i], axis=0)[-2:], axis=0)[0]
        assert doubtful[i] == (lead <= 0.05).sum()


def test_values_that_are_no_numbers_are_in_doubt():
    values = np.array([[[np.nan, 1.0], [0.0, 0.0]]])
    two = np.array([0, 1])
    _, doubtful = confusions(values, np.zeros((1, 2)), two, two, np.ones(2), 2)
    assert_array_equal(doubtful, [1])


def _of(function, values):
    values = np.array(values, dtype=np.float64)
    function(values, np.empty_like(values))
    return values


def test_exponentials():
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.uniform(-708.0, 709.0, 300), rng.normal(size=300), [0.0, -1e-300]])
    assert_allclose(_of(exponentials, values), np.exp(values), rtol=5e-16)
    assert_array_equal(_of(exponentials, [0.0]), [1.0])


def test_summed_exponentials():
    values = np.random.default_rng(1).normal(size=50)
    found, sums = values.copy(), np.ones(50)
    summed_exponentials(found, np.empty(50), sums)
    assert_array_equal(found, _of(exponentials, values))
    assert_array_equal(sums, 1.0 + found)


def test_exponentials_far_away_are_as_good_as_nothing_and_do_not_overflow():
    found = _of(exponentials, [-1e9, 1e9])
    assert 0.0 <= found[0] < 1e-300 < found[1] < np.inf


def test_logarithms():
    rng = np.random.default_rng(0)
    near = 1.0 + rng.random(300) * 10.0 ** rng.uniform(-15, 1, 300)
    values = np.concatenate([np.exp(rng.uniform(-700, 700, 300)), near])
    assert_allclose(_of(logarithms, values), np.log(values), rtol=8e-16)
    assert_array_equal(_of(logarithms, [1.0]), [0.0])
