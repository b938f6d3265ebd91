"""Trees that find the same rows as scikit-learn's among equally near ones."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from sklearn.neighbors import KDTree

from fewest.kernels.neighbours.kd_tree import neighbours_by_tree, nodes_of
from fewest.measures.wrappers.neighbour_twins import same_trees

TABLES = {
    "bits": lambda rng, shape: rng.integers(0, 2, shape),
    "few values": lambda rng, shape: rng.integers(0, 5, shape),
    "sorted": lambda rng, shape: np.sort(rng.integers(0, 9, shape), axis=0),
    "tenths": lambda rng, shape: rng.normal(size=shape).round(1),
    "numbers": lambda rng, shape: rng.normal(size=shape),
}


def by_tree(X, queries, k, target, leaf_size=30, squared=True, masks=None, splits=None):
    masks = np.ones((1, X.shape[1]), dtype=bool) if masks is None else masks
    train, fold = splits or ([np.arange(len(X))], np.zeros(len(queries), dtype=np.int64))
    wanted = np.ones((len(masks), len(queries)), dtype=bool)
    predicted = np.full(wanted.shape, -1)
    neighbours_by_tree(
        np.ascontiguousarray(X.T), masks, wanted, fold, np.concatenate(train),
        np.cumsum([0, *map(len, train)]), leaf_size, squared, k, target,
        np.ascontiguousarray(queries), predicted,
    )  # fmt: skip
    assert not wanted.any()
    return predicted


def test_linux_has_the_same_trees():
    assert same_trees() or sys.platform != "linux"


@pytest.mark.skipif(not same_trees(), reason="scikit-learn was built with another C++ library")
@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("squared", [True, False])
def test_the_nearest_row_and_the_vote_are_those_of_scikit_learn(kind, squared):
    rng = np.random.default_rng(3)
    metric = "euclidean" if squared else "manhattan"
    for _ in range(8):
        n, d = int(rng.integers(2, 300)), int(rng.integers(1, 9))
        X = TABLES[kind](rng, (n, d)).astype(np.float64)
        queries = X[rng.integers(0, n, 20)] + rng.choice([0.0, 0.5])
        leaf_size = int(rng.choice([1, 7, 30]))
        tree = KDTree(X, leaf_size=leaf_size, metric=metric)
        nearest = tree.query(queries, 1, return_distance=False)[:, 0]
        assert (by_tree(X, queries, 1, np.arange(n), leaf_size, squared)[0] == nearest).all()
        k, target = int(rng.integers(1, min(n, 12) + 1)), rng.integers(0, 4, n)
        labels = target[tree.query(queries, k, return_distance=False)]
        votes = (labels[:, :, None] == np.arange(4)).sum(axis=1).argmax(axis=1)
        assert (by_tree(X, queries, k, target, leaf_size, squared)[0] == votes).all()


@pytest.mark.skipif(not same_trees(), reason="scikit-learn was built with another C++ library")
def test_every_subset_and_fold_has_its_own_tree():
    rng = np.random.default_rng(4)
    X, n = rng.integers(0, 3, (300, 6)).astype(np.float64), 300
    masks = rng.random((8, 6)) < 0.5
    masks[:, 0] = True
    fold = rng.integers(0, 3, n)
    train = [np.flatnonzero(fold != f) for f in range(3)]
    found = by_tree(X, X, 1, np.arange(n), masks=masks, splits=(train, fold))
    for mask, rows in zip(masks, found, strict=True):
        for f in range(3):
            tree = KDTree(X[train[f]][:, mask], leaf_size=30)
            near = tree.query(X[fold == f][:, mask], 1, return_distance=False)[:, 0]
            assert (rows[fold == f] == train[f][near]).all()


def test_what_is_not_wanted_stays():
    X = np.arange(5.0)[:, None]
    wanted, predicted = np.array([[True, False]]), np.full((1, 2), -1)
    neighbours_by_tree(
        np.ascontiguousarray(X.T), np.ones((1, 1), dtype=bool), wanted, np.zeros(2, dtype=np.int64),
        np.arange(5), np.array([0, 5]), 30, True, 1, np.arange(5), np.array([[1.2], [3.9]]),
        predicted,
    )  # fmt: skip
    assert predicted.tolist() == [[1, -1]]
    assert not wanted.any()


@pytest.mark.parametrize(("n_rows", "leaf_size"), [(1, 30), (31, 30), (61, 30), (62, 30), (500, 3)])
def test_the_number_of_nodes_is_that_of_scikit_learn(n_rows, leaf_size):
    tree = KDTree(np.arange(float(n_rows))[:, None], leaf_size=leaf_size)
    assert nodes_of(n_rows, leaf_size) == len(tree.get_arrays()[2])
