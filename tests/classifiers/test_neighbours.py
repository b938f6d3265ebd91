"""Classifiers by the nearest rows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import fewest
from fewest._errors import InputError
from fewest.classifiers import IB1, IB3, IB4, PEBLS, NearestNeighbor
from fewest.classifiers._nearest_neighbor import class_rank, range_scale, scales_without_own
from fewest.data._as_table import as_table
from fewest.measures._wrappers.line import fast_scorer
from fewest.testing import mixed_table, nominal_table
from tests.naive.neighbours import naive_class, naive_edited
from tests.oracles.weka import ask_weka, needs_weka, write_arff


# NearestNeighbor against the slow obvious way, and against scikit-learn where they agree.
@pytest.mark.parametrize("make", [mixed_table, nominal_table])
@pytest.mark.parametrize("k", [1, 4])
@pytest.mark.parametrize("prototypes", ["all", "edited"])
def test_predicts_what_the_naive_way_does(make, k, prototypes):
    table = make()
    rng = np.random.default_rng(k)
    weights = rng.integers(0, 3, table.n_features) / 2
    X = np.array(table.values, dtype=object)
    for j in np.flatnonzero(table.nominal):
        codes = table.values[:, j]
        X[:, j] = [None if np.isnan(c) else table.levels[j][int(c)] for c in codes]
    model = NearestNeighbor(k=k, weights=weights, prototypes=prototypes)
    model.fit(X[:30], table.target[:30])
    got = model.predict(X[30:])
    rows, classes = table.values[:30].tolist(), table.target[:30].tolist()
    of = rows, classes, table.nominal.tolist(), weights.tolist()
    voters = None if prototypes == "all" else naive_edited(*of, k)
    assert voters is None or len(voters) < 30
    expected = [naive_class(*of, query, k, voters) for query in table.values[30:].tolist()]
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


# Ranges without a row, and the order of classes.
def test_scales_without_a_row_are_those_of_the_other_rows():
    table = mixed_table()
    got = scales_without_own(table.values, table.nominal)
    for i in range(table.n_rows):
        rest = np.delete(table.values, i, axis=0)
        assert_allclose(got[i], range_scale(rest, table.nominal)[0])


def test_the_more_frequent_class_ranks_higher_and_then_the_earlier():
    assert_array_equal(class_rank(np.array([2, 5, 2, 5])), [1, 3, 0, 2])


# IB1 against nearest neighbours, and against Weka's.
@pytest.mark.parametrize("name", ["heart-cleveland", "hepatitis"])
def test_is_one_neighbour_without_weights(name, dataset):
    data = dataset(name)
    X, y = data.X, np.asarray(data.y)
    train = np.arange(len(y)) % 3 > 0
    ours = IB1().fit(X[train], y[train]).predict(X[~train])
    theirs = NearestNeighbor(k=1).fit(X[train], y[train]).predict(X[~train])
    assert ours.tolist() == theirs.tolist()


def test_many_subsets_have_the_scores_of_cross_val_score(dataset):
    data = dataset("hepatitis")
    table = as_table(data.X, np.asarray(data.y))
    splits = list(StratifiedKFold(3).split(table.values, table.target))
    subsets = np.random.default_rng(0).random((4, table.n_features)) < 0.5
    folds = fast_scorer(IB1(), table, splits).score(subsets).folds
    for subset, mine in zip(subsets, folds, strict=True):
        part = data.X.loc[:, subset]
        assert mine.tolist() == cross_val_score(IB1(), part, data.y, cv=splits).tolist()


@needs_weka
def test_the_classes_that_weka_says(tmp_path):
    # Numbers without ties, unknown values or test values out of range, which Weka treats otherwise.
    data = fewest.load("liver-bupa")
    keep = np.unique(np.asarray(data.X), axis=0, return_index=True)[1]
    X = np.asarray(data.X, dtype=float)[keep] + np.random.default_rng(0).random((len(keep), 6))
    y = np.asarray(data.y)[keep]
    train = np.arange(len(y)) % 3 > 0
    inside = (np.clip(X, X[train].min(axis=0), X[train].max(axis=0)) == X).all(axis=1)
    test = ~train & inside
    files = [tmp_path / name for name in ("train.arff", "test.arff")]
    for path, rows in zip(files, (train, test), strict=True):
        write_arff(path, as_table(X[rows], y[rows]))
    said = [int(line) for line in ask_weka("nearest", *files)]
    ours = IB1().fit(X[train], y[train]).predict(X[test])
    assert len(said) > 100
    assert np.unique(y)[said].tolist() == ours.tolist()


# IB3 and IB4: what is kept and accepted, and what weights are good for.
def noisy(n=400, noise=0.2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    clean = (X[:, 0] > 0.5).astype(int)
    return X, np.where(rng.random(n) < noise, 1 - clean, clean), clean


def test_rows_of_noise_are_not_accepted_and_accuracy_gains():
    X, y, clean = noisy()
    model = IB3().fit(X, y)
    accepted = model.accepted_.any(axis=0)
    assert 0 < accepted.sum() < 200
    assert (y == clean)[accepted].mean() > 0.97
    new = np.random.default_rng(1).random((500, 2))
    truth = (new[:, 0] > 0.5).astype(int)
    assert model.score(new, truth) > IB1().fit(X, y).score(new, truth) + 0.05


def test_all_rows_may_be_stored():
    X, y, _ = noisy(100)
    few, all_rows = IB3().fit(X, y), IB3(store="all").fit(X, y)
    assert few._kept.sum() < all_rows._kept.sum()
    assert IB4().store == "all"


def test_one_row_of_a_class_is_enough():
    X = np.array([[0.0], [0.1], [0.2], [5.0]])
    assert IB3().fit(X, [0, 0, 0, 1]).predict([[4.9]]).tolist() == [1]


@pytest.mark.parametrize("model", [IB3(), IB4()])
def test_weights_are_equal_for_ib3_and_at_most_one_half_for_ib4(model):
    X, y, _ = noisy()
    weights = model.fit(X, y).weights_
    assert weights.shape == (2, 2)
    if isinstance(model, IB4):
        assert (weights <= 0.5).all()
        assert (weights[:, 0] > weights[:, 1]).all()
    else:
        assert (weights == 1).all()


def test_relevant_labels_get_more_weight_than_irrelevant_ones():
    rng = np.random.default_rng(0)
    X = rng.choice(list("ab"), (400, 8))
    weights = IB4().fit(X, (X[:, 0] == "a")).weights_
    assert (weights[:, [0]] > weights[:, 1:]).all()


def test_accuracy_gains_where_most_features_are_irrelevant():
    rng = np.random.default_rng(0)
    X = rng.choice(list("ab"), (400, 12))
    y = np.where(rng.random(400) < 0.1, X[:, 1], X[:, 0])
    plain = NearestNeighbor().fit(X[:200], y[:200]).score(X[200:], y[200:])
    assert IB4().fit(X[:200], y[:200]).score(X[200:], y[200:]) > plain + 0.03


#
def test_differences_by_hand():
    # P(x | a) = 2/3, P(x | b) = 0, P(x | c) = 1.
    X = [["a"], ["a"], ["a"], ["b"], ["c"]]
    y = ["x", "x", "y", "y", "x"]
    model = PEBLS(exponent=1.0, weighting="none").fit(X, y)
    table = model._differences[0]
    assert table[0, 1] == pytest.approx(4 / 3)
    assert table[0, 2] == pytest.approx(2 / 3)
    assert table[1, 2] == pytest.approx(2.0)


def test_weights_by_hand():
    # Rows 2 and 3 meet row 0 as the nearest, which is right once.
    X = [["a"], ["b"], ["a"], ["a"]]
    y = ["x", "y", "x", "y"]
    model = PEBLS().fit(X, y)
    # Row 1 is classified by row 0 (wrong), row 2 and row 3 by the nearest "a".
    assert model.weights_[0] > 1.0
    assert (model.weights_ >= 1.0).all()


def test_a_value_never_seen_is_no_unknown_value():
    model = PEBLS().fit([["a"], ["b"]], ["x", "y"])
    assert model.predict([["c"]])[0] in {"x", "y"}
    with pytest.raises(InputError, match="`X` of PEBLS must not hold unknown values"):
        model.fit([["a"], [None]], ["x", "y"])
    with pytest.raises(InputError, match="'x0' has some"):
        PEBLS().fit(np.array([[1.0], [2.0]]), [0, 1]).predict(np.array([[np.nan]]))
