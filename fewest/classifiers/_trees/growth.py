"""Grow and prune decision trees: the arrays behind the kernels, and subtree raising."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._kernels.trees import forest as slots
from ..._kernels.trees.forest import Forest, Work
from ..._kernels.trees.grow import grow
from ..._kernels.trees.link import count_tests, finish_node
from ..._kernels.trees.tree_scores import BY_ERRORS, BY_EXPECTATION, LEAF, UNPRUNED, Tree, settle
from ..._kernels.trees.whole import NONE
from .encoding import TreeTable

#: Weights of branches closer than this are equal: sums in another order differ by less.
_SAME_WEIGHT_TOLERANCE = 1e-9


class Load(NamedTuple):
    """Rows that reach a node, with the weights they have there."""

    node: int
    share: float
    rows: NDArray[Any]
    weights: NDArray[np.float64]


class Raiser:
    """Prunes a tree over all its training rows by leaves and by raised branches.

    table, rules: what the tree was grown from, and how.
    forest: with this tree only. Its nodes get the rows that reach them in the pruned tree.
    at: the link of each node, LEAF for none; changed in place.

    As Weka's J48 does it (Witten & Frank, 2005, section 6.1), which follows Quinlan (1993,
    chapter 4). Bottom up, a node becomes a leaf if the leaf is expected to err no more than 0.1
    rows above the node's subtree and above its largest branch with all rows of the node sent
    down it; else that branch takes the node's place if it errs no more than 0.1 above the
    subtree, and, as its rows are others now, is pruned once more. Of branches with equally many
    rows the last is the largest.
    """

    def __init__(self, table: TreeTable, rules: Any, forest: Any, at: NDArray[np.int64]) -> None:
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
                shares = self.nodes[list(self._kids(node)), slots.SHARE]
                self.links[self.at[node], slots.LARGEST] = np.argmax(shares)

    def _kids(self, node: int) -> range:
        first, n = self.links[self.at[node], [slots.FIRST, slots.KIDS]]
        return range(first, first + n)

    def _below(self, node: int) -> Iterator[int]:
        """Return a node and all below it, parents first."""
        todo = [node]
        while todo:
            node = todo.pop()
            yield node
            if self.at[node] != LEAF:
                todo += self._kids(node)

    def _collapse(self) -> None:
        """Make leaves of the subtrees that err as often on the training rows as a leaf would."""
        errors = self.nodes[:, slots.ERRORS].copy()
        for node in reversed(list(self._below(0))):
            if self.at[node] != LEAF:
                errors[node] = sum(errors[kid] for kid in self._kids(node))
                if errors[node] >= self.nodes[node, slots.ERRORS] - 1e-3:
                    self.at[node] = LEAF

    def _replace(self, node: int) -> bool:
        """Make a leaf of a node if that is best; else raise its largest branch if that is."""
        leaves = [k for k in self._below(node) if self.at[k] == LEAF]
        tree = self.nodes[leaves, slots.EXPECTED].sum()
        leaf, kids = self.nodes[node, slots.EXPECTED], self._kids(node)
        sizes = self.nodes[kids.start : kids.stop, slots.TOTAL]
        largest = kids[int(np.flatnonzero(sizes > sizes.max() - _SAME_WEIGHT_TOLERANCE)[-1])]
        branch = self._expected(self._loads[node]._replace(node=largest))
        if leaf <= min(tree, branch) + 0.1:
            self.at[node] = LEAF
        elif branch <= tree + 0.1:
            self.at[node] = self.at[largest]
            self._settle(self._loads[node])
            return True
        return False

    def _expected(self, load: Load) -> float:
        """Return the errors to be expected of a subtree if these rows went down it."""
        total = 0.0
        for part in self._spread(load):
            if self.at[part.node] == LEAF:
                self._weigh(self._trial, 0, part)
                total += self._trial[0, slots.EXPECTED]
        return total

    def _settle(self, load: Load) -> None:
        """Send rows down a subtree and keep what its nodes become by them."""
        for part in self._spread(load):
            self._loads[part.node] = part
            self._weigh(self.nodes, part.node, part)
            self.nodes[part.node, slots.SHARE] = part.share

    def _weigh(self, nodes: NDArray[np.float64], at: int, load: Load) -> None:
        """Fill in a node from its rows."""
        classes = self.table.data.classes[load.rows]
        nodes[at, slots.COUNTS :] = np.bincount(
            classes, load.weights, nodes.shape[1] - slots.COUNTS
        )
        finish_node(nodes, at, self.rules.minimum, self.rules.confidence, self.rules.z)

    def _spread(self, load: Load) -> Iterator[Load]:
        """Return the rows at each node of a subtree, parents first."""
        todo = [load]
        while todo:
            load = todo.pop()
            yield load
            if self.at[load.node] != LEAF:
                todo += self._part(load)

    def _part(self, load: Load) -> Iterator[Load]:
        """Split the rows by the branches of a node; unknown values go down each with its share."""
        link, weights = self.links[self.at[load.node]], load.weights
        sides = self.table.data.codes[link[slots.BY], load.rows]
        unknown = sides < 0
        if not self.table.features[link[slots.BY], slots.LEVELS]:
            sides = np.where(unknown, sides, sides > link[slots.RANK])
        known = np.bincount(sides[~unknown], weights[~unknown], link[slots.KIDS])
        for branch, share in enumerate(known / known.sum()):
            taken = (sides == branch) | (unknown & (share > 0.0))
            parts = np.where(unknown, weights * share, weights)[taken]
            yield Load(int(link[slots.FIRST]) + branch, float(share), load.rows[taken], parts)


#: Array of the forest that is enlarged when a kernel reports that it is short.
_FIELDS = {
    slots.TASKS_SHORT: "stack",
    slots.NODES_SHORT: "nodes",
    slots.LINKS_SHORT: "links",
    slots.LOG_SHORT: "log",
}


class Grower:
    """Trees of many subsets on the same training rows, and their predictions for test rows.

    table, rules: what to grow from, and how.
    train, test: sorted row indices.
    weights: weights of the training rows; None for whole rows.
    budget: bytes that the trees grown together may take; where they would need more, the subsets
        are halved: slower, with the same answers. A single tree may exceed it.
    """

    def __init__(
        self,
        table: TreeTable,
        rules: Any,
        n_classes: int,
        train: NDArray[Any],
        test: NDArray[Any],
        weights: NDArray[np.float64] | None = None,
        budget: int = 1 << 28,
    ) -> None:
        self.table: TreeTable = table
        self.budget: int = budget
        self.n_classes: int = n_classes
        self.seen: NDArray[np.bool_] = _seen_levels(table, train)
        self._train, self._tests, self._voters, self._weights = train, test, test[:0], weights
        self.rules: Any = rules._replace(present=float(len(np.unique(table.data.classes[train]))))
        if rules.fractional and self._any_unknown():
            self._weights = np.ones(len(train)) if weights is None else weights
            self._voters, self._tests = test, test[:0]

    def score(self, subsets: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Correct test rows, leaves and nodes of the trees, shape (m, 3)."""
        forest = self.grow(subsets)
        if forest is None:
            half = len(subsets) // 2
            return np.concatenate([self.score(subsets[:half]), self.score(subsets[half:])])
        return self.settle(forest)[0]

    def grow(self, subsets: NDArray[np.bool_]) -> Any:
        """Grow the trees of some subsets, not yet pruned; None if they take too much room."""
        work, forest = self._new_work(), self._new_forest(subsets)
        while True:
            short = grow(self.table.data, self.rules, work, forest)
            if not short:
                return forest
            if short in _FIELDS:
                field = _FIELDS[short]
                forest = forest._replace(**{field: _twice(getattr(forest, field))})
            else:
                work = _more_columns(work, short)
            held = (work.lists, work.weights, work.tests, *forest)
            if len(subsets) > 1 and sum(array.nbytes for array in held) > self.budget:
                return None

    def raised(self, forest: Any) -> NDArray[np.int64]:
        """Prune the only tree with subtree raising; the link of each of its nodes."""
        _, links = self.settle(forest, pruning=False)
        order = np.argsort(self.table.data.classes[self._train], kind="stable")
        weights = np.ones(len(order)) if self._weights is None else self._weights
        Raiser(self.table, self.rules, forest, links).prune(self._train[order], weights[order])
        return links

    def settle(
        self, forest: Any, pruning: bool = True
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Prune and measure the trees; also the link of each node of the last one."""
        n, shared = forest.used[slots.N_NODES], len(self._voters) > 0
        tree = Tree(
            path=np.zeros(forest.used[slots.N_LINKS], np.int64),
            at=np.full(n, LEAF, np.int64),
            errors=np.zeros(n),
            expected=np.zeros(n),
            rows=np.asarray(self._voters, np.uint32),
            places=np.zeros(n if shared else 0, np.int64),
            weights=np.zeros(n if shared else 0),
            votes=np.zeros(self.n_classes),
        )
        out, data = np.zeros((forest.items.shape[1] - 1, 3)), self.table.data
        settle(
            data.codes, data.classes, self.table.features, self.seen,
            self._kind_of_pruning() if pruning else UNPRUNED,
            forest.nodes, forest.links, forest.log, forest.items, tree, out,
        )  # fmt: skip
        return out, tree.at

    def _kind_of_pruning(self) -> int:
        if self.rules.confidence > 0.0:
            return BY_EXPECTATION
        return BY_ERRORS if self.rules.release8 else UNPRUNED

    def _any_unknown(self) -> bool:
        features = self.table.features
        nominal = features[features[:, slots.LEVELS] > 0]
        unseen = (
            not self.seen[a : a + n].all() for a, n in nominal[:, [slots.OFFSET, slots.LEVELS]]
        )
        return any(unseen) or not features[:, slots.COMPLETE].all()

    def _new_forest(self, subsets: NDArray[np.bool_]) -> Any:
        """Make a forest with only the root, to be looked at for all subsets."""
        rules, classes, m = self.rules, self.table.data.classes, len(subsets)
        forest = Forest(
            stack=np.zeros((64 + 2 * subsets.shape[1], 11), np.int64),
            nodes=np.zeros((256 + 32 * m, slots.COUNTS + self.n_classes)),
            links=np.zeros((256 + 16 * m, 9), np.int64),
            log=np.zeros((256 + 32 * m, 2), np.int64),
            items=np.zeros((5, m + 1), np.int64),
            chosen=np.nonzero(subsets)[1],
            used=np.zeros(5, np.int64),
        )
        forest.items[slots.ITEM], forest.items[slots.LAST] = np.arange(m + 1), -1
        forest.items[slots.CHOSEN, 1:] = np.cumsum(subsets.sum(axis=1))
        forest.nodes[0, slots.COUNTS :] = np.bincount(
            classes[self._train], self._weights, minlength=self.n_classes
        )
        forest.used[slots.N_NODES] = 1
        if finish_node(forest.nodes, 0, rules.minimum, rules.confidence, rules.z):
            forest.used[slots.N_TASKS] = 1
            forest.stack[0, [slots.FEATURE, slots.HIGH]] = slots.ASK, m
            forest.stack[0, [slots.ROWS, slots.TESTS]] = len(self._train), len(self._tests)
        tests = self._tests.astype(np.uint32)[None]
        forest.nodes[0, slots.CORRECT] = count_tests(
            tests, 0, len(tests[0]), classes, forest.nodes, 0
        )
        return forest

    def _new_work(self) -> Work:
        """Allocate the nodes that are being grown, with the rows of the root in it."""
        data, features, c, n = (
            self.table.data,
            self.table.features,
            self.n_classes,
            len(self._train),
        )
        widest = max(2, int(features[:, slots.LEVELS].max(initial=2)))
        total, lists, weighted = len(data.classes), self._root_lists(), self._weights is not None
        tests = np.zeros((1, 4 * len(self._tests) + 64), np.uint32)
        tests[0, : len(self._tests)] = self._tests
        weights = np.zeros(lists.shape[1] if weighted else 0)
        if self._weights is not None:
            order = np.argsort(data.classes[self._train], kind="stable")
            weights[:n] = self._weights[order]
        return Work(
            lists=lists,
            weights=weights,
            tests=tests,
            seen=self.seen,
            features=features.copy(),
            sides=np.zeros(total, np.int32),
            copy=np.zeros(total + 1, np.uint32),
            loads=np.zeros((2, total if weighted else 0)),
            gains=np.zeros((len(features), 2)),
            tally=np.zeros((widest + 2, max(widest, c)), np.int64),
            classes=np.zeros((3, c), np.int64),
            sums=np.zeros((c, 64 * data.flags.shape[1]), np.int64),
            planes=np.zeros(8, np.uint64),
            outer=np.zeros(n + 1, np.int64),
            inner=np.zeros(n + 1, np.int64),
            counts=np.zeros((widest + 2, max(widest, c)) if weighted else (2, 2)),
        )

    def _root_lists(self) -> NDArray[np.uint32]:
        """Return the training rows in the order of the classes and of each continuous feature."""
        n, classes, orders = len(self._train), self.table.data.classes, self.table.orders
        lists = np.zeros((1 + len(orders), 4 * n + 64), np.uint32)
        lists[0, :n] = self._train[np.argsort(classes[self._train], kind="stable")]
        taken = np.zeros(len(classes) + 1, bool)
        taken[self._train] = True
        for j, rows in enumerate(orders):
            known = rows[taken[np.minimum(rows, len(classes))]]
            lists[1 + j, : len(known)] = known
            lists[1 + j, len(known) : n] = NONE
        return lists


def _seen_levels(table: TreeTable, train: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the nominal levels that occur in the training rows."""
    seen = np.zeros(len(table.data.distinct), dtype=bool)
    for j in np.flatnonzero(table.features[:, slots.LEVELS]):
        codes = table.data.codes[j, train]
        seen[table.features[j, slots.OFFSET] + codes[codes >= 0]] = True
    return seen


def _more_columns(work: Work, short: int) -> Work:
    if short == slots.TESTS_SHORT:
        return work._replace(tests=_twice(work.tests.T).T.copy())
    assert short == slots.ROWS_SHORT
    return work._replace(lists=np.hstack([work.lists, work.lists]), weights=_twice(work.weights))


def _twice(array: NDArray[Any]) -> NDArray[Any]:
    larger = np.empty_like(array, shape=(2 * len(array), *array.shape[1:]))
    larger[: len(array)] = array
    return larger
