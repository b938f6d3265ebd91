"""XGBoost on single-precision columns that are sliced once per fold, with one thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor

from ....data.table import Table
from ..additive import fewest_trained, plain_numbers, trained_target
from ..metrics.metric import Floats, Ints
from ..responses import trained_labels
from ..splits import Split, Splits
from .fold import TrainedFold, probe_of, repeats_estimator


def xgboost_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[ExtremeFold] | None:
    """XGBClassifier and XGBRegressor on numbers, but not for metrics of probabilities.

    Its probabilities are of single precision, and scikit-learn clips and sums them as such.
    """
    X = plain_numbers(table)
    regression = table.classes is None
    plain = estimator.booster in (None, "gbtree") and estimator.enable_categorical in (None, False)
    plain = plain and asks in ("labels", "ranks", "numbers")
    if X is None or is_regressor(estimator) != regression or not plain:
        return None
    if not regression and fewest_trained(table, splits) < table.n_classes:
        return None
    with np.errstate(over="ignore"):
        x = X.astype(np.float32)
    if not np.isfinite(x).all():
        return None
    small, split = probe_of(estimator, table, splits, n_estimators=2, n_jobs=1)
    # It takes classes as codes only; so does the twin, but the estimator must be able to.
    try:
        same = repeats_estimator(small, _fold(small, x, table, split, weight), table, split)
    except Exception:
        return None
    return [_fold(estimator, x, table, s, weight) for s in splits] if same else None


def _fold(
    estimator: Any, x: NDArray[np.float32], table: Table, split: Split, weight: Floats | None
) -> ExtremeFold:
    train, test = split
    regression = table.classes is None
    return ExtremeFold(
        rows=test,
        labels=np.empty(0, dtype=np.int64) if regression else trained_labels(table, split),
        estimator=estimator,
        train=np.ascontiguousarray(x[train].T),
        test=np.ascontiguousarray(x[test].T),
        target=table.target[train] if regression else trained_target(table, split),
        weight=None if weight is None else weight[train],
    )


@dataclass(eq=False)
class ExtremeFold(TrainedFold):
    """Training and test rows of a fold, and the estimator."""

    rows: NDArray[np.intp]
    labels: Ints
    estimator: Any
    train: NDArray[np.float32]
    test: NDArray[np.float32]
    target: NDArray[Any]
    weight: Floats | None

    def __post_init__(self) -> None:
        self.outputs = max(1, len(self.labels))

    def answers(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats | None]:
        """Probabilities, or predictions."""
        model = clone(self.estimator).set_params(n_jobs=1)
        columns = np.ascontiguousarray(self.train[candidate].T)
        model.fit(columns, self.target, sample_weight=self.weight)
        unseen = np.ascontiguousarray(self.test[candidate].T)
        if not len(self.labels):
            return model.predict(unseen).astype(np.float64)[None], None
        shares = model.predict_proba(unseen).T.astype(np.float64)
        return shares, shares
