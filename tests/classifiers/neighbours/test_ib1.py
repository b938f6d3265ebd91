"""IB1 against nearest neighbours, and against Weka's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

import fewest
from fewest.classifiers import IB1, NearestNeighbor
from fewest.data._as_table import as_table
from fewest.measures._wrappers.line import fast_scorer
from tests.oracles.weka import ask_weka, needs_weka, write_arff


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
