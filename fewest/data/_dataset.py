"""A data set by itself: the frame, the target, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, nearest_names
from ._as_table import as_table, as_target
from ._columns import Columns, column_names, is_frame, is_structured
from ._engine.open import is_stored, is_stored_data, open_source
from ._feature_names import Features
from ._loaders.frames import labels_of, make_frame, with_column
from ._rows import take_columns
from ._schema import Schema, schema_of
from ._table import Table


@dataclass(frozen=True, eq=False)
class Dataset:
    """Table of features and a target, with a name.

    Parameters
    ----------
    X : frame
        pandas where it is installed, else polars, else a structured numpy array.
    y : array
        The target, one value per row.
    name : str
    target : str
        The name of the target.
    schema : Schema
        Names, kinds and declared levels of the features.
    relevant : tuple of str, or None
        Where the data are generated: the features that the target depends on.
    weights : tuple of float, or None
        Where the features count differently in a generated target: how much each counts.
    planted : tuple of (kind, column)
        Where the data are generated with faults: what :func:`fewest.check` should find.
    about : str
        What it is, in a sentence or two.
    task : "classification", "regression" or None
        What the target is for, where that was declared (``types`` of :func:`fewest.load`).

    Examples
    --------
    >>> from fewest.data import load
    >>> iris = load("iris")
    >>> iris
    Dataset iris: 150 rows, 4 features (4 continuous), target 'species' with 3 classes
    >>> iris.table().n_classes
    3
    """

    X: Any
    y: NDArray[Any]
    name: str
    target: str
    schema: Schema
    relevant: tuple[str, ...] | None = None
    weights: tuple[float, ...] | None = None
    planted: tuple[tuple[str, str], ...] = ()
    about: str = ""
    task: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the features."""
        return self.schema.names

    @property
    def kinds(self) -> dict[str, str]:
        """``"continuous"`` or ``"nominal"`` for each feature."""
        return dict(zip(self.schema.names, self.schema.kinds, strict=True))

    def table(self, nominal: Features | None = None, task: str | None = None) -> Table:
        """Return the typed table that measures are bound to."""
        task = task or self.task
        if nominal is not None:
            return as_table(self.X, self.y, nominal=nominal, task=task)
        values = self.schema.encode(self.X)
        target, classes, y = as_target(self.y, len(values), task)
        return Table(self.names, values, self.schema.levels, target, classes, self.X, y)

    def column(self, name: str) -> NDArray[Any]:
        """Return one feature: its numbers, or its labels."""
        at = self.names.index(name)
        levels, codes = self.schema.levels[at], self.schema.encode(self.X)[:, at]
        if levels is None:
            return codes
        known = np.where(np.isnan(codes), len(levels), codes).astype(np.intp)
        return np.array([*levels, None], dtype=object)[known]

    def without(self, names: tuple[str, ...]) -> Dataset:
        """Return the data set without some of its features."""
        kept = np.array([name not in names for name in self.names])
        if not kept.any():
            raise InputError("At least one feature must be left, but there is none.")
        at = np.flatnonzero(kept).tolist()
        left = tuple(self.names[j] for j in at)
        X = self.X[list(left)] if is_structured(self.X) else take_columns(self.X, kept)
        return replace(self, X=X, schema=Schema(left, tuple(self.schema.levels[j] for j in at)))

    def frame(self) -> Any:
        """Return the features with the target as the last column, for models of all of them."""
        return with_column(self.X, self.target, self.y)

    def __repr__(self) -> str:
        kinds = self.schema.kinds
        counts = ", ".join(
            f"{kinds.count(kind)} {kind}" for kind in ("continuous", "nominal") if kind in kinds
        )
        values = "numbers" if self.y.dtype.kind in "iuf" else "classes"
        what = f"with {len({*self.y.tolist()})} {values}"
        return (
            f"Dataset {self.name}: {len(self.y)} rows, {len(kinds)} features ({counts}), "
            f"target {self.target!r} {what}"
        )


def make_dataset(columns: Columns, target: str, name: str, **known: Any) -> Dataset:
    """Return the data set of these columns, one of which is the target."""
    at = columns.names.index(target)
    (levels,) = schema_of(_part(columns, [at])).levels
    features = _part(columns, [j for j in range(len(columns.names)) if j != at])
    schema = schema_of(features)
    X = make_frame(schema, features.columns)
    return Dataset(X, labels_of(columns.columns[at], levels), name, target, schema, **known)


def _part(columns: Columns, at: list[int]) -> Columns:
    names = tuple(columns.names[j] for j in at)
    return Columns(names, tuple(columns.columns[j] for j in at), columns.n_rows, True)


def describe(dataset: Dataset) -> dict[str, Any]:
    """Return a summary of a data set."""
    values = dataset.schema.encode(dataset.X)
    kinds = dataset.schema.kinds
    labels, counts = np.unique(dataset.y[[v is not None for v in dataset.y]], return_counts=True)
    numeric = dataset.y.dtype.kind in "iuf" and len(labels) > 20
    return {
        "name": dataset.name,
        "about": dataset.about,
        "rows": len(values),
        "features": len(kinds),
        "continuous": kinds.count("continuous"),
        "nominal": kinds.count("nominal"),
        "unknown": int(np.isnan(values).sum()),
        "target": dataset.target,
        "classes": None if numeric else dict(zip(labels.tolist(), counts.tolist(), strict=True)),
        "relevant": None if dataset.relevant is None else list(dataset.relevant),
        "columns": [
            _column(name, levels, values[:, j])
            for j, (name, levels) in enumerate(
                zip(dataset.names, dataset.schema.levels, strict=True)
            )
        ],
    }


def _column(
    name: str, levels: tuple[object, ...] | None, values: NDArray[np.float64]
) -> dict[str, Any]:
    known = values[~np.isnan(values)]
    column: dict[str, Any] = {"name": name, "unknown": len(values) - len(known)}
    if levels is not None:
        return column | {"kind": "nominal", "levels": [str(level) for level in levels]}
    span = [float(known.min()), float(known.mean()), float(known.max())] if len(known) else None
    return column | {"kind": "continuous", "low_mean_high": span}


def features_and_target(X: Any, y: Any = None, target: str | None = None) -> tuple[Any, Any]:
    """Return ``X`` and ``y``; a column that ``target`` or ``y`` names is taken out of ``X``.

    A data set brings its own target.
    """
    if (isinstance(X, Dataset) or is_stored_data(X)) and y is None and target is None:
        return features_and_target(X.X, X.y)
    if target is None and isinstance(y, str) and not is_stored(X):
        y, target = None, y
    if target is None:
        return (X, y) if not is_stored(X) else _stored(X, y)
    if y is not None:
        raise InputError("`target` names a column of `X`, so `y` must be left out, but is given.")
    if is_stored(X):
        return _stored(X, target)
    if not is_frame(X) or target not in column_names(X):
        near = nearest_names(target, column_names(X)) if is_frame(X) else []
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InputError(
            f"The target must be a column of `X`, a frame, or one value per row, but {target!r} is "
            f"none.{hint}"
        )
    frame = nw.from_native(X, eager_only=True)
    return frame.drop(target).to_native(), frame.get_column(target).to_native()


def _stored(X: Any, y: Any) -> tuple[Any, Any]:
    """Features and target of a table outside memory, each by name."""
    from ._engine.frame import StoredColumn, StoredFrame, check_target

    source = open_source(X)
    name = y.name if isinstance(y, StoredColumn) else y
    if not isinstance(name, str):
        raise InputError(
            f"`target` must name the column of {source.title} to predict, because its rows stay "
            "where they are."
        )
    check_target(source, name)
    columns = X.columns if isinstance(X, StoredFrame) else source.schema.names
    features = tuple(column for column in columns if column != name)
    return StoredFrame(source, features), StoredColumn(source, name)
