"""Sums over members and pairs: by hand, and the same to the last bit for steps."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.subsets.masks import member_sums, member_sums_with, pair_sums, pair_sums_with
from tests.naive.pair_sums import member_sum, pair_sum


def problem(d=9, m=30, seed=0):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(d, d))
    return rng.normal(size=d), matrix + matrix.T, rng.random((m, d)) < rng.random((m, 1))


def test_sums_by_hand():
    worth, matrix, candidates = problem()
    members = [np.flatnonzero(row).tolist() for row in candidates]
    assert member_sums(worth, candidates) == pytest.approx([member_sum(worth, s) for s in members])
    assert pair_sums(matrix, candidates) == pytest.approx([pair_sum(matrix, s) for s in members])


@pytest.mark.parametrize("members", [[], [4], [0, 3, 8], [1, 2, 5, 7]])
def test_a_step_has_the_sums_of_the_subset_to_the_last_bit(members):
    worth, matrix, _ = problem(seed=len(members))
    members = np.array(members, dtype=np.intp)
    added = np.setdiff1d(np.arange(9), members)
    rows = np.zeros((len(added), 9), dtype=bool)
    rows[:, members] = True
    rows[np.arange(len(added)), added] = True
    assert member_sums_with(worth, members, added).tolist() == member_sums(worth, rows).tolist()
    columns = np.ascontiguousarray(matrix[members])
    assert pair_sums_with(columns, members, added).tolist() == pair_sums(matrix, rows).tolist()
