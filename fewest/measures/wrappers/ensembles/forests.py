"""Decision trees and forests of scikit-learn, grown by its own compiled builders."""

from __future__ import annotations

import numbers
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.utils import check_random_state

from ....data.table import Table
from ..additive import fewest_trained, plain_numbers, trained_target
from ..metrics.metric import Floats, Ints
from ..responses import trained_labels
from ..splits import Split, Splits
from .fold import TrainedFold, probe_of, repeats_estimator

#: Cells of bootstrap counts that are kept per fold; more are drawn again for every candidate.
KEPT = 1 << 20


def tree_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[ForestFold] | None:
    """DecisionTreeClassifier and DecisionTreeRegressor."""
    return _folds(estimator, table, splits, weight, {})


def forest_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[ForestFold] | None:
    """Random forests and extremely randomised trees, without weights."""
    plain = not estimator.warm_start and not estimator.oob_score and weight is None
    return _folds(estimator, table, splits, weight, {"n_estimators": 3}) if plain else None


def _folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, small: dict[str, int]
) -> list[ForestFold] | None:
    """The folds; None where the builders would not give what the estimator gives."""
    X = plain_numbers(table)
    regression = table.classes is None
    if X is None or is_regressor(estimator) != regression or not _plain(estimator):
        return None
    if not regression and fewest_trained(table, splits) < 2:
        return None
    with np.errstate(over="ignore"):
        x = X.astype(np.float32)
    if not np.isfinite(x).all():
        return None
    model, split = probe_of(estimator, table, splits, **small, random_state=0)
    try:
        same = repeats_estimator(model, _fold(model, x, table, split, weight), table, split)
    except (ImportError, AttributeError, TypeError):  # another version of scikit-learn
        return None
    return [_fold(estimator, x, table, s, weight) for s in splits] if same else None


def _plain(estimator: Any) -> bool:
    seed = estimator.random_state
    plain = seed is None or isinstance(seed, numbers.Integral)
    plain = plain and isinstance(estimator.criterion, str) and estimator.criterion != "poisson"
    plain = plain and getattr(estimator, "class_weight", None) is None
    plain = plain and isinstance(getattr(estimator, "max_samples", None), float | None)
    return plain and estimator.monotonic_cst is None and estimator.ccp_alpha == 0.0


def _fold(
    estimator: Any, x: NDArray[np.float32], table: Table, split: Split, weight: Floats | None
) -> ForestFold:
    train, test = split
    regression = table.classes is None
    target = table.target[train] if regression else trained_target(table, split)
    return ForestFold(
        rows=test,
        labels=np.empty(0, dtype=np.int64) if regression else trained_labels(table, split),
        estimator=estimator,
        train=np.ascontiguousarray(x[train].T),
        test=np.ascontiguousarray(x[test].T),
        target=np.ascontiguousarray(target, dtype=np.float64)[:, None],
        weight=None if weight is None else np.ascontiguousarray(weight[train]),
    )


@dataclass(eq=False)
class ForestFold(TrainedFold):
    """Single-precision columns, target and bootstrap counts of a fold.

    Growing a tree through its estimator spends more time on checks and copies than on growing
    where rows are few; here the builder gets what it reads.
    """

    rows: NDArray[np.intp]
    labels: Ints
    estimator: Any
    train: NDArray[np.float32]
    test: NDArray[np.float32]
    target: Floats
    weight: Floats | None
    drawn: dict[int, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.outputs = max(1, len(self.labels))
        self.kinds = np.array([self.outputs], dtype=np.intp)

    def answers(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats | None]:
        """The mean over the trees, in their order."""
        x, unseen = self.train[candidate].T, np.ascontiguousarray(self.test[candidate].T)
        seeds = self._seeds()
        total = np.zeros((len(self.rows), self.outputs))
        for seed in seeds:
            grown = self._grow(x, seed).predict(unseen)
            total += grown[:, None] if grown.ndim == 1 else grown
        if hasattr(self.estimator, "n_estimators"):
            total /= len(seeds)
        own: Floats = total.T
        return own, None if not len(self.labels) else own

    def _seeds(self) -> list[Any]:
        """A seed per tree; the tree itself where there is only one."""
        given = self.estimator.random_state
        if not hasattr(self.estimator, "n_estimators"):
            return [given]
        state = check_random_state(given)
        most = np.iinfo(np.int32).max
        return [int(state.randint(most)) for _ in range(self.estimator.n_estimators)]

    def _grow(self, x: NDArray[np.float32], seed: Any) -> Any:
        from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

        model, (n, d) = self.estimator, x.shape
        weight = self._weight(seed, n)
        leaf = _share(model.min_samples_leaf, n)
        split = max(max(2, _share(model.min_samples_split, n)), 2 * leaf)
        whole = n if weight is None else np.sum(weight)
        heavy = model.min_weight_fraction_leaf * whole
        splitter = self._splitter(d, leaf, heavy, seed)
        depth = np.iinfo(np.int32).max if model.max_depth is None else model.max_depth
        tree = Tree(d, self.kinds, 1)
        rest = (split, leaf, heavy, depth)
        if model.max_leaf_nodes is None:
            builder = DepthFirstTreeBuilder(splitter, *rest, model.min_impurity_decrease)
        else:
            from sklearn.tree._tree import BestFirstTreeBuilder

            builder = BestFirstTreeBuilder(
                splitter, *rest, model.max_leaf_nodes, model.min_impurity_decrease
            )
        builder.build(tree, x, self.target, weight, None)
        return tree

    def _splitter(self, d: int, leaf: int, heavy: float, seed: Any) -> Any:
        from sklearn.tree._classes import CRITERIA_CLF, CRITERIA_REG, DENSE_SPLITTERS

        model = self.estimator
        if len(self.labels):
            criterion = CRITERIA_CLF[model.criterion](1, self.kinds)
        else:
            criterion = CRITERIA_REG[model.criterion](1, len(self.target))
        way = getattr(model, "splitter", None)
        if way is None:
            way = "random" if type(model).__name__.startswith("Extra") else "best"
        columns = _columns(model.max_features, d)
        state = check_random_state(seed)
        return DENSE_SPLITTERS[way](criterion, columns, leaf, heavy, state, None)

    def _weight(self, seed: Any, n: int) -> Floats | None:
        """How often each row was drawn."""
        if not getattr(self.estimator, "bootstrap", False):
            return self.weight
        counts = self.drawn.get(seed)
        if counts is None:
            share = self.estimator.max_samples
            size = n if share is None else max(int(n * share), 1)
            rows = check_random_state(seed).randint(0, n, size)
            counts = np.bincount(rows, minlength=n).astype(np.float64)
            if (len(self.drawn) + 1) * n <= KEPT and self.estimator.random_state is not None:
                self.drawn[seed] = counts
        return counts


def _share(given: Any, n: int) -> int:
    """A number of rows, given as such or as a share of all."""
    return int(given) if isinstance(given, numbers.Integral) else ceil(given * n)


def _columns(given: Any, d: int) -> int:
    """How many columns a split looks at."""
    if isinstance(given, str):
        return max(1, int(np.sqrt(d) if given == "sqrt" else np.log2(d)))
    if given is None:
        return d
    return int(given) if isinstance(given, numbers.Integral) else max(1, int(given * d))
