"""Dominance, fronts, crowding and the knee."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import _pareto as dominance
from tests.naive import dominance as naive


@pytest.mark.parametrize("goals", [1, 2, 4])
@pytest.mark.parametrize("seed", range(4))
def test_fronts_agree_with_the_definition(seed, goals):
    rows = np.random.default_rng(seed).integers(0, 6, size=(60, goals)).astype(float)
    assert dominance.non_dominated(rows).tolist() == naive.non_dominated(rows.tolist())
    assert dominance.fronts(rows).tolist() == naive.fronts(rows.tolist())


def test_fronts_stop_when_there_are_enough():
    rows = np.array([[0.0], [1.0], [2.0], [3.0], [2.0]])
    assert dominance.fronts(rows, enough=2).tolist() == [0, 1, 2, 2, 2]


def test_a_row_without_a_number_is_dominated():
    rows = np.array([[np.nan, 1.0], [5.0, 1.0]])
    assert dominance.non_dominated(rows).tolist() == [False, True]


def test_nothing_has_no_front():
    assert dominance.non_dominated(np.zeros((0, 2))).tolist() == []
    assert dominance.fronts(np.zeros((0, 2))).tolist() == []


def test_crowding_by_hand():
    rows = np.array([[0.0, 4.0], [1.0, 2.0], [2.0, 1.0], [4.0, 0.0]])
    np.testing.assert_allclose(
        dominance.crowding(rows), [np.inf, 2 / 4 + 3 / 4, 3 / 4 + 2 / 4, np.inf]
    )
    assert np.isinf(dominance.crowding(rows[:2])).all()
    assert dominance.crowding(np.ones((4, 2)))[1] == 0


def test_the_knee_is_farthest_from_the_line_through_the_ends():
    x = np.linspace(0, 1, 21)
    rows = np.column_stack([x, (1 - x) ** 4])
    ends = rows[-1] - rows[0]
    distance = np.abs(ends[0] * (rows[:, 1] - 1) - ends[1] * rows[:, 0])
    assert dominance.knee(rows) == np.argmax(distance)


def test_the_knee_of_one_row_and_of_equal_rows():
    assert dominance.knee(np.array([[1.0, 2.0]])) == 0
    assert dominance.knee(np.ones((3, 2))) == 0
    assert dominance.knee(np.array([[np.nan, 1.0], [0.5, 2.0]])) == 1


def test_the_knee_is_never_a_dominated_row():
    rows = np.array([[0.0, 10.0], [10.0, 0.0], [6.0, 6.0], [5.0, 5.0]])
    assert dominance.knee(rows) in (0, 1, 3)
