"""Advice over units: groups add up, features that must be in are no units."""

from __future__ import annotations

import numpy as np

from fewest.search._questions import Advice
from fewest.search._spaces.subsets import Subsets
from fewest.testing import TableMeasure, toy_table

VALUE = np.array([1.0, 2.0, 4.0, 8.0, 16.0])


def advice(space):
    scorer = TableMeasure(lambda mask: float(VALUE @ mask)).bind(toy_table(n_features=5))
    return Advice(scorer, space, lambda asked: [scorer.importances(q) for q in asked])


def test_the_importances_of_a_group_add_up():
    told = advice(Subsets(5, include=(0,), groups=((1, 4),))).importances(
        [np.array([True, True, False])], seed=[3], kind="model"
    )
    assert told[0].values.tolist() == [18.0, 4.0, -np.inf]
    assert told[0].shadows is None
    assert told[0].score == 23.0


def test_subsets_of_a_path_that_are_the_same_over_units_count_once():
    path = advice(Subsets(5, exclude=(3,), groups=((2, 4),))).l1_path("auto", 5)
    assert path.astype(int).tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]
