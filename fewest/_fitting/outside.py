"""A fitted model over a table outside memory: predictions in batches, and its score there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .._kernels.bayes.hits import row_hashes
from ..data._columns import checked, read_columns
from ..data._engine.fold_sums import FoldedRows, RowScan, StoredRows
from ..data._engine.source import Floats, TableSource
from ..data._engine.stored import StoredTable
from ..data._loaders.frames import make_frame
from ..data._schema import schema_of
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
    model: Any, support: NDArray[np.bool_], stored: StoredTable, sample: Any
) -> dict[str, Any] | None:
    """Return accuracy, or R² of numbers, on the rows outside the sample; None if there are none."""
    target = np.asarray(sample.target, dtype=np.float64)
    centre = float(target.mean()) if stored.classes is None else 0.0
    inside = np.unique(row_hashes(np.ascontiguousarray(sample.doubles), target))
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
