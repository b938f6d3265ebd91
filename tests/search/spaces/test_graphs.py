"""The space of graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.graph import Graph
from fewest.search import Graphs

CYCLE = [0, 1, 0, 0, 0, 1, 1, 0, 0]
CHAIN = [0, 1, 0, 0, 0, 1, 0, 0, 0]
FORK = [0, 0, 1, 0, 0, 1, 0, 0, 0]


def test_cycles_and_too_many_parents_are_not_feasible():
    batch = np.array([CYCLE, CHAIN, FORK], dtype=bool)
    assert Graphs(3).feasible(batch).tolist() == [False, True, True]
    assert Graphs(3, 1).feasible(batch).tolist() == [False, True, False]
    fixed = Graphs(3, 1).repair(batch, np.random.default_rng(0))
    assert Graphs(3, 1).feasible(fixed).all()
    assert (fixed.sum(axis=1) == [2, 2, 1]).all()
    assert not (fixed & ~batch).any()


def test_a_graph_is_its_arcs():
    space = Graphs(3)
    row = space.row(Graph(((), (0,), (1,))))
    assert row.astype(int).tolist() == CHAIN
    assert space.cost(row[None]).tolist() == [2.0]
    assert space.size(row[None]).tolist() == [2]
    named = np.array(space.arc_names(["a", "b", "c"]))[row]
    assert named.tolist() == ["a -> b", "b -> c"]
    assert space.keys(np.array([CHAIN, FORK, CHAIN]))[0] == bytes([0b01000100, 0])
    assert space.layout(["a", "b", "c"]) == {"variables": ["a", "b", "c"]}
    assert space.rows([]).shape == (0, 9)


def test_draws_are_feasible_and_repeatable():
    space = Graphs(6, 2)
    drawn = space.sample(40, np.random.default_rng(3), p=3.0)
    assert space.feasible(drawn).all()
    assert drawn.sum() > 40
    np.testing.assert_array_equal(drawn, space.sample(40, np.random.default_rng(3), p=3.0))


def test_a_wrong_number_is_refused():
    with pytest.raises(InputError, match="`n` of Graphs must be between 1 and 65535, but is 0"):
        Graphs(0)
