"""What the nearest rows vote for, against every way to fill the last places."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from fewest.kernels.neighbours.votes import decided, drop_far
from tests.kernels.opened import opened

decide_compiled, sort_and_drop = opened(decided), opened(drop_far)


def elected(classes, rank):
    """The class with most votes; of equals, the one with the largest rank."""
    counts = Counter(classes)
    return max(counts, key=lambda c: (counts[c], rank[c]))


def drawn(rng, classes=3):
    """Rows with few different distances, sorted as the kernels sort them, and how many count."""
    size, k = int(rng.integers(3, 9)), int(rng.integers(1, 4))
    exact = rng.integers(0, 3, size).astype(float)
    found = np.arange(size)
    count = sort_and_drop(size, k, exact, found, 0.0, 0.0)
    return found, exact, count, k, rng.integers(0, classes, size), rng.permutation(classes)


def decide(case, *, fills, lowest, order):
    found, exact, count, k, target, rank = case
    votes = np.zeros(len(rank), np.int64)
    return decide_compiled(
        found, exact, count, k, fills, lowest, 0.0, 0.0, target, rank, order, votes
    )


@pytest.mark.parametrize("seed", range(60))
def test_a_tie_is_open_only_where_the_choice_of_rows_matters(seed):
    rng = np.random.default_rng(seed)
    case = drawn(rng)
    found, exact, count, k, target, rank = case
    sure = [i for i in range(count) if exact[i] < exact[k - 1]]
    rest = [i for i in range(count) if exact[i] == exact[k - 1]]
    winners = {
        elected([target[found[i]] for i in (*sure, *filled)], rank)
        for filled in combinations(rest, k - len(sure))
    }
    winner, is_open = decide(case, fills=True, lowest=False, order=np.arange(len(target)))
    assert is_open == (len(winners) > 1)
    if not is_open:
        assert {winner} == winners


@pytest.mark.parametrize("seed", range(20))
def test_all_rows_as_far_as_the_last_vote_where_no_number_must_be_kept(seed):
    case = drawn(np.random.default_rng(seed))
    found, _, count, k, target, rank = case
    winner, is_open = decide(case, fills=False, lowest=False, order=np.arange(len(target)))
    voters = [target[i] for i in found[:count]]
    assert winner == elected(voters, rank)
    assert is_open == (count > k and len(set(voters)) > 1)


def test_the_lowest_number_decides_alone():
    found, exact = np.array([2, 0, 1]), np.zeros(3)
    case = (found, exact, 3, 1, np.array([0, 1, 1]), np.array([0, 1]))
    assert decide(case, fills=True, lowest=True, order=np.array([5, 7, 3])) == (1, False)
    assert decide(case, fills=True, lowest=True, order=np.array([1, 7, 3])) == (0, False)


def test_numbers_leave_every_tie_open():
    case = (np.array([0, 1]), np.zeros(2), 2, 1, np.zeros(2, np.int64), np.array([0]))
    assert decide(case, fills=True, lowest=False, order=np.arange(2)) == (0, True)
