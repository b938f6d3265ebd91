"""Models of a table outside memory: trained from sums, scored there, predictions in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB

from .._kernels.bayes.hits import row_hashes
from ..data._class_sums import Moments
from ..data._columns import checked, read_columns
from ..data._engine.batches import numbers_of
from ..data._engine.fold_sums import FoldedRows, RowScan, StoredRows, fold_moments
from ..data._engine.source import Floats, TableSource
from ..data._engine.stored import StoredTable
from ..data._loaders.frames import make_frame
from ..data._schema import schema_of
from ..data._table import Table
from ..measures._wrappers.sources.pipelines import model_of
from ..measures._wrappers.wrapped import chosen_columns, takes_sparse


@dataclass(frozen=True, eq=False)
class OutsideScan(RowScan[Floats]):
    """Scan for the errors of a model on the rows that its sample does not hold.

    The state has the weight of these rows and of the right ones; of numbers the weight, and the
    sums of squared errors, of the deviations from ``centre`` and of their squares.
    """

    model: Any
    support: NDArray[np.bool_]
    inside: NDArray[np.uint64]
    centre: float

    def start(self) -> Floats:
        return np.zeros(4)

    def read(self, batch: pa.RecordBatch, weight: Floats | None) -> Any:
        return super().read(batch, weight), batch

    def add(self, state: Floats, part: tuple[StoredRows, pa.RecordBatch]) -> Floats:
        rows, batch = part
        outside = ~np.isin(row_hashes(rows.values, rows.target), self.inside)
        if not outside.any():
            return state
        table, own = self.rows.table, rows.weight[outside]
        kept = pa.Table.from_batches([batch]).filter(pa.array(outside)).select(list(table.names))
        found = self.model.predict(model_input(kept, self.model, self.support))
        if table.classes is None:
            away = rows.target[outside] - self.centre
            errors = (np.asarray(found).ravel() - rows.target[outside]) ** 2
            return np.asarray(state + [own.sum(), own @ errors, own @ away, own @ away**2])
        labels = np.array([str(label) for label in table.classes.tolist()])
        right = labels[rows.target[outside].astype(np.intp)] == np.asarray(found).astype(str)
        return np.asarray(state + [own.sum(), own[right].sum(), 0.0, 0.0])


def model_input(rows: pa.Table, model: Any, support: NDArray[np.bool_]) -> Any:
    """Return the chosen columns of some rows, as the model was given them."""
    columns = checked(read_columns(rows))
    frame = make_frame(schema_of(columns), columns.columns)
    return chosen_columns(frame, support, not takes_sparse(model))


def outside_score(
    model: Any, support: NDArray[np.bool_], stored: StoredTable, sample: Table | None = None
) -> dict[str, Any] | None:
    """Return accuracy, or R² of numbers, on the rows outside the sample; None if there are none."""
    centre, inside = 0.0, np.zeros(0, dtype=np.uint64)
    if sample is not None:
        target = np.asarray(sample.target, dtype=np.float64)
        inside = np.unique(row_hashes(np.ascontiguousarray(sample.doubles), target))
    if stored.classes is None:
        name = stored.target_name
        first = next(batch for batch in stored.source.batches([name]) if batch.num_rows)
        centre = float(numbers_of(first.column(0), name).mean())
    scan = OutsideScan(FoldedRows(stored, 1), model, support, inside, centre)
    weight, right, away, squares = stored.source.reduce(scan).tolist()
    if weight == 0.0:
        return None
    if stored.classes is not None:
        return {"metric": "accuracy", "rows": weight, "score": right / weight}
    spread = squares - away**2 / weight
    score = 1.0 - right / spread if spread > 0.0 else float(right == 0.0)
    return {"metric": "R²", "rows": weight, "score": score}


def predicted(
    model: Any, method: str, support: NDArray[np.bool_], source: TableSource, names: tuple[str, ...]
) -> Iterator[NDArray[Any]]:
    """Yield what a method of the model returns for each batch of rows."""
    for batch in source.batches(names):
        if batch.num_rows:
            rows = pa.Table.from_batches([batch]).select(list(names))
            yield getattr(model, method)(model_input(rows, model, support))


def trained_from_sums(estimator: Any, table: StoredTable, support: NDArray[np.bool_]) -> Any:
    """Return the estimator trained on all rows, from their means and products; None if it cannot.

    It is trained on a few points that have the same moments as the rows.
    """
    model = model_of(estimator)
    train = TRAINERS.get(type(model))
    # A pipeline has a scaler, and the points of classes do not have the spread of all rows.
    scaled = model is not estimator and table.classes is not None
    if train is None or scaled or not support.any():
        return None
    (moments,) = fold_moments(FoldedRows(table, 1), by_class=table.classes is not None)
    own = np.append(support, True) if table.classes is None else support
    scatter = moments.scatter[:, own][:, :, own]
    names = [name for name, chosen in zip(table.names, support, strict=True) if chosen]
    chosen = Moments(moments.weight, moments.mean[:, own], scatter)
    return train(clone(estimator), chosen, names, table.classes)


def _points(mean: Floats, scatter: Floats) -> Floats:
    """Return two points per column with this mean, and this sum of products about it."""
    own, base = np.linalg.eigh(scatter)
    away = (base * np.sqrt(np.maximum(own, 0.0) / 2.0)).T
    return np.concatenate([mean + away, mean - away])


def _as_input(points: Floats, names: list[str], model: Any) -> Any:
    rows = pa.table(dict(zip(names, points.T, strict=True)))
    return model_input(rows, model, np.ones(len(names), dtype=bool))


def _by_class(
    moments: Moments, names: list[str], model: Any, classes: Any, share: Floats
) -> tuple[Any, NDArray[Any]]:
    """Return points of every class, whose products are this share of those of its rows."""
    parts = zip(moments.mean, moments.scatter * share[:, None, None], strict=True)
    points = np.concatenate([_points(mean, scatter) for mean, scatter in parts])
    return _as_input(points, names, model), np.repeat(classes, 2 * len(names))


def _regression(model: Any, moments: Moments, names: list[str], classes: None) -> Any:
    """Train LinearRegression or Ridge; a penalty weighs as much as it does for all rows."""
    share = 2.0 * (len(names) + 1) / float(moments.weight[0])
    points = _points(moments.mean[0], moments.scatter[0] * share)
    inner, alpha = model_of(model), getattr(model_of(model), "alpha", None)
    if alpha is not None:
        inner.set_params(alpha=alpha * share)
    model.fit(_as_input(points[:, :-1], names, model), points[:, -1])
    if alpha is not None:
        model_of(model).set_params(alpha=alpha)
    return model


def _gaussian(model: Any, moments: Moments, names: list[str], classes: Any) -> Any:
    """Train GaussianNB; its variances grow by a share of the largest of all rows."""
    size = 2.0 * len(names)
    alone = Moments(moments.weight, moments.mean, moments.scatter * np.eye(len(names)))
    X, y = _by_class(alone, names, model, classes, size / moments.weight)
    model.fit(X, y, sample_weight=np.repeat(moments.weight / size, 2 * len(names)))
    whole = np.diagonal(moments.together().scatter[0]) / moments.weight.sum()
    wide = model.var_smoothing * float(whole.max())
    model.var_ += wide - model.epsilon_
    model.epsilon_ = wide
    return model


def _discriminant(model: Any, moments: Moments, names: list[str], classes: Any) -> Any:
    """Train LinearDiscriminantAnalysis, with the shares of the classes as priors."""
    k, n, size = len(moments.weight), moments.weight.sum(), 2.0 * len(names)
    inner = model_of(model)
    # By svd the products of all classes are added up and divided by the rows; in earlier versions
    # of scikit-learn by the rows but one for each class. Four rows show which.
    by_rows = LinearDiscriminantAnalysis().fit([[-1], [1], [9], [11]], [0, 0, 1, 1]).coef_[0, 0] > 7
    pooled = size * k / n if by_rows else (size * k - k) / (n - k)
    share = np.full(k, pooled) if inner.solver == "svd" else size / moments.weight
    X, y = _by_class(moments, names, model, classes, share)
    inner.set_params(priors=moments.weight / n)
    model.fit(X, y)
    model_of(model).set_params(priors=None)
    return model


#: Models that depend on the rows by their moments alone.
TRAINERS: dict[type, Callable[[Any, Moments, list[str], Any], Any]] = {
    LinearRegression: _regression,
    Ridge: _regression,
    GaussianNB: _gaussian,
    LinearDiscriminantAnalysis: _discriminant,
}
