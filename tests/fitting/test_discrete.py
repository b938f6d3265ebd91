"""Frames as rows of small whole numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fewest._errors import InputError
from fewest.data._discretise import Discretiser
from fewest.networks._discrete_rows import UNKNOWN, DiscreteFrame

WIDTH = Discretiser(method="width", bins=2)
FRAME = pd.DataFrame({"size": [0.0, 1.0, 9.0, 10.0], "kind": ["b", None, "a", "b"]})


def test_numbers_are_cut_and_unknown_is_a_level():
    discrete, table = DiscreteFrame.learn(FRAME, WIDTH)
    assert table.values.tolist() == [[0, 1], [0, 2], [1, 0], [1, 1]]
    assert discrete.levels[1] == ("a", "b", UNKNOWN)
    assert len(discrete.levels[0]) == 2


def test_other_rows_use_the_same_cuts_and_levels():
    discrete, _ = DiscreteFrame.learn(FRAME, WIDTH)
    other = pd.DataFrame({"size": [7.0, None], "kind": ["new", "a"]})
    # An unknown size has no level of its own, because no row of the learned frame lacked it.
    assert discrete.codes(other).tolist() == [[1, 2], [-1, 0]]


def test_too_many_levels():
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(300)]})
    with pytest.raises(InputError, match="at most 255 values .* 'name' has 300"):
        DiscreteFrame.learn(frame, WIDTH)


COUNTS = pd.DataFrame({"stars": [1, 2, 3, 4, 5] * 4, "age": np.linspace(20.5, 60.5, 20)})


def test_whole_numbers_with_few_values_are_categories():
    discrete, table = DiscreteFrame.learn(COUNTS, Discretiser(method="width", bins=2))
    assert discrete.levels[0] == (1, 2, 3, 4, 5)
    assert table.values[:5, 0].tolist() == [0, 1, 2, 3, 4]
    assert discrete.few == ("stars",)
    assert discrete.cut_points == {"age": [40.5]}
    assert discrete.notes == [
        "Continuous columns were cut: age at 40.5.",
        "Whole numbers with at most 10 values are categories: stars.",
    ]
    many = pd.DataFrame({"count": list(range(11)) * 3, "part": [0.5, 1.0, 2.0] * 11})
    assert DiscreteFrame.learn(many, WIDTH)[0].few == ()


def test_numbers_and_intervals_have_the_level_that_they_lie_in():
    discrete, _ = DiscreteFrame.learn(COUNTS, Discretiser(method="width", bins=2))
    low, high = discrete.levels[1]
    assert discrete.level_at(1, 40.5) == low
    assert discrete.level_at(1, np.float32(41)) == high
    assert discrete.level_at(1, (40.5, 50)) == high
    assert discrete.level_at(1, pd.Interval(20, 40)) == low
    assert discrete.level_at(1, low) == low
    assert discrete.level_at(0, 5) == 5
    with pytest.raises(InputError, match=r"age the interval \(30, 50\), but it must lie in one of"):
        discrete.level_at(1, (30, 50))
