"""Values between pairs: a column at a time or all at once, the same sums."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from fewest.data._as_table import as_table
from fewest.measures import CFS, JMI, MRMR
from fewest.measures._filters.rankings import PairValues


def values(d=8, asked=None):
    rng = np.random.default_rng(0)
    matrix = rng.random((d, d))
    matrix += matrix.T

    def column(j):
        if asked is not None:
            asked.append(j)
        return matrix[:, j].copy()

    return PairValues(d, column, lambda: matrix), matrix


def test_only_the_columns_that_are_reached_are_worked_out(monkeypatch):
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    asked = []
    pairs, matrix = values(asked=asked)
    subsets = np.zeros((3, 8), dtype=bool)
    subsets[0, [1, 4]] = subsets[1, [4, 6]] = subsets[2, 1] = True
    assert pairs.sums(subsets) == pytest.approx([matrix[1, 4], matrix[4, 6], 0.0])
    assert pairs.columns(np.array([1, 6])).tolist() == matrix[[1, 6]].tolist()
    assert asked == [1, 4, 6]


def test_few_features_are_worked_out_at_once():
    asked = []
    pairs, matrix = values(asked=asked)
    assert pairs.columns(np.array([2])).tolist() == matrix[[2]].tolist()
    assert asked == []


@pytest.mark.parametrize("measure", [MRMR(), JMI(), CFS()], ids=lambda m: m.name)
def test_a_filter_gives_the_same_numbers_either_way(measure, monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    table = as_table(rng.normal(size=(60, 10)) + y[:, None] * (np.arange(10) < 4), y)
    # Few of the features are reached by each subset, so that columns are asked for.
    subsets = np.eye(10, dtype=bool) | (np.arange(10) < 3)
    at_once = measure.bind(table).score(subsets).value
    monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
    scorer = pickle.loads(pickle.dumps(measure.bind(table)))
    one_by_one = [scorer.score(row[None]).value[0] for row in subsets]
    assert one_by_one == at_once.tolist()
