"""IB4: weights by hand, and what they are good for."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest.classifiers import IB4, NearestNeighbor


def test_weights_of_three_rows_by_hand():
    # Row 1 meets row 0 (other class), row 2 meets the nearest of both. The frequencies before
    # row 1 are 1 and 0: no stake. Before row 2 they are ½ and ½: a stake of ½ for each class.
    X, y = np.array([[0.0, 0.0], [1.0, 0.2], [0.9, 1.0]]), np.array([0, 1, 1])
    weights = IB4().fit(X, y).weights_
    # With equal weights row 2 is nearest to row 1 (0.1 + 0.8 against 0.9 + 1.0): same class, so
    # the gains are 1 - 0.1 and 1 - 0.8, and the weights are these less ½.
    assert_allclose(weights, [[0.4, 0.0], [0.4, 0.0]], atol=1e-12)


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


@parametrize_with_checks([IB4()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
