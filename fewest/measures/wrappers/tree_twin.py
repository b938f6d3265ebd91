"""The fast twin of cross-validating ID3 and C4.5: trees that share their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...classifiers.trees.c45 import C45
from ...classifiers.trees.growth import Grower
from ...classifiers.trees.id3 import ID3
from ...classifiers.trees.tables import tree_table
from ...classifiers.trees.tree import TreeClassifier
from ...data.table import Table
from ..base import Candidates, Scorer, Scores

#: Bytes that the trees grown together may take.
BUDGET = 1 << 28

Split = tuple[NDArray[Any], NDArray[Any]]


def tree_twin(estimator: Any, table: Table, splits: Sequence[Split]) -> Scorer | None:
    """A scorer with the accuracies that ``cross_val_score`` gives, or None if it cannot.

    It cannot where rows have weights, a split takes a row twice, or subtrees are raised.
    """
    if type(estimator) not in (ID3, C45) or table.classes is None:
        return None
    if "sample_weight" in table.metadata or any(_repeats(split) for split in splits):
        return None
    estimator.check_parameters()
    if estimator.raises:
        return None
    return TreeScorer(estimator, table, splits)


def _repeats(split: Split) -> bool:
    rows = np.concatenate(split)
    return len(np.unique(rows)) < len(rows)


class TreeScorer(Scorer):
    """Accuracy of decision trees over fixed splits, subset by subset.

    The goals are ``"leaves"`` and ``"nodes"``: the size of the tree, mean over the folds.

    Notes
    -----
    How well a feature splits a node depends on the rows of the node, not on the other features.
    So the trees of all subsets of a call are grown together: at a node stand the subsets whose
    trees have it, every feature that one of them asks for is judged once, and those that split
    it by the same feature go on together with the rows of its branches, which stay sorted by
    every feature (as in SLIQ, Mehta et al., 1996). Neither ``budget`` nor how the subsets are
    spread over calls changes a score.
    """

    batch = 512
    goal_names = ("leaves", "nodes")

    def __init__(
        self,
        estimator: TreeClassifier,
        table: Table,
        splits: Sequence[Split],
        budget: int = BUDGET,
    ) -> None:
        assert table.classes is not None
        n_classes = len(table.classes)
        grown = tree_table(table.doubles, table.levels, table.target, estimator.min_gap)
        rules = estimator.rules(grown, n_classes)
        self._growers = [
            Grower(grown, rules, n_classes, np.sort(train), np.sort(test), budget=budget)
            for train, test in splits
        ]
        self._n_test = np.array([len(test) for _, test in splits])

    def score(self, candidates: Candidates) -> Scores:
        """Accuracy by fold, mean accuracy, and mean size of the trees."""
        subsets = np.ascontiguousarray(candidates, dtype=bool)
        out = np.stack([grower.score(subsets) for grower in self._growers])
        folds = np.ascontiguousarray((out[:, :, 0] / self._n_test[:, None]).T)
        sizes = out[:, :, 1:].mean(axis=0)
        return Scores(folds.mean(axis=1), folds, {"leaves": sizes[:, 0], "nodes": sizes[:, 1]})
