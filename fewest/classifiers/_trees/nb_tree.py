"""NBTree: a decision tree with naive Bayes classifiers in its leaves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._kernels.bayes.hits import hits_in_folds
from ..._parameters import number, whole
from .._base import Floats, Rows, UnweightedClassifier
from .._cells import Cells, Intervals, Split, half_way
from .rule_text import Shown, WrittenTree


@dataclass(frozen=True, eq=False)
class Leaf:
    """Naive Bayes over the discretised rows of a leaf."""

    intervals: Intervals
    first: NDArray[np.int64]
    log_prior: Floats
    log_likelihood: Floats
    counts: Floats

    def chances(self, values: Floats) -> Floats:
        """Return class probabilities of encoded rows."""
        scores = self.log_prior + _evidence(
            self.intervals.codes(values), self.first, self.log_likelihood
        )
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TreeNode:
    """Split with a node or leaf below every branch; unknown values take the largest one."""

    split: Split
    below: list[TreeNode | Leaf]
    largest: int

    def branches(self, values: Floats) -> NDArray[np.int64]:
        """Return the branch of every row."""
        found = self.split.branches(values[:, self.split.feature])
        found[found == self.split.n_branches - 1] = self.largest
        return found


@dataclass(eq=False)
class NBTree(WrittenTree, UnweightedClassifier):
    """Decision tree that splits where naive Bayes on the parts is more accurate.

    Parameters
    ----------
    min_rows : int
        A node with fewer rows is not split.
    min_reduction : float
        A split must reduce the error by this share.
    folds : int
        Folds of the cross-validation that estimates the accuracy of naive Bayes.
    random_state : int
        Draws the folds.

    Attributes
    ----------
    tree_ : Node or Leaf
    classes_ : array

    Notes
    -----
    The utility of a node is the cross-validated accuracy of naive Bayes on its rows, with
    continuous features cut by the MDL criterion; the utility of a split is the mean of the
    utilities of its branches, weighted by their rows. The node is split by the feature with the
    largest utility if it has at least 30 rows and the split reduces the error by more than 5 %
    (Kohavi, 1996, section 4). A nominal feature has one branch per level, a continuous one two
    at the cut with the largest information gain. A row with an unknown value goes down the
    largest branch; inside naive Bayes it is ignored. Naive Bayes has Laplace's correction.

    Examples
    --------
    >>> X = [["a", "p"], ["a", "q"], ["b", "p"], ["b", "q"]] * 20
    >>> tree = NBTree().fit(X, ["no", "yes", "yes", "no"] * 20)
    >>> tree.predict([["a", "p"], ["b", "p"]]).tolist()
    ['no', 'yes']
    """

    min_rows: int = whole(30, low=2)
    min_reduction: float = number(0.05, low=0.0, high=1.0)
    folds: int = whole(5, low=2)
    random_state: int = whole(0)

    def _learn(self, rows: Rows) -> None:
        rng = np.random.default_rng(self.random_state)
        self.tree_: TreeNode | Leaf = self._grow(rows, rng.permutation(len(rows.target)))

    def _grow(self, rows: Rows, order: NDArray[np.intp]) -> TreeNode | Leaf:
        here = self._utility(rows, order)
        best, split = here, None
        if len(rows.target) >= self.min_rows and len(np.unique(rows.target)) > 1:
            for candidate in _splits(rows):
                value = self._split_utility(rows, order, candidate, best)
                if value > best + 1e-12:
                    best, split = value, candidate
        if split is None or best - here <= self.min_reduction * (1.0 - here):
            return _leaf(rows, self.schema_)
        branch, largest = _branches(split, rows.values)
        below = [
            self._grow(rows.take(np.flatnonzero(branch == b)), order[branch == b])
            if (branch == b).any()
            else _leaf(rows, self.schema_)
            for b in range(split.n_branches - 1)
        ]
        return TreeNode(split, below, largest)

    def _split_utility(
        self, rows: Rows, order: NDArray[np.intp], split: Split, least: float
    ) -> float:
        """Return the accuracy below a split; 0 once it cannot be above ``least``."""
        branch, _ = _branches(split, rows.values)
        total = float(len(branch))
        for b in np.unique(branch):
            inside = np.flatnonzero(branch == b)
            total -= len(inside) * (1.0 - self._utility(rows.take(inside), order[inside]))
            if total / len(branch) <= least:
                return 0.0
        return total / len(branch)

    def _utility(self, rows: Rows, order: NDArray[np.intp]) -> float:
        """Return the cross-validated accuracy of naive Bayes on these rows."""
        intervals = Intervals.learn(rows, self.schema_)
        fold = _fold_of(rows.target, order, self.folds)
        right = hits_in_folds(
            intervals.codes(rows.values), _first(intervals), rows.target, fold, self.folds,
            rows.n_classes,
        )  # fmt: skip
        return float(right) / len(rows.target)

    def _chances(self, values: Floats) -> Floats:
        out = np.empty((len(values), len(self.classes_)))
        todo: list[tuple[TreeNode | Leaf, NDArray[np.intp]]] = [
            (self.tree_, np.arange(len(values)))
        ]
        while todo:
            node, inside = todo.pop()
            if isinstance(node, Leaf):
                out[inside] = node.chances(values[inside])
                continue
            branch = node.branches(values[inside])
            todo += [(child, inside[branch == b]) for b, child in enumerate(node.below)]
        return out

    def _show(self, node: Any) -> Shown:
        node = self.tree_ if node is None else node
        if isinstance(node, Leaf):
            pairs = zip(self.classes_, node.counts, strict=True)
            return f"naive Bayes ({', '.join(f'{c} {n:.6g}' for c, n in pairs)})", []
        conditions = node.split.conditions(self.schema_.levels[node.split.feature])
        below = list(zip(conditions, node.below, strict=False))
        return self.schema_.names[node.split.feature], below


def _branches(split: Split, values: Floats) -> tuple[NDArray[np.int64], int]:
    """Return the branch of every row, and the largest one, which takes the unknown values."""
    branch = split.branches(values[:, split.feature])
    sizes = np.bincount(branch, minlength=split.n_branches)[:-1]
    largest = int(sizes.argmax())
    branch[branch == split.n_branches - 1] = largest
    return branch, largest


def _splits(rows: Rows) -> Iterable[Split]:
    """Yield one candidate per feature that has at least two known values."""
    cells = Cells.count(rows)
    counts = cells.class_weights(rows, np.arange(len(rows.target)))
    for j, levels in enumerate(rows.cardinalities):
        inside = counts[cells.first[j] : cells.first[j + 1] - 1]
        if (inside.sum(axis=1) > 0.0).sum() < 2:
            continue
        if levels:
            yield Split.by_level(j, int(levels))
        else:
            at = _best_cut(inside)
            cut = half_way(cells.values[j][at], cells.values[j][at + 1])
            yield Split.at(j, np.array([cut]))


def _best_cut(counts: Floats) -> int:
    """Return the position of the last value on the left of the cut with the smallest entropy."""
    left = np.cumsum(counts, axis=0)[:-1]
    right = counts.sum(axis=0) - left
    return int((_entropy(left) + _entropy(right)).argmin())


def _entropy(counts: Floats) -> Floats:
    total = counts.sum(axis=1)
    safe = np.maximum(counts, 1e-300)
    return np.asarray(total * np.log2(np.maximum(total, 1e-300)) - (counts * np.log2(safe)).sum(1))


def _first(intervals: Intervals) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(intervals.sizes)]).astype(np.int64)


def _fold_of(target: NDArray[np.int64], order: NDArray[np.intp], folds: int) -> NDArray[np.int64]:
    """Draw folds that are alike in their classes: each class is dealt out in a shuffled order."""
    place = np.lexsort((order, target))
    fold = np.empty(len(target), dtype=np.int64)
    fold[place] = np.arange(len(target)) % folds
    return fold


def _tables(prior: Floats, counts: Floats, first: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return log prior and log likelihoods with Laplace's correction."""
    total = np.add.reduceat(np.vstack([counts, np.zeros(counts.shape[1])]), first[:-1], axis=0)
    sizes = np.diff(first)
    total[sizes == 0] = 0.0
    spread = np.repeat(total + sizes[:, None], sizes, axis=0)
    with np.errstate(divide="ignore"):
        return np.log(prior / max(prior.sum(), 1.0)), np.log((counts + 1.0) / spread)


def _evidence(codes: NDArray[np.int64], first: NDArray[np.int64], tables: Floats) -> Floats:
    """Sum the log likelihoods over the known values of each row."""
    padded = np.vstack([tables, np.zeros(tables.shape[1])])
    cells = np.where(codes >= 0, first[:-1] + codes, len(tables))
    return np.asarray(padded[cells].sum(axis=1), dtype=np.float64)


def _leaf(rows: Rows, schema: Any) -> Leaf:
    intervals = Intervals.learn(rows, schema)
    first = _first(intervals)
    codes = intervals.codes(rows.values)
    prior = rows.class_weights
    cells = ((first[:-1] + codes) * rows.n_classes + rows.target[:, None])[codes >= 0]
    counts = np.bincount(cells, minlength=int(first[-1]) * rows.n_classes).reshape(-1, len(prior))
    log_prior, tables = _tables(prior, counts.astype(np.float64), first)
    return Leaf(intervals, first, log_prior, tables, prior)
