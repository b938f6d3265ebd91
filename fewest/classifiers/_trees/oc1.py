"""OC1: decision trees whose tests are hyperplanes over all features."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._kernels.trees.oblique import best_step, side_weights, twoing
from ..._parameters import number, whole
from .._base import Rows, UnweightedClassifier
from .rule_text import Shown, WrittenTree, leaf_text

Floats = NDArray[np.float64]


@dataclass(eq=False)
class Hyperplanes:
    """Rows of a node, with a last column of ones, and the search for what splits them well.

    values (rows, features + 1)
    target (rows,)
    rng: draws hyperplanes and jumps.
    """

    values: Floats
    target: NDArray[np.int64]
    n_classes: int
    rng: np.random.Generator

    def goodness(self, plane: Floats) -> float:
        """Score how well a hyperplane splits the rows."""
        return float(twoing(*side_weights(self.values @ plane, self.target, self.n_classes)))

    def axis_parallel(self) -> Floats:
        """Find the best hyperplane over one feature only."""
        best, chosen = -1.0, np.zeros(self.values.shape[1])
        ones = np.ones(len(self.values))
        for j in range(self.values.shape[1] - 1):
            step, value = best_step(self.values[:, j].copy(), ones, self.target, self.n_classes)
            if value > best + 1e-12:
                best = value
                chosen = np.zeros(self.values.shape[1])
                chosen[j], chosen[-1] = 1.0, step
        return chosen

    def best(self, restarts: int, jumps: int) -> Floats:
        """Find the best hyperplane of several climbs; the first starts axis-parallel."""
        chosen = self.axis_parallel()
        best = self.goodness(chosen)
        for start in range(restarts):
            drawn = self._direction()
            plane = self.climbed(chosen.copy() if start == 0 else drawn, jumps)
            value = self.goodness(plane)
            if value > best + 1e-9:
                best, chosen = value, plane
        return chosen

    def climbed(self, plane: Floats, jumps: int) -> Floats:
        """Change one coefficient after the other while that helps; jump when it does not."""
        value = self.goodness(plane)
        while True:
            before = value
            for m in range(len(plane)):
                plane, value = self._moved(plane, value, np.eye(len(plane))[m])
            if value > before + 1e-9:
                continue
            for _ in range(jumps):
                plane, value = self._moved(plane, value, self._direction())
                if value > before + 1e-9:
                    break
            else:
                return plane

    def _moved(self, plane: Floats, value: float, direction: Floats) -> tuple[Floats, float]:
        position, along = self.values @ plane, self.values @ direction
        step, _ = best_step(position, along, self.target, self.n_classes)
        moved = plane + step * direction
        found = self.goodness(moved)
        return (moved, found) if found > value + 1e-9 else (plane, value)

    def _direction(self) -> Floats:
        return np.asarray(self.rng.uniform(-1.0, 1.0, self.values.shape[1]), dtype=np.float64)


@dataclass(eq=False)
class ObliqueNode:
    """Node: rows with ``values @ plane > 0`` go above, the others below; a leaf has no plane."""

    counts: Floats
    plane: Floats | None = None
    below: ObliqueNode | None = None
    above: ObliqueNode | None = None

    @property
    def children(self) -> list[ObliqueNode]:
        """Nodes below a split; none of a leaf."""
        return [node for node in (self.below, self.above) if node is not None]

    @property
    def errors(self) -> float:
        """Training rows that are not of the majority class."""
        return float(self.counts.sum() - self.counts.max())

    def leaves(self) -> list[ObliqueNode]:
        """Return all leaves under this node."""
        return [leaf for child in self.children for leaf in child.leaves()] or [self]

    def splits(self) -> list[ObliqueNode]:
        """Return all nodes under this one, and itself, that have children."""
        below = [node for child in self.children for node in child.splits()]
        return [self, *below] if self.children else []

    def cut(self) -> None:
        """Become a leaf."""
        self.plane = self.below = self.above = None


@dataclass(eq=False)
class OC1(WrittenTree, UnweightedClassifier):
    """Decision tree with oblique splits.

    Parameters
    ----------
    restarts : int
        How many hyperplanes are climbed from at each node; the first one is axis-parallel, the
        others are random.
    jumps : int
        Random directions that are tried at a local optimum.
    prune : float
        The share of the training rows that is kept for pruning; 0 does not prune.
    min_rows : int
        A node with fewer rows is not split.
    random_state : int
        Draws the hyperplanes, the jumps and the rows for pruning.

    Attributes
    ----------
    tree_ : ObliqueNode
    classes_ : array

    Notes
    -----
    At each node the coefficients of a hyperplane are changed one after the other, each to its
    best value, which is the best split of one number per row; at a local optimum random
    directions are tried, and the whole is repeated from random hyperplanes (Murthy, Kasif and
    Salzberg, 1994, sections 2 and 3). The twoing rule judges a split. The tree grows until nodes
    hold one class. Then it is pruned by cost complexity (Breiman et al., 1984, chapter 3): of
    the sequence of trees that cutting the weakest link gives, the one with the fewest errors on
    the rows kept aside is taken, the smaller one if several have. Continuous features are
    standardised, a nominal one becomes one column per level, and an unknown value is the mean
    of its column.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 0.0], [0.0, 2.0]] * 5
    >>> tree = OC1(prune=0.0).fit(X, ["a", "a", "a", "b", "b", "b"] * 5)
    >>> len(tree.tree_.leaves())
    2
    """

    restarts: int = whole(20, low=1)
    jumps: int = whole(5, low=0)
    prune: float = number(0.1, low=0.0, high=0.5)
    min_rows: int = whole(2, low=2)
    random_state: int = whole(0)

    def _learn(self, rows: Rows) -> None:
        rng = np.random.default_rng(self.random_state)
        self._sizes = rows.cardinalities
        columns = _columns(rows.values, self._sizes)
        with np.errstate(invalid="ignore"):
            known = ~np.isnan(columns)
            total = np.maximum(known.sum(axis=0), 1)
            self._mean = np.where(known, columns, 0.0).sum(axis=0) / total
            spread = np.where(known, (columns - self._mean) ** 2, 0.0).sum(axis=0) / total
        self._scale = np.where(spread > 0.0, np.sqrt(spread), 1.0)
        values = self._standard(rows.values)
        order = rng.permutation(len(values))
        kept = order[: int(self.prune * len(values))]
        grown = np.sort(order[len(kept) :])
        self.tree_: ObliqueNode = self._grow(values[grown], rows.target[grown], rows.n_classes, rng)
        if len(kept):
            _prune(self.tree_, values[kept], rows.target[kept])

    def _standard(self, values: Floats) -> Floats:
        columns = (_columns(values, self._sizes) - self._mean) / self._scale
        return np.column_stack([np.where(np.isnan(columns), 0.0, columns), np.ones(len(values))])

    def _grow(
        self,
        values: Floats,
        target: NDArray[np.int64],
        n_classes: int,
        rng: np.random.Generator,
    ) -> ObliqueNode:
        node = ObliqueNode(np.bincount(target, minlength=n_classes).astype(np.float64))
        if len(target) < self.min_rows or node.errors == 0.0:
            return node
        plane = Hyperplanes(values, target, n_classes, rng).best(self.restarts, self.jumps)
        up = values @ plane > 0.0
        if up.all() or not up.any():
            return node
        node.plane = plane
        node.below = self._grow(values[~up], target[~up], n_classes, rng)
        node.above = self._grow(values[up], target[up], n_classes, rng)
        return node

    def _chances(self, values: Floats) -> Floats:
        counts = _send_down(self.tree_, self._standard(values))
        return np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=np.float64)

    def _show(self, node: Any) -> Shown:
        node = self.tree_ if node is None else node
        if node.plane is None:
            return leaf_text(node.counts, self.classes_), []
        return self._plane(node.plane), [("<= 0", node.below), ("> 0", node.above)]

    def _plane(self, plane: Floats) -> str:
        names = []
        for name, levels in zip(self.schema_.names, self.schema_.levels, strict=True):
            names += [name] if levels is None else [f"[{name} = {v}]" for v in levels or ("?",)]
        parts = [f"{a:+.3g} {name}" for a, name in zip(plane, names, strict=False) if a != 0.0]
        return " ".join([*parts, f"{plane[-1]:+.3g}"])


def _columns(values: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return continuous columns as they are, nominal ones as one column per level."""
    parts: list[Floats] = []
    for j, size in enumerate(sizes):
        column = values[:, [j]]
        if size:
            shown = (column == np.arange(size)).astype(np.float64)
            column = np.where(np.isnan(column), np.nan, shown)
        parts.append(column)
    return np.hstack(parts)


def _send_down(root: ObliqueNode, values: Floats) -> Floats:
    """Return the class counts of the leaf that each row reaches."""
    out = np.empty((len(values), len(root.counts)))
    todo = [(root, np.arange(len(values)))]
    while todo:
        node, inside = todo.pop()
        if node.plane is None:
            out[inside] = node.counts
            continue
        up = values[inside] @ node.plane > 0.0
        assert node.below is not None
        assert node.above is not None
        todo += [(node.below, inside[~up]), (node.above, inside[up])]
    return out


def _prune(root: ObliqueNode, values: Floats, target: NDArray[np.int64]) -> None:
    """Cut the weakest links up to the tree with the fewest errors on these rows."""
    links: list[ObliqueNode] = []
    best, keep = _errors(root, values, target), 0
    copy = deepcopy(root)
    while copy.splits():
        weakest = min(copy.splits(), key=_strength)
        links.append(weakest)
        weakest.cut()
        errors = _errors(copy, values, target)
        if errors <= best:
            best, keep = errors, len(links)
    for _ in range(keep):
        min(root.splits(), key=_strength).cut()


def _strength(node: ObliqueNode) -> float:
    """Return how many training errors the subtree saves per leaf."""
    leaves = node.leaves()
    return (node.errors - sum(leaf.errors for leaf in leaves)) / (len(leaves) - 1)


def _errors(root: ObliqueNode, values: Floats, target: NDArray[np.int64]) -> int:
    return int((_send_down(root, values).argmax(axis=1) != target).sum())
