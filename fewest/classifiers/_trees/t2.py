"""T2: the tree of two levels that makes the fewest errors on the training rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._kernels.trees.two_levels import best_feature, best_root, interval_classes
from ..._parameters import whole
from .._base import Floats, Rows, TableClassifier, shares
from .._cells import Cells, Split, half_way
from .rule_text import Shown, WrittenTree, leaf_text


@dataclass(eq=False)
class T2(WrittenTree, TableClassifier):
    """Exact two-level decision tree.

    Parameters
    ----------
    max_intervals : int or None
        The largest number of intervals of a continuous feature in a second-level node; None
        for one more than there are classes. A continuous root has two.

    Attributes
    ----------
    root_ : Split
        The test at the root.
    tests_ : list of Split
        The test below each branch of the root.
    counts_ : list of arrays of shape (branches, classes)
        Training weight of each class in each leaf.
    n_correct_ : float
        The training weight that the tree gets right; no tree of this form gets more right.
    classes_ : array

    Notes
    -----
    The tree tests one feature at the root and one below each of its branches. A nominal feature
    has one branch per level. A continuous feature has two intervals at the root and at most
    ``max_intervals`` below it. Every test has one more branch for unknown values. Among all such
    trees this one makes the fewest training errors (Auer, Holte and Maass, 1995). The search is
    exact: for every root feature and cut, the best second-level tests are found by dynamic
    programming over the distinct values, and the counts of both sides are updated row by row.
    Equal trees: the earlier root, the smaller cut, the earlier second-level feature.

    Examples
    --------
    >>> X = [["a", "p"], ["a", "q"], ["b", "p"], ["b", "q"]]
    >>> tree = T2().fit(X, ["no", "yes", "yes", "no"])
    >>> print(tree.to_text())
    x0 = a
    |   x1 = p: no (1)
    |   x1 = q: yes (1)
    x0 = b
    |   x1 = p: yes (1)
    |   x1 = q: no (1)
    """

    max_intervals: int | None = whole(None, low=1, optional=True)

    def _learn(self, rows: Rows) -> None:
        most = self.max_intervals or rows.n_classes + 1
        cells = Cells.count(rows)
        found = best_root(
            cells.of, rows.target, rows.weight, cells.first, rows.nominal, most, rows.n_classes
        )
        root, cut = int(found[0]), int(found[1])
        self.n_correct_: float = float(found[2])
        self._prior = rows.class_weights
        self.root_: Split = _root_test(rows, root, cut - int(cells.first[root]), cells.values[root])
        below = self.root_.branches(rows.values[:, root])
        self.tests_: list[Split] = []
        self.counts_: list[Floats] = []
        for branch in range(self.root_.n_branches):
            inside = np.flatnonzero(below == branch)
            test = _second_test(rows, cells, inside, most)
            self.tests_.append(test)
            self.counts_.append(test.counts(rows.take(inside)))

    def _chances(self, values: Floats) -> Floats:
        out = np.empty((len(values), len(self.classes_)))
        below = self.root_.branches(values[:, self.root_.feature])
        for branch, (test, counts) in enumerate(zip(self.tests_, self.counts_, strict=True)):
            inside = np.flatnonzero(below == branch)
            leaves = test.branches(values[inside, test.feature])
            prior = counts.sum(axis=0) if counts.any() else self._prior
            out[inside] = shares(counts, prior)[leaves]
        return out

    def _show(self, node: Any) -> Shown:
        if isinstance(node, str):
            return node, []
        names, levels = self.schema_.names, self.schema_.levels
        if node is None:
            # A branch without training rows is not shown.
            conditions = self.root_.conditions(levels[self.root_.feature])
            kids = zip(conditions, zip(self.tests_, self.counts_, strict=True), strict=True)
            return names[self.root_.feature], [kid for kid in kids if kid[1][1].any()]
        test, counts = node
        leaves = zip(test.conditions(levels[test.feature]), counts, strict=True)
        return names[test.feature], [
            (condition, leaf_text(inside, self.classes_))
            for condition, inside in leaves
            if inside.any()
        ]


def _root_test(rows: Rows, root: int, cut: int, values: Floats) -> Split:
    if rows.nominal[root]:
        return Split.by_level(root, int(rows.cardinalities[root]))
    return Split.at(root, _cuts(values, [cut] if cut >= 0 else []))


def _second_test(rows: Rows, cells: Cells, inside: NDArray[np.intp], most: int) -> Split:
    """Find the best test of one feature for the rows ``inside``."""
    counts = cells.class_weights(rows, inside)
    room = np.zeros((most, rows.n_classes))
    j = int(best_feature(counts, cells.first, rows.nominal, most, room)[0])
    if rows.nominal[j]:
        return Split.by_level(j, int(rows.cardinalities[j]))
    kinds = interval_classes(counts, cells.first[j], cells.first[j + 1] - 1, most)
    return Split.at(j, _cuts(cells.values[j], np.flatnonzero(kinds[1:] != kinds[:-1])))


def _cuts(values: Floats, after: Iterable[int]) -> Floats:
    """Cut points half way behind the values at these positions."""
    return np.array([half_way(values[i], values[i + 1]) for i in after], dtype=np.float64)
