"""IB3 and IB4: what is kept and accepted, and what weights are good for."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.classifiers import IB1, IB3, IB4, NearestNeighbor


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
