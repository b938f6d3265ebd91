"""Growing and pruning."""

from __future__ import annotations

import numpy as np

from fewest.classifiers._trees.tree import C45, ID3
from tests.classifiers.trees.cases import days


def test_pruning_of_hopeless_splits():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (200, 4)).astype(str), rng.integers(0, 2, 200)
    full, pruned = C45(pruning=False).fit(X, y), C45().fit(X, y)
    assert 1 <= pruned.n_leaves_ < full.n_leaves_ / 2
    assert full.score(X, y) > pruned.score(X, y)


def test_weights_count_rows():
    X, y = days()
    weights = [1, 2] * 7
    twice = [row for row, w in zip(X, weights, strict=True) for _ in range(w)]
    labels = [label for label, w in zip(y, weights, strict=True) for _ in range(w)]
    for tree in (ID3(), C45(), C45(raising=False)):
        weighted = tree.fit(X, y, sample_weight=weights).to_text()
        assert weighted == tree.fit(twice, labels).to_text()
