"""Decision trees as flat arrays, and the classifiers ID3 and C4.5."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._kernels.trees import forest as slots
from ..._kernels.trees.tree_scores import send_down
from ..._parameters import flag, number, whole
from .._base import Rows, TableClassifier
from .encoding import TreeTable, tree_rules, tree_table
from .growth import Grower
from .rule_text import Shown, WrittenTree, leaf_text


@dataclass(frozen=True, eq=False)
class Tree:
    """Decision tree; nodes are numbered in the order in which it is read.

    feature (nodes,): what a node tests, -1 for a leaf.
    cut (nodes,): values up to it go to the first branch, if the feature is continuous.
    first (nodes + 1,): where the branches of a node start in ``children`` and ``shares``.
    children, shares: the node of each branch (-1: no training row there), and its share of the
        rows.
    largest (nodes,): the branch with the most training rows.
    counts (nodes, classes): training rows by class.
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
        """Grow the tree over all features, pruned with or without subtree raising."""
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
                feature[-1], largest[-1] = int(link[slots.BY]), int(link[slots.LARGEST])
                cut[-1] = _cut(grower.table, link)
                kids = range(link[slots.FIRST], link[slots.FIRST] + link[slots.KIDS])
                below += kids
                todo += [k for k in reversed(kids) if forest.nodes[k, slots.TOTAL] > 0.0]
            first.append(len(below))
        number = np.full(len(links), -1)
        number[order] = np.arange(len(order))
        return cls(
            np.array(feature), np.array(cut), np.array(first), number[np.array(below, int)],
            forest.nodes[np.array(below, int), slots.SHARE], np.array(largest),
            forest.nodes[order, slots.COUNTS:],
        )  # fmt: skip


def _cut(table: TreeTable, link: NDArray[np.int64]) -> float:
    """Return the value half way between those beside a cut."""
    if table.features[link[slots.BY], slots.LEVELS]:
        return 0.0
    low, high = table.data.distinct[
        table.features[link[slots.BY], slots.OFFSET] + link[[slots.BELOW, slots.ABOVE]]
    ]
    cut = low + (high - low) / 2.0
    return float(low if cut >= high else cut)


class TreeClassifier(WrittenTree, TableClassifier):
    """Base of :class:`ID3` and :class:`C45`: fitting and prediction."""

    #: Whether an unknown value goes down every branch, or the largest only.
    fractional: ClassVar[bool] = False

    #: No cut lies between values that differ by this or less.
    min_gap: float = 0.0

    #: Whether pruning may put the largest branch of a node in its place.
    raises = False

    tree_: Tree

    @abstractmethod
    def rules(self, table: TreeTable, n_classes: int) -> Any:
        """Return the rules to grow and prune by on this table."""

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
        self._first_ = table.features[:, slots.OFFSET]

    def _chances(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the class shares of the training rows in the leaf that a row reaches."""
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
        """Set levels that are declared but were in no training row to unknown."""
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

    def _show(self, node: Any) -> Shown:
        t, node = self.tree_, node or 0
        f = t.feature[node]
        if f < 0:
            return leaf_text(t.counts[node], self.classes_), []
        levels, cut = self.schema_.levels[f], f"{t.cut[node]:.6g}"
        words = [f"<= {cut}", f"> {cut}"] if levels is None else [f"= {level}" for level in levels]
        below = t.children[t.first[node] : t.first[node + 1]].tolist()
        kids = [(condition, child) for condition, child in zip(words, below, strict=True)]
        return self.schema_.names[f], [kid for kid in kids if kid[1] >= 0]


@dataclass(eq=False)
class ID3(TreeClassifier):
    """Decision tree by gain ratio, with a chi-squared test before every split.

    Parameters
    ----------
    significance : float
        A feature may split a node when Pearson's chi-squared test rejects, at this level, that
        branch and class are independent there; 1 does without the test. The default was chosen
        to fit the published ID3 figures of Inza et al. (2000, tables 2 and 4).
    min_rows : int
        At least two branches must hold this many rows.

    Attributes
    ----------
    tree_ : Tree
        The tree as flat arrays.
    classes_ : array
    n_leaves_, n_nodes_ : int

    Notes
    -----
    A nominal feature splits into a branch a level, a continuous one into two at the cut (half
    way between two neighbouring values) with the largest gain. With n rows at a node, n_b of
    them in branch b, and the entropy H of the class,

        gain = share of known rows · (H(known rows) − Σ n_b/n · H(branch b)),
        ratio = gain / H(branch, unknown being one more).

    The feature with the largest ratio splits the node, among those that pass the test and gain
    at least the average of those (Quinlan, 1986, p. 102, without which the ratio favours very
    uneven splits). Nodes of one class and nodes that no feature may split become leaves; nothing
    is pruned afterwards (Inza et al., 2000, section 5.2). A row with an unknown value goes down
    the largest branch; a row whose value no training row of the node has gets the node's class.

    Examples
    --------
    >>> X = [["sunny", 85.0], ["rain", 70.0], ["sunny", 69.0], ["rain", 96.0]]
    >>> tree = ID3(significance=1.0).fit(X, ["no", "yes", "yes", "yes"])
    >>> print(tree.to_text())
    x0 = rain: yes (2)
    x0 = sunny
    |   x1 <= 77: yes (1)
    |   x1 > 77: no (1)
    """

    significance: float = number(0.25, low=0.0, high=1.0)
    min_rows: int = whole(1, low=1)

    def rules(self, table: TreeTable, n_classes: int) -> Any:
        return tree_rules(table, n_classes, significance=self.significance, minimum=self.min_rows)


@dataclass(eq=False)
class C45(TreeClassifier):
    """Decision tree by gain ratio, pruned by the errors that must be expected of its leaves.

    Parameters
    ----------
    confidence : float
        The smaller, the more is pruned.
    min_rows : int
        At least two branches must hold this many rows.
    pruning : bool
        Whether subtrees become leaves where that is not expected to cost. Without it, only
        subtrees that make as many errors on the training rows as a leaf become one.
    raising : bool
        Whether pruning may also put the largest branch of a node in the node's place, as C4.5
        does. A search over subsets then trains trees one by one, which is far slower; the
        measure ``"c4.5"`` therefore stands for ``C45(raising=False)``.
    min_gap : float
        No cut lies between two values that differ by this or less, as in C4.5. Use 0, or rescale,
        for features whose values are all close together.

    Attributes
    ----------
    tree_ : Tree
        The tree as flat arrays.
    classes_ : array
    n_leaves_, n_nodes_ : int

    Notes
    -----
    Grown as :class:`ID3` without its test, and as Release 8 of C4.5 (Quinlan, 1993, 1996): cuts
    of a continuous feature leave at least ``min(25, rows / (10 · classes))`` rows on both sides,
    and its gain is lowered by log₂(number of such cuts) / rows. A row with an unknown value goes
    down every branch with the share of the known rows there, in training and in prediction.

    Pruning goes bottom up: a subtree becomes a leaf where the leaf's expected errors, the upper
    limit of the binomial proportion at ``confidence``, exceed the sum over the subtree's leaves
    by no more than 0.1. With ``raising`` its largest branch, with all rows of the node sent down
    it, competes with both, as in Weka's J48 (Quinlan, 1993, chapter 4). Cuts lie half way
    between two values, where Quinlan takes the lower one. Leaves, nodes and training errors are
    those of J48 on all tables of the tests, pruned with and without raising, and unpruned.

    Examples
    --------
    >>> X = [[value] for value in (1.0, 2.0, 3.0, 6.0, 7.0, 8.0)]
    >>> tree = C45().fit(X, ["low"] * 3 + ["high"] * 3)
    >>> print(tree.to_text())
    x0 <= 4.5: low (3)
    x0 > 4.5: high (3)
    """

    fractional = True

    confidence: float = number(0.25, low=0.001, high=0.5)
    min_rows: int = whole(2, low=1)
    pruning: bool = flag(True)
    raising: bool = flag(True)
    min_gap: float = number(1e-5, low=0.0)

    @property
    def raises(self) -> bool:  # type: ignore[override]
        """Pruning with subtree raising is on."""
        return self.pruning and self.raising

    def rules(self, table: TreeTable, n_classes: int) -> Any:
        return tree_rules(
            table,
            n_classes,
            minimum=self.min_rows,
            release8=True,
            fractional=True,
            confidence=self.confidence if self.pruning else 0.0,
        )
