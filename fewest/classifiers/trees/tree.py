"""A finished decision tree as flat arrays, and what the tree classifiers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ...data.schema import Schema, learn_encode
from ...errors import InputError
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
from ...kernels.trees.predict import send_down
from ...parameters import Parameters
from ..checks import checked_table, checked_weights, known_target
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


class TreeClassifier(ClassifierMixin, Parameters, ABC):  # type: ignore[misc]
    """Base of :class:`ID3` and :class:`C45`: fitting, prediction, and the tree in words."""

    #: Whether an unknown value goes down every branch, or the largest only.
    fractional = False

    #: Whether pruning may put the largest branch of a node in its place.
    raises = False

    schema_: Schema
    classes_: NDArray[Any]
    tree_: Tree

    @abstractmethod
    def rules(self, table: TreeTable, n_classes: int) -> Rules:
        """How to grow and prune on this table."""

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        nominal: Iterable[str | int] | None = None,
    ) -> TreeClassifier:
        """Grow the tree.

        Parameters
        ----------
        X : frame or array of shape (rows, features)
            Numbers are continuous; strings, categories and booleans nominal; NaN and None unknown.
        y : class labels
        sample_weight : weights of the rows, or None
        nominal : names or positions of columns of numbers that are labels
        """
        self.check_parameters()
        X = checked_table(self, X, reset=True)
        y = column_or_1d(known_target(self, y), warn=True)
        check_classification_targets(y)
        self.classes_, target = np.unique(y, return_inverse=True)
        self.schema_, values = learn_encode(X, nominal)
        if len(values) != len(target):
            raise InputError(
                f"`X` and `y` must have the same number of rows, but have {len(values)} "
                f"and {len(target)}."
            )
        weights = None if sample_weight is None else checked_weights(sample_weight, len(values))
        if weights is not None:
            kept = weights > 0.0
            values, target, weights = values[kept], target[kept], weights[kept]
        self._grow(values, target, weights)
        return self

    def _grow(
        self,
        values: NDArray[np.float64],
        target: NDArray[np.int64],
        weights: NDArray[np.float64] | None,
    ) -> None:
        table = tree_table(values, self.schema_.levels, target)
        rules, rows = self.rules(table, len(self.classes_)), np.arange(len(values))
        grower = Grower(table, rules, len(self.classes_), rows, rows[:0], weights)
        self.tree_ = Tree.grown(grower, self.raises)
        self._seen_ = grower.seen
        self._first_ = table.features[:, OFFSET]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities: those of the training rows in the leaf that a row reaches."""
        check_is_fitted(self)
        values = self.schema_.encode(checked_table(self, X, reset=False))
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

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        chances = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[np.argmax(chances, axis=1)]
        return labels

    @property
    def n_leaves_(self) -> int:
        """Number of leaves that hold training rows."""
        return self.tree_.n_leaves

    @property
    def n_nodes_(self) -> int:
        """Number of nodes that hold training rows."""
        return self.tree_.n_nodes

    def to_text(self) -> str:
        """The tree as indented rules, a line a branch, with training rows and errors of leaves."""
        check_is_fitted(self)
        return rule_text(self.tree_, self.schema_, self.classes_)

    def to_dot(self) -> str:
        """The tree in the language of Graphviz."""
        check_is_fitted(self)
        return dot_text(self.tree_, self.schema_, self.classes_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
