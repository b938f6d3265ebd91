"""NearestNeighbor against the slow obvious way, and against scikit-learn where they agree."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import fewest
from fewest._errors import InputError
from fewest.classifiers import NearestNeighbor
from fewest.testing import mixed_table, nominal_table
from tests.naive.neighbours import naive_class


@pytest.mark.parametrize("make", [mixed_table, nominal_table])
@pytest.mark.parametrize("k", [1, 4])
def test_predicts_what_the_naive_way_does(make, k):
    table = make()
    rng = np.random.default_rng(k)
    weights = rng.integers(0, 3, table.n_features) / 2
    X = np.array(table.values, dtype=object)
    for j in np.flatnonzero(table.nominal):
        codes = table.values[:, j]
        X[:, j] = [None if np.isnan(c) else table.levels[j][int(c)] for c in codes]
    model = NearestNeighbor(k=k, weights=weights)
    model.fit(X[:30], table.target[:30])
    got = model.predict(X[30:])
    rows, classes = table.values[:30].tolist(), table.target[:30].tolist()
    expected = [
        naive_class(rows, classes, table.nominal.tolist(), weights.tolist(), query, k)
        for query in table.values[30:].tolist()
    ]
    np.testing.assert_array_equal(got, expected)


def test_agrees_with_scikit_learn_on_scaled_numbers():
    data = fewest.load("iris")
    X, y = np.asarray(data.X), np.asarray(data.y)
    train = np.arange(len(X)) % 3 > 0
    width = X[train].max(axis=0) - X[train].min(axis=0)
    weights = np.array([0.1, 0.7, 1.0, 0.33])
    scaled = X / width * np.sqrt(weights)
    theirs = KNeighborsClassifier(1).fit(scaled[train], y[train]).predict(scaled[~train])
    ours = NearestNeighbor(weights=weights).fit(X[train], y[train]).predict(X[~train])
    np.testing.assert_array_equal(ours, theirs)


def test_equally_far_rows_vote_and_the_frequent_class_wins():
    X, y = [[0.0], [2.0], [2.0], [9.0]], [0, 1, 1, 0]
    assert NearestNeighbor().fit(X, y).predict([[1.0]]) == [1]
    X, y = [[0.0], [2.0], [8.0], [9.0], [9.5]], [2, 0, 1, 2, 1]
    assert NearestNeighbor().fit(X, y).predict([[1.0]]) == [2]
    assert NearestNeighbor(weights=[0.0]).fit(X, y).predict([[0.0]]) == [1]


def test_unknown_and_unseen_values_are_as_far_as_can_be():
    X = np.array([["a", 0.5], ["b", 1.5]], dtype=object)
    model = NearestNeighbor().fit(X, ["x", "y"])
    assert model.predict(np.array([[None, 0.6], ["c", 1.4]], dtype=object)).tolist() == ["x", "y"]
    assert model.predict(np.array([["b", None]], dtype=object)).tolist() == ["y"]


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, np.nan], "ab", [[1.0, 1.0]]])
def test_refuses_weights_that_are_none(weights):
    with pytest.raises(InputError, match="`weights` must hold 2 finite numbers of at least 0"):
        NearestNeighbor(weights=weights).fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])


def test_refuses_more_neighbours_than_rows():
    with pytest.raises(InputError, match=r"`k` must be at most .* \(n_samples = 2\)"):
        NearestNeighbor(k=3).fit([[1.0], [2.0]], [0, 1])
