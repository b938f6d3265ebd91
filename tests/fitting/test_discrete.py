"""Frames as rows of small whole numbers."""

from __future__ import annotations

import pandas as pd
import pytest

from fewest.data.discretise import Discretiser
from fewest.errors import InputError
from fewest.fitting.discrete import UNKNOWN, DiscreteFrame

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
