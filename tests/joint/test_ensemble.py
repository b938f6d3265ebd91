import numpy as np
import pytest

from fewest._errors import InputError
from fewest._joint.behaviour import accuracies, check_size, pick_independent, vote
from fewest._joint.predictions import Predictions
from fewest._models.graph import Graph


def test_independent_ones_come_before_accurate_ones():
    # 0 and 1 are tied; 2 stands alone.
    graph = Graph(((), (0,), ()))
    assert pick_independent(graph, np.array([0.9, 0.8, 0.6]), 2) == [0, 2]
    assert pick_independent(graph, np.array([0.9, 0.8, 0.6]), 3) == [0, 2, 1]


def test_votes_and_their_ties():
    codes = np.array([[0, 1, 1], [0, 1, 2]])
    assert vote(codes, [0, 1, 2], 3).tolist() == [1, 0]
    assert vote(codes, [2, 1], 3).tolist() == [1, 2]


def test_ways_to_combine_by_hand():
    codes = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    target = np.array([0, 0, 0, 0])
    rows = Predictions(("a", "b", "c"), np.arange(2), codes, target, {})
    found = accuracies([0, 1], 2, rows, rows)
    assert found["best single"] == 0.75
    assert found["all vote"] == 0.75
    assert found["suggested"] == 0.5


def test_the_size_must_make_sense():
    for k in (1, 4):
        with pytest.raises(InputError, match="`k` must be between 2 and 3"):
            check_size(k, 3)
