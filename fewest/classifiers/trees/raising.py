"""Subtree raising: pruning that may also put the largest branch of a node in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.trees.forest import (
    BY,
    COUNTS,
    ERRORS,
    EXPECTED,
    FIRST,
    KIDS,
    LARGEST,
    LEVELS,
    RANK,
    SHARE,
    TOTAL,
    Forest,
    Rules,
)
from ...kernels.trees.link import finish_node
from ...kernels.trees.score import LEAF
from .tables import TreeTable

#: Weights of branches closer than this are equal: sums in another order differ by less.
_SAME = 1e-9


class Load(NamedTuple):
    """The rows that reach a node, with the weights they have there."""

    node: int
    share: float
    rows: NDArray[Any]
    weights: NDArray[np.float64]


class Raiser:
    """Prunes a tree over all its training rows by leaves and by raised branches.

    Parameters
    ----------
    table, rules : what the tree was grown from, and how
    forest : Forest
        With this tree only. Its nodes get the rows that reach them in the pruned tree.
    at : int64 array
        The link of each node, LEAF for none; changed in place.

    Notes
    -----
    As Weka's J48 does it (Witten & Frank, 2005, section 6.1), which follows Quinlan (1993,
    chapter 4). Bottom up, a node becomes a leaf if the leaf is expected to err no more than 0.1
    rows above the node's subtree and above its largest branch with all rows of the node sent
    down it; else that branch takes the node's place if it errs no more than 0.1 above the
    subtree, and, as its rows are others now, is pruned once more. Of branches with equally many
    rows the last is the largest.
    """

    def __init__(
        self, table: TreeTable, rules: Rules, forest: Forest, at: NDArray[np.int64]
    ) -> None:
        self.table, self.rules, self.at = table, rules, at
        self.nodes, self.links = forest.nodes, forest.links
        self._loads: dict[int, Load] = {}
        self._trial = np.zeros((1, forest.nodes.shape[1]))

    def prune(self, rows: NDArray[Any], weights: NDArray[np.float64]) -> None:
        """Prune the tree of these training rows."""
        self._settle(Load(0, 1.0, rows, weights))
        self._collapse()
        todo = [(0, False)]
        while todo:
            node, branches_done = todo.pop()
            if self.at[node] == LEAF:
                continue
            if not branches_done:
                todo += [(node, True), *((kid, False) for kid in self._kids(node))]
            elif self._replace(node):
                todo.append((node, False))
        for node in self._below(0):
            if self.at[node] != LEAF:
                shares = self.nodes[list(self._kids(node)), SHARE]
                self.links[self.at[node], LARGEST] = np.argmax(shares)

    def _kids(self, node: int) -> range:
        first, n = self.links[self.at[node], [FIRST, KIDS]]
        return range(first, first + n)

    def _below(self, node: int) -> Iterator[int]:
        """A node and all below it, parents first."""
        todo = [node]
        while todo:
            node = todo.pop()
            yield node
            if self.at[node] != LEAF:
                todo += self._kids(node)

    def _collapse(self) -> None:
        """Make leaves of the subtrees that err as often on the training rows as a leaf would."""
        errors = self.nodes[:, ERRORS].copy()
        for node in reversed(list(self._below(0))):
            if self.at[node] != LEAF:
                errors[node] = sum(errors[kid] for kid in self._kids(node))
                if errors[node] >= self.nodes[node, ERRORS] - 1e-3:
                    self.at[node] = LEAF

    def _replace(self, node: int) -> bool:
        """Make a leaf of a node if that is best; else raise its largest branch if that is."""
        leaves = [k for k in self._below(node) if self.at[k] == LEAF]
        tree = self.nodes[leaves, EXPECTED].sum()
        leaf, kids = self.nodes[node, EXPECTED], self._kids(node)
        sizes = self.nodes[kids.start : kids.stop, TOTAL]
        largest = kids[int(np.flatnonzero(sizes > sizes.max() - _SAME)[-1])]
        branch = self._expected(self._loads[node]._replace(node=largest))
        if leaf <= min(tree, branch) + 0.1:
            self.at[node] = LEAF
        elif branch <= tree + 0.1:
            self.at[node] = self.at[largest]
            self._settle(self._loads[node])
            return True
        return False

    def _expected(self, load: Load) -> float:
        """The errors to be expected of a subtree if these rows went down it."""
        total = 0.0
        for part in self._spread(load):
            if self.at[part.node] == LEAF:
                self._weigh(self._trial, 0, part)
                total += self._trial[0, EXPECTED]
        return total

    def _settle(self, load: Load) -> None:
        """Send rows down a subtree and keep what its nodes become by them."""
        for part in self._spread(load):
            self._loads[part.node] = part
            self._weigh(self.nodes, part.node, part)
            self.nodes[part.node, SHARE] = part.share

    def _weigh(self, nodes: NDArray[np.float64], at: int, load: Load) -> None:
        """Fill in a node from its rows."""
        classes = self.table.data.classes[load.rows]
        nodes[at, COUNTS:] = np.bincount(classes, load.weights, nodes.shape[1] - COUNTS)
        finish_node(nodes, at, self.rules.minimum, self.rules.confidence, self.rules.z)

    def _spread(self, load: Load) -> Iterator[Load]:
        """The rows at each node of a subtree, parents first."""
        todo = [load]
        while todo:
            load = todo.pop()
            yield load
            if self.at[load.node] != LEAF:
                todo += self._part(load)

    def _part(self, load: Load) -> Iterator[Load]:
        """The rows of the branches of a node; unknown values go down each with its share."""
        link, weights = self.links[self.at[load.node]], load.weights
        sides = self.table.data.codes[link[BY], load.rows]
        unknown = sides < 0
        if not self.table.features[link[BY], LEVELS]:
            sides = np.where(unknown, sides, sides > link[RANK])
        known = np.bincount(sides[~unknown], weights[~unknown], link[KIDS])
        for branch, share in enumerate(known / known.sum()):
            taken = (sides == branch) | (unknown & (share > 0.0))
            parts = np.where(unknown, weights * share, weights)[taken]
            yield Load(int(link[FIRST]) + branch, float(share), load.rows[taken], parts)
