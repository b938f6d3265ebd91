"""The rule of TAN and selective naive Bayes: what a fold knows is counted once."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ...._kernels.bayes.tan_accuracy import log_joints, right_rows, spanning_trees
from ...._kernels.scoring.probabilities import ODDS
from ...._kernels.scoring.ranks import row_keys
from ....classifiers._factors import Codes, Family, class_posteriors, learn_family
from ....classifiers._network_classifiers import NetworkClassifier
from ....data._discretise import as_nominal
from ....data._information import Information
from ....data._table import Table
from ..._steps import Steps
from ..metrics.metric import Floats, Ints, Responses
from ..sources.pipelines import Source
from ..splits import Split
from .rule import Bools, Counts, Patience, Rule, Size

EPS = float(np.finfo(np.float64).eps)
#: Cells of conditional tables that one fold keeps; beyond that they are counted again.
KEPT_CELLS = 4_000_000


@dataclass(eq=False)
class NetworkFold:
    """One fold: coded rows, the weights of the tree, and the tables of arcs seen so far."""

    model: NetworkClassifier
    train: Codes
    test: Codes
    sizes: list[int]
    weights: Floats | None
    holes: NDArray[np.bool_]
    _kept: dict[tuple[int, int], Family] = field(default_factory=dict)
    _cells: int = 0
    _lock: Any = field(default_factory=threading.Lock)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": {}, "_cells": 0, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def right(self, masks: Bools) -> Ints:
        """Count the test rows that the classifier over each subset gets right."""
        arcs, families, arc_of, prior = self.arcs(masks)
        known = right_rows(
            self.test[:-1], self.test[-1], self.holes[:-1], *self.tables(arcs, families, prior),
            arc_of,
        )  # fmt: skip
        return np.asarray(known + self._unknown(families, arc_of, prior))

    def joints(self, masks: Bools) -> Floats:
        """Return the logarithm of each class and the values of each test row, by subset."""
        arcs, families, arc_of, prior = self.arcs(masks)
        tables = self.tables(arcs, families, prior)
        return np.asarray(log_joints(self.test[:-1], *tables, arc_of))

    def arcs(
        self, masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], list[Family], NDArray[np.int64], Family]:
        """Return the arcs of all classifiers, their tables, and the table of the class.

        The third part says which arc leads to which feature of each classifier.
        """
        trees = np.full(masks.shape, -1)
        if self.weights is not None:
            trees = spanning_trees(self.weights, masks)
        rows, members = np.nonzero(masks)
        pairs = np.stack([members, trees[rows, members]], axis=1)
        arcs, place = np.unique(pairs, axis=0, return_inverse=True)
        families = [self._family(int(child), int(parent)) for child, parent in arcs]
        arc_of = np.full(masks.shape, -1)
        arc_of[rows, members] = place.ravel()
        return arcs, families, arc_of, self._family(len(self.sizes) - 1, -1)

    def tables(
        self, arcs: NDArray[np.int64], families: list[Family], prior: Family
    ) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64], Floats]:
        """Return logarithms of the class probabilities and of all tables, as kernels take them."""
        last = len(self.sizes) - 1
        with np.errstate(divide="ignore"):
            tables = [np.log(f.table).reshape(self.sizes[last], -1) for f in families]
            logs = np.log(prior.table)
        nothing = np.zeros((self.sizes[last], 1))  # for empty subsets
        ends = np.cumsum([t.shape[1] for t in tables], dtype=np.int64)
        starts = np.concatenate([[0], ends]).astype(np.int64)[:-1]
        values = np.array(self.sizes, dtype=np.int64)[arcs[:, 0]]
        cells = np.concatenate([*tables, nothing], axis=1)
        return logs, np.column_stack([arcs, values]), starts, cells

    def _unknown(
        self, families: list[Family], arc_of: NDArray[np.int64], prior: Family
    ) -> NDArray[np.int64]:
        """Count the right ones among rows with unknown values, which are summed out."""
        last = len(self.sizes) - 1
        right = np.zeros(len(arc_of), dtype=np.int64)
        for m in np.flatnonzero((arc_of >= 0)[:, self.holes[:last]].any(axis=1)):
            members = np.flatnonzero(arc_of[m] >= 0)
            rows = np.flatnonzero((self.test[members] < 0).any(axis=0))
            chosen = [prior, *(families[arc_of[m, j]] for j in members)]
            shares = class_posteriors(chosen, self.test[:, rows], last, self.sizes[last])
            right[m] = (shares.argmax(axis=1) == self.test[last, rows]).sum()
        return right

    def _family(self, child: int, parent: int) -> Family:
        """Learn P(child | class, parent) from the training rows."""
        with self._lock:
            kept = self._kept.get((child, parent))
        if kept is not None:
            return kept
        last = len(self.sizes) - 1
        parents = () if child == last else (last,) if parent < 0 else (last, parent)
        model = self.model
        family = learn_family(
            self.train, self.sizes, child, parents, model.smoothing, model.strength
        )
        with self._lock:
            if self._cells + family.table.size <= KEPT_CELLS:
                self._cells += family.table.size
                self._kept[child, parent] = family
        return family


class NetworkRule(Rule):
    """Bayesian network classifiers over all of their features."""

    takes_tables: ClassVar[bool] = True
    takes_weights: ClassVar[bool] = False
    #: Whether the attributes form a tree.
    tree: ClassVar[bool] = False
    batch = 64

    def __init__(self, model: Any, source: Source, weight: Floats | None) -> None:
        super().__init__(model, source, weight)
        self.outputs = source.table.n_classes
        self.patience = Patience(source, int(self.tree))
        self._folds: dict[int, NetworkFold | None] = {}

    @classmethod
    def refusal(cls, model: Any, table: Table) -> str | None:
        """Return a reason where the model itself chooses features or a root."""
        if model.features is not None:
            return f"{type(model).__name__}(features=...) uses some of the features only"
        if getattr(model, "root", None) is not None:
            return f"{type(model).__name__}(root=...) names the root of the tree"
        return None

    @classmethod
    def cost(cls, model: Any, size: Size) -> float:
        """Count a tree of all pairs, and a sum over the features of each row."""
        pairs = size.folds * size.columns**2 if cls.tree else 0
        return float(pairs + size.rows * size.columns * size.classes)

    def count(self, batch: Bools | Steps) -> Counts:
        """Count the rows that are right; few subsets, and folds with one class, are in doubt."""
        masks = np.ascontiguousarray(batch, dtype=bool)
        shape = len(self.source.splits), len(masks)
        right, doubtful = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for number in range(len(right)):
            fold = self._fold(number, masks)
            if fold is None:
                doubtful[number] = 1
            else:
                right[number] = fold.right(masks)
        return Counts(right, doubtful)

    def _fold(self, number: int, masks: Bools) -> NetworkFold | None:
        """Return what a fold knows; None where it trains on one class or is not worth binding."""
        if self.patience.lasts(number, masks):
            return None
        if number not in self._folds:
            bare = replace(self.source.table, X=None, y=None, metadata={})
            self._folds[number] = _bound(self.model, bare, self.source.splits[number], self.tree)
        return self._folds[number]

    def respond(self, fold: int, candidates: Bools) -> tuple[Responses, Bools]:
        """Return joint logarithms; subsets with unknown values in the test rows are in doubt."""
        own = self._fold(fold, candidates)
        if own is None:
            return self.leave(fold, candidates)
        codes, totals = own.test[:-1], own.joints(candidates)
        slack = 4.0 * EPS * (len(codes) + 2) * (1.0 + np.abs(totals).max(axis=1))

        def keys(some: Ints) -> NDArray[np.uint64]:
            return np.asarray(row_keys(codes.astype(np.int64), candidates[some]))

        unsure = ~np.isfinite(totals).all(axis=(1, 2)) | (candidates & own.holes[:-1]).any(axis=1)
        return Responses(totals, slack, True, ODDS, keys), np.asarray(unsure)


class TANRule(NetworkRule):
    """Tree-augmented naive Bayes with the default root."""

    tree: ClassVar[bool] = True


def _bound(estimator: Any, table: Table, split: Split, tree: bool) -> NetworkFold | None:
    train, test = table.take(split[0]), table.take(split[1])
    assert table.classes is not None
    seen = np.unique(train.target)
    if len(seen) < 2:
        return None
    # A class that no training row has is not a class of the classifier.
    number = np.full(len(table.classes), -1)
    number[seen] = np.arange(len(seen))
    train = replace(train, target=number[train.target], classes=table.classes[seen])
    test = replace(test, target=number[test.target], classes=train.classes)
    model = clone(estimator).fit_table(train)
    sizes = [*(max(1, len(values)) for values in model.seen_), len(seen)]
    weights = None
    if tree:
        nominal = as_nominal(train, model.discretise, model.bins)
        weights = Information.of(nominal).conditional
    codes = model.coded(test)
    return NetworkFold(model, model.coded(train), codes, sizes, weights, (codes < 0).any(axis=1))
