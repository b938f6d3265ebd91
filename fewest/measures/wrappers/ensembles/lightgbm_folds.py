"""LightGBM on columns that are binned once per fold: datasets of one column each are joined."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor

from ....data.table import Table
from ..additive import fewest_trained, plain_numbers, trained_target
from ..metrics.metric import Floats, Ints
from ..responses import trained_labels
from ..splits import Split, Splits
from .fold import TrainedFold, probe_of, repeats_estimator


def lightgbm_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[LightFold] | None:
    """LGBMClassifier and LGBMRegressor on numbers, with one thread."""
    X = plain_numbers(table)
    regression = table.classes is None
    plain = estimator.class_weight is None and not callable(estimator.objective)
    if X is None or is_regressor(estimator) != regression or not plain:
        return None
    if not regression and fewest_trained(table, splits) < table.n_classes:
        return None
    small, split = probe_of(estimator, table, splits, n_estimators=2, n_jobs=1)
    code = table.target if regression else np.arange(table.n_classes)[table.target]
    settings = small.fit(X[split[0]], code[split[0]]).booster_.params
    probe = _fold(X, table, split, weight, settings, 2)
    if not repeats_estimator(small, probe, table, split):
        return None
    count = int(estimator.n_estimators)
    return [_fold(X, table, s, weight, settings, count) for s in splits]


def _fold(
    X: Floats, table: Table, split: Split, weight: Floats | None, settings: Any, count: int
) -> LightFold:
    train, test = split
    regression = table.classes is None
    target = table.target[train] if regression else trained_target(table, split)
    return LightFold(
        rows=test,
        labels=np.empty(0, dtype=np.int64) if regression else trained_labels(table, split),
        settings={name: value for name, value in settings.items() if name != "num_iterations"},
        count=count,
        train=np.ascontiguousarray(X[train].T),
        test=np.ascontiguousarray(X[test].T),
        target=np.ascontiguousarray(target, dtype=np.float64),
        weight=None if weight is None else weight[train],
    )


@dataclass(eq=False)
class LightFold(TrainedFold):
    """One dataset per column, binned when it is first needed."""

    rows: NDArray[np.intp]
    labels: Ints
    settings: dict[str, Any]
    count: int
    train: Floats
    test: Floats
    target: Floats
    weight: Floats | None
    binned: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.outputs = max(1, len(self.labels))
        self.lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        """Datasets belong to their process."""
        return {**{k: v for k, v in self.__dict__.items() if k != "lock"}, "binned": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.lock = threading.Lock()

    def answers(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats | None]:
        """Probabilities, or predictions."""
        import lightgbm

        booster = lightgbm.Booster(params=dict(self.settings), train_set=self._joined(candidate))
        for _ in range(self.count):
            if booster.update():
                break
        unseen = np.ascontiguousarray(self.test[candidate].T)
        said: Any = booster.predict(unseen, num_threads=1)
        if not len(self.labels):
            return said[None], None
        shares = said.T if said.ndim == 2 else np.vstack([1.0 - said, said])
        return shares, shares

    def _joined(self, candidate: NDArray[np.bool_]) -> Any:
        """The columns of a candidate, bins and all."""
        first, *others = (int(j) for j in np.flatnonzero(candidate))
        everyone = np.arange(len(self.target))
        whole = self._column(first).subset(everyone, params=self.settings).construct()
        for j in others:
            whole.add_features_from(self._column(j))
        return whole

    def _column(self, j: int) -> Any:
        import lightgbm

        with self.lock:
            if j not in self.binned:
                self.binned[j] = lightgbm.Dataset(
                    self.train[j][:, None], self.target, weight=self.weight,
                    params=dict(self.settings), feature_name=[f"Column_{j}"],
                ).construct()  # fmt: skip
            return self.binned[j]
