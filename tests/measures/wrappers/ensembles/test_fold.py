"""A twin that does not repeat its estimator to the last bit is not used."""

from __future__ import annotations

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fewest.data.build import as_table
from fewest.measures.wrappers.ensembles import forests
from fewest.measures.wrappers.ensembles.fold import probe_of, repeats_estimator
from tests.measures.wrappers.ensembles.cases import flowers, patients

SPLIT = (np.arange(0, 120), np.arange(60, 120))


def repeats(estimator, grown, X, y):
    table = as_table(X, y)
    fold = forests._fold(grown, X.astype(np.float32), table, SPLIT, None)
    return repeats_estimator(estimator, fold, table, SPLIT)


def test_another_tree_is_noticed():
    tree, stump = DecisionTreeClassifier(random_state=0), DecisionTreeClassifier(max_depth=1)
    assert repeats(tree, tree, *flowers())
    assert not repeats(tree, stump, *flowers())


def test_other_predictions_are_noticed():
    tree, stump = DecisionTreeRegressor(random_state=0), DecisionTreeRegressor(max_depth=1)
    assert repeats(tree, tree, *patients())
    assert not repeats(tree, stump, *patients())


def test_the_probe_is_small():
    X, y = flowers()
    model, (train, test) = probe_of(
        DecisionTreeClassifier(), as_table(X, y), [(np.arange(1000), np.arange(500))], max_depth=2
    )
    assert model.max_depth == 2
    assert len(train) <= 130
    assert len(test) == 120
