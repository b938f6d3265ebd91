"""The fast twin of TAN and selective naive Bayes: what a fold knows is counted once."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ..classifiers.factors import Codes, Family, class_posteriors, learn_family, normalised
from ..classifiers.network import NetworkClassifier
from ..data.information import Floats, Information
from ..data.nominal import as_nominal
from ..data.table import Table
from ..kernels.spanning_tree import maximum_spanning_tree
from .base import Candidates, Scorer, Scores
from .splits import Split, Splits

#: Bytes of evidence that one fold keeps; beyond that it is worked out again when needed.
KEPT = 32_000_000


@dataclass(eq=False)
class Fold:
    """One fold: coded rows, the weights of the tree, and the evidence of arcs seen so far."""

    model: NetworkClassifier
    train: Codes
    test: Codes
    sizes: list[int]
    weights: Floats | None
    holes: NDArray[np.bool_]
    _kept: dict[tuple[int, int], tuple[Family, Floats]] = field(default_factory=dict)
    _lock: Any = field(default_factory=threading.Lock)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": {}, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def accuracy(self, mask: NDArray[np.bool_]) -> float:
        """Share of the test rows that the classifier over these features gets right."""
        last = len(self.sizes) - 1
        tree = np.full(last, -1)
        if self.weights is not None:
            tree, _ = maximum_spanning_tree(self.weights, mask)
        members = np.flatnonzero(mask).tolist()
        families, logs = self._joint(members, tree)
        shares = normalised(logs, families, last)
        holes = [j for j in members if self.holes[j]]
        unknown = np.flatnonzero((self.test[holes] < 0).any(axis=0))
        if len(unknown):
            shares[unknown] = class_posteriors(
                families, self.test[:, unknown], last, self.sizes[last]
            )
        return float(np.mean(shares.argmax(axis=1) == self.test[last]))

    def _joint(self, members: list[int], tree: NDArray[np.int64]) -> tuple[list[Family], Floats]:
        last = len(self.sizes) - 1
        prior, logs = self._evidence(last, -1)
        families, total = [prior], logs.copy()
        for j in members:
            family, logs = self._evidence(j, int(tree[j]))
            families.append(family)
            total += logs
        return families, total

    def _evidence(self, child: int, parent: int) -> tuple[Family, Floats]:
        """log P(child | class, parent) of the test rows; rows with unknowns hold anything."""
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
        with np.errstate(divide="ignore"):
            table = np.log(family.table)
        if child == last:
            logs = np.broadcast_to(table, (self.test.shape[1], len(table)))
        elif parent < 0:
            logs = np.ascontiguousarray(table[:, self.test[child]].T)
        else:
            logs = np.ascontiguousarray(table[:, self.test[parent], self.test[child]].T)
        with self._lock:
            if (len(self._kept) + 1) * logs.nbytes <= KEPT:
                self._kept[child, parent] = (family, logs)
        return family, logs


@dataclass(frozen=True, eq=False)
class NetworkTwin(Scorer):
    """Fold accuracies of a Bayesian network classifier over each subset."""

    folds: tuple[Fold, ...]
    batch = 64

    def score(self, candidates: Candidates) -> Scores:
        """Score every subset."""
        masks = np.ascontiguousarray(candidates, dtype=bool)
        found = np.array([[fold.accuracy(mask) for fold in self.folds] for mask in masks])
        folds = found.reshape(len(masks), len(self.folds))
        return Scores(folds.mean(axis=1), folds)


def _twin(estimator: Any, table: Table, splits: Splits, tree: bool) -> Scorer | None:
    bare = replace(table, X=None, y=None, metadata={})
    folds = [_fold(estimator, bare, split, tree) for split in splits]
    whole = [fold for fold in folds if fold is not None]
    return NetworkTwin(tuple(whole)) if len(whole) == len(folds) else None


def _fold(estimator: Any, table: Table, split: Split, tree: bool) -> Fold | None:
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
    return Fold(model, model.coded(train), codes, sizes, weights, (codes < 0).any(axis=1))


def tan_twin(estimator: Any, table: Table, splits: Splits) -> Scorer | None:
    """The twin of TAN, for all of its features and the default root."""
    if estimator.features is not None or estimator.root is not None:
        return None
    return _twin(estimator, table, splits, tree=True)


def naive_bayes_twin(estimator: Any, table: Table, splits: Splits) -> Scorer | None:
    """The twin of selective naive Bayes, for all of its features."""
    if estimator.features is not None:
        return None
    return _twin(estimator, table, splits, tree=False)
