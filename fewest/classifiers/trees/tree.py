"""A finished decision tree as flat arrays, and what the tree classifiers share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...kernels.trees.forest import (
    ABOVE,
    BELOW,
    BY,
    COUNTS,
    FIRST,
    KIDS,
    LARGEST,
    LEVELS,
    OFFSET,
    SHARE,
    TOTAL,
    Rules,
)
from ...kernels.trees.score import send_down
from ..base import Rows, TableClassifier
from .growth import Grower
from .tables import TreeTable, tree_table
from .text import dot_text, rule_text


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree; nodes are numbered in the order in which it is read.

    Parameters
    ----------
    feature : int64 array of shape (nodes,)
        What a node tests, -1 for a leaf.
    cut : float64 array of shape (nodes,)
        Values up to it go to the first branch, if the feature is continuous.
    first : int64 array of shape (nodes + 1,)
        Where the branches of a node start in ``children`` and ``shares``.
    children, shares : arrays
        The node of each branch (-1: no training row there), and its share of the rows.
    largest : int64 array of shape (nodes,)
        The branch with the most training rows.
    counts : float64 array of shape (nodes, classes)
        Training rows by class.
    """

    feature: NDArray[np.int64]
    cut: NDArray[np.float64]
    first: NDArray[np.int64]
    children: NDArray[np.int64]
    shares: NDArray[np.float64]
    largest: NDArray[np.int64]
    counts: NDArray[np.float64]

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.feature < 0).sum())

    @property
    def chances(self) -> NDArray[np.float64]:
        """Share of each class at each node."""
        share: NDArray[np.float64] = self.counts / self.counts.sum(axis=1, keepdims=True)
        return share

    @classmethod
    def grown(cls, grower: Grower, raising: bool = False) -> Tree:
        """The tree over all features, pruned with or without subtree raising."""
        forest = grower.grow(np.ones((1, len(grower.table.features)), dtype=bool))
        assert forest is not None
        links = grower.raised(forest) if raising else grower.settle(forest)[1]
        order, feature, cut, first, largest = [], [], [], [0], []
        below: list[int] = []
        todo = [0]
        while todo:
            node = todo.pop()
            order.append(node)
            feature.append(-1)
            cut.append(0.0)
            largest.append(0)
            if links[node] >= 0:
                link = forest.links[links[node]]
                feature[-1], largest[-1] = int(link[BY]), int(link[LARGEST])
                cut[-1] = _cut(grower.table, link)
                kids = range(link[FIRST], link[FIRST] + link[KIDS])
                below += kids
                todo += [k for k in reversed(kids) if forest.nodes[k, TOTAL] > 0.0]
            first.append(len(below))
        number = np.full(len(links), -1)
        number[order] = np.arange(len(order))
        return cls(
            np.array(feature), np.array(cut), np.array(first), number[np.array(below, int)],
            forest.nodes[np.array(below, int), SHARE], np.array(largest),
            forest.nodes[order, COUNTS:],
        )  # fmt: skip


def _cut(table: TreeTable, link: NDArray[np.int64]) -> float:
    """Half way between the values beside a cut."""
    if table.features[link[BY], LEVELS]:
        return 0.0
    low, high = table.data.distinct[table.features[link[BY], OFFSET] + link[[BELOW, ABOVE]]]
    cut = low + (high - low) / 2.0
    return float(low if cut >= high else cut)


class TreeClassifier(TableClassifier):
    """Base of :class:`ID3` and :class:`C45`: fitting, prediction, and the tree in words."""

    #: Whether an unknown value goes down every branch, or the largest only.
    fractional = False

    #: No cut lies between values that differ by this or less.
    min_gap = 0.0

    #: Whether pruning may put the largest branch of a node in its place.
    raises = False

    tree_: Tree

    @abstractmethod
    def rules(self, table: TreeTable, n_classes: int) -> Rules:
        """How to grow and prune on this table."""

    def _learn(self, rows: Rows) -> None:
        plain = bool((rows.weight == 1.0).all())
        self._grow(rows.values, rows.target, None if plain else rows.weight)

    def _grow(
        self,
        values: NDArray[np.float64],
        target: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
    ) -> None:
        table = tree_table(values, self.schema_.levels, target, self.min_gap)
        rules, rows = self.rules(table, len(self.classes_)), np.arange(len(values))
        grower = Grower(table, rules, len(self.classes_), rows, rows[:0], weights)
        self.tree_ = Tree.grown(grower, self.raises)
        self._seen_ = grower.seen
        self._first_ = table.features[:, OFFSET]

    def _chances(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Those of the training rows in the leaf that a row reaches."""
        nominal = np.array([v is not None for v in self.schema_.levels])
        for j in np.flatnonzero(nominal):
            self._forget_unseen(values[:, j], int(j))
        t = self.tree_
        out: NDArray[np.float64] = send_down(
            values, nominal, t.feature, t.cut, t.first, t.children, t.shares, t.largest,
            t.chances, self.fractional,
        )  # fmt: skip
        return out

    def _forget_unseen(self, column: NDArray[np.float64], j: int) -> None:
        """A level that is declared but was in no training row is unknown."""
        known = np.flatnonzero(~np.isnan(column))
        unseen = ~self._seen_[self._first_[j] + column[known].astype(np.int64)]
        column[known[unseen]] = np.nan

    @property
    def n_leaves_(self) -> int:
        """Number of leaves that hold training rows."""
        return self.tree_.n_leaves

    @property
    def n_nodes_(self) -> int:
        """Number of nodes that hold training rows."""
        return self.tree_.n_nodes

    def to_text(self) -> str:
        """The tree as indented rules, one line per branch, with the rows and errors of leaves."""
        check_is_fitted(self)
        return rule_text(self.tree_, self.schema_, self.classes_)

    def to_dot(self) -> str:
        """The tree in the language of Graphviz."""
        check_is_fitted(self)
        return dot_text(self.tree_, self.schema_, self.classes_)
