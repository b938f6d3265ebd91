"""Units ranked by votes."""

import numpy as np

from fewest._fitting import consensus as module
from fewest._fitting.consensus import ranking
from fewest.search import Subsets
from fewest.testing import TableMeasure, toy_table

ALONE = TableMeasure({(0,): 0.2, (1,): 0.5, (2,): 0.9, (3,): 0.4}).bind(toy_table(n_features=4))


def test_most_votes_first_and_of_equals_what_scores_more_alone():
    assert ranking(np.array([0.5, 0.5, 0.1, 1.0]), Subsets(4), ALONE) == (3, 1, 0, 2)


def test_what_has_no_votes_is_not_ranked():
    assert ranking(np.array([0.0, 0.3, 0.0, 0.6]), Subsets(4), ALONE) == (3, 1)


def test_a_group_has_the_most_votes_of_its_features():
    space = Subsets(4, groups=((0, 2),))
    order = ranking(np.array([0.1, 0.3, 0.8, 0.2]), space, ALONE)
    masks = space.expand(np.eye(space.n_units, dtype=bool))
    assert [np.flatnonzero(masks[unit]).tolist() for unit in order] == [[0, 2], [1], [3]]


def test_very_long_rankings_are_cut(monkeypatch):
    monkeypatch.setattr(module, "MOST_PREFIXES", 2)
    assert ranking(np.array([0.1, 0.3, 0.8, 0.2]), Subsets(4), ALONE) == (2, 1)
