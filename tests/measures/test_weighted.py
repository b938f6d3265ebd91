"""The weighted sum of goals, against the equations written out."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from fewest._errors import InputError
from fewest.classifiers._trees.tree import ID3
from fewest.data._as_table import as_table
from fewest.measures._weighted import GRID, Weighted
from fewest.measures._wrappers.cross_validated import CrossValidated

RNG = np.random.default_rng(0)
X = RNG.random((80, 4))
Y = (X[:, 0] > 0.5).astype(int) ^ (RNG.random(80) < 0.1)
SUBSETS = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1]], dtype=bool)
ID3_4 = CrossValidated(ID3(), cv=4)


def test_the_equations():
    table = as_table(X, Y)
    plain = ID3_4.bind(table).score(SUBSETS)
    scores = Weighted(ID3_4, weights=(0.5, 0.2, 0.3)).bind(table).score(SUBSETS)
    small = 1 - plain.goals["nodes"] / 80
    thrift = 1 - SUBSETS.sum(axis=1) / 4
    assert scores.value == pytest.approx(0.5 * plain.value + 0.2 * small + 0.3 * thrift)
    assert scores.folds.mean(axis=1) == pytest.approx(scores.value)
    assert scores.goals["accuracy"].tolist() == plain.value.tolist()


def test_costs_and_sizes():
    table = as_table(X, Y)
    measure = Weighted(
        ID3_4, weights=(0.0, 0.5, 0.5), size="leaves", largest=20, costs=[1, 0, 2, 1]
    )
    scores = measure.bind(table).score(SUBSETS)
    leaves = ID3_4.bind(table).score(SUBSETS).goals["leaves"]
    cost = np.array([1, 1, 3, 4])
    assert scores.value == pytest.approx(0.5 * (1 - leaves / 20) + 0.5 * (1 - cost / 4))
    assert scores.goals["cost"].tolist() == cost.tolist()


def test_calibration_takes_weights_of_the_grid_and_repeats():
    table = as_table(X, Y)
    found = [
        Weighted(ID3_4, weights="calibrated").bind(table, np.random.default_rng(5)).weights
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0] in GRID


def test_wrong_input():
    table = as_table(X, Y)
    with pytest.raises(InputError, match="`weights` of Weighted must be three numbers"):
        Weighted("id3", weights=(0.5, 0.2, 0.2)).bind(table)
    with pytest.raises(InputError, match="`costs` of Weighted must hold 4 numbers"):
        Weighted("id3", costs=[1, 2]).bind(table)
    with pytest.raises(InputError, match=r"`size` of Weighted must be a goal .*\(none\)"):
        Weighted(CrossValidated(GaussianNB(), cv=4)).bind(table).score(SUBSETS)
