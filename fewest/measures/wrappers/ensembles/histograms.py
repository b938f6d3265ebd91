"""HistGradientBoosting on columns that are binned once per fold."""

from __future__ import annotations

import numbers
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

#: Above this scikit-learn finds the bins on rows that it draws.
SUBSAMPLE = 200_000


def histogram_folds(
    estimator: Any, table: Table, splits: Splits, weight: Floats | None, asks: str
) -> list[HistogramFold] | None:
    """HistGradientBoostingClassifier and HistGradientBoostingRegressor on numbers."""
    X = plain_numbers(table)
    regression = table.classes is None
    if X is None or is_regressor(estimator) != regression or not _plain(estimator, table.n_rows):
        return None
    if not regression and fewest_trained(table, splits) < 2:
        return None
    model, split = probe_of(estimator, table, splits, max_iter=2)
    try:
        same = repeats_estimator(model, _fold(model, X, table, split, weight), table, split)
        return [_fold(estimator, X, table, s, weight) for s in splits] if same else None
    except (ImportError, AttributeError, TypeError):  # another version of scikit-learn
        return None


def _plain(estimator: Any, n: int) -> bool:
    plain = estimator.monotonic_cst is None and estimator.interaction_cst is None
    plain = plain and getattr(estimator, "class_weight", None) is None and not estimator.warm_start
    named = getattr(estimator, "categorical_features", None)
    plain = plain and (named is None or isinstance(named, str)) and estimator.scoring == "loss"
    fixed = isinstance(estimator.random_state, numbers.Integral)
    still = estimator.early_stopping is False or (estimator.early_stopping == "auto" and n < 10_000)
    whole = getattr(estimator, "max_features", 1.0) == 1.0 and n < SUBSAMPLE
    return plain and (fixed or (estimator.random_state is None and still and whole))


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of all columns: for the rows that are trained on, and for those that say stop."""

    mapper: Any
    train: NDArray[np.uint8]
    stop: NDArray[np.uint8] | None


class SharedBins:
    """A booster that takes its bins from those of all columns.

    Without ``shared`` it records which rows its columns of row numbers were divided into.
    """

    shared: Bins | None = None
    columns: NDArray[np.intp]

    def _bin_data(self, X: Any, *rest: Any, is_training_data: bool) -> Any:
        if self.shared is None:
            self.divided = {**getattr(self, "divided", {}), is_training_data: (X[:, 0], rest)}
            return super()._bin_data(X, *rest, is_training_data=is_training_data)  # type: ignore[misc]
        if not is_training_data:
            assert self.shared.stop is not None
            return np.ascontiguousarray(self.shared.stop[self.columns].T)
        own, mapper = self._bin_mapper, self.shared.mapper  # type: ignore[attr-defined]
        own.bin_thresholds_ = [mapper.bin_thresholds_[j] for j in self.columns]
        own.n_bins_non_missing_ = mapper.n_bins_non_missing_[self.columns]
        own.is_categorical_ = mapper.is_categorical_[self.columns]
        own.missing_values_bin_idx_ = mapper.missing_values_bin_idx_
        return self.shared.train[self.columns].T


def sharing(estimator: Any) -> Any:
    """A copy of the estimator that can share its bins; it lives only while it is trained."""
    kind = type(estimator)
    return type(kind.__name__, (SharedBins, kind), {})(**estimator.get_params(deep=False))


def bins_of(estimator: Any, X: Floats, target: NDArray[Any], weight: Floats | None) -> Bins:
    """The bins of all columns of some rows, as ``fit`` makes them column by column."""
    scout = sharing(estimator).set_params(max_iter=1)
    numbers_of_rows = np.arange(len(X), dtype=np.float64)[:, None]
    scout.fit(numbers_of_rows, target, sample_weight=weight)
    rows, rest = scout.divided[True]
    mapper = clone(scout._bin_mapper)
    given = {} if not rest else {"sample_weight": rest[0]}
    train = mapper.fit_transform(X[rows.astype(np.intp)], **given)
    stop = None
    if False in scout.divided:
        stop = mapper.transform(X[scout.divided[False][0].astype(np.intp)])
        stop = np.ascontiguousarray(stop.T)
    return Bins(mapper, np.ascontiguousarray(train.T), stop)


def _fold(
    estimator: Any, X: Floats, table: Table, split: Split, weight: Floats | None
) -> HistogramFold:
    train, test = split
    regression = table.classes is None
    target = table.target[train] if regression else trained_target(table, split)
    own = None if weight is None else weight[train]
    return HistogramFold(
        rows=test,
        labels=np.empty(0, dtype=np.int64) if regression else trained_labels(table, split),
        estimator=estimator,
        bins=bins_of(estimator, X[train], target, own),
        train=np.ascontiguousarray(X[train].T),
        test=np.ascontiguousarray(X[test].T),
        target=target,
        weight=own,
    )


@dataclass(eq=False)
class HistogramFold(TrainedFold):
    """Bins of the training rows of a fold, and its test rows."""

    rows: NDArray[np.intp]
    labels: Ints
    estimator: Any
    bins: Bins
    train: Floats
    test: Floats
    target: NDArray[Any]
    weight: Floats | None
    probable = False
    prefer = "processes"

    def __post_init__(self) -> None:
        self.outputs = max(1, len(self.labels))

    def answers(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats | None]:
        """Decision values and probabilities, or predictions."""
        model = sharing(self.estimator)
        model.shared, model.columns = self.bins, np.flatnonzero(candidate)
        # The rows themselves are read no more, but their number and division are.
        model.fit(self.train[candidate].T, self.target, sample_weight=self.weight)
        unseen = np.ascontiguousarray(self.test[candidate].T)
        if not len(self.labels):
            return model.predict(unseen)[None], None
        raw = model._raw_predict(unseen)
        return raw.T, model._loss.predict_proba(raw).T
