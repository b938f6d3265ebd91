"""From a source to a :class:`StoredTable`: which columns are features, and the first scan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..._errors import InputError, nearest_names
from .._as_table import MOST_CLASSES, ROWS_PER_CLASS
from .._feature_names import Features, feature_positions
from .._schema import sorted_levels
from .batches import is_labels, value_type
from .source import TableSource
from .spread import spread
from .stored import StoredTable
from .tallies import Tallies, Tally

MOST_FOLDS = 100
#: Metadata that names a column of the table.
IN_COLUMNS = ("sample_weight", "folds")


def stored_table(
    source: TableSource,
    target: str,
    features: tuple[str, ...] | None = None,
    *,
    nominal: Features | None = None,
    metadata: Mapping[str, Any] | None = None,
    task: str | None = None,
) -> StoredTable:
    """Return the table behind a source, after one scan of its labels and its target.

    Parameters
    ----------
    source : TableSource
    target : str
    features : tuple of str
        By default all columns but the target and those that the metadata name.
    nominal : numeric columns to treat as categories
    metadata : mapping
        ``sample_weight`` and ``folds``: the names of columns.
    task : "classification" or "regression", where it is already known
    """
    weight = _column(source, "sample_weight", metadata)
    folds = _column(source, "folds", metadata)
    beside = {target, weight, folds}
    names = features or tuple(name for name in source.schema.names if name not in beside)
    names = tuple(name for name in names if name not in beside)
    if not names:
        raise InputError(f"{source.title} must have at least one feature, but has none.")
    chosen = {names[j] for j in feature_positions(nominal, names, "nominal")}
    kinds = source.schema
    labels = [n for n in names if n in chosen or is_labels(kinds.field(n).type, n)]
    numeric = _numeric_target(kinds.field(target).type, target, task)
    scanned = [*labels, *([folds] if folds else [])]
    tally = source.reduce(Tallies(tuple(scanned), None if numeric else target, weight))
    _check_folds(tally, folds)
    if tally.n_rows == 0:
        raise InputError(f"{source.title} must have at least one row, but has none.")
    classes = None if numeric else _classes(tally, task)
    kept = tuple(name for name in names if name not in tally.too_many)
    levels = tuple(_levels(tally, name) if name in labels else None for name in kept)
    return StoredTable(source, kept, levels, target, classes, tally, weight, folds)


def _column(source: TableSource, name: str, metadata: Mapping[str, Any] | None) -> str | None:
    for given in metadata or {}:
        if given not in IN_COLUMNS:
            raise InputError(
                f"`{given}` is not used for a table that stays where it is; leave it out."
            )
    column = (metadata or {}).get(name)
    if column is None:
        return None
    if not isinstance(column, str) or column not in source.schema.names:
        raise InputError(
            f"`{name}` must name a column of {source.title}, because its rows stay where they "
            f"are, but is {column!r}."
        )
    return column


def _check_folds(tally: Tally, folds: str | None) -> None:
    found = tally.found.get(folds, {}) if folds else {None: None}
    if folds and (len(found) < 2 or None in found or len(found) > MOST_FOLDS):
        raise InputError(
            f"`folds` must name a column with 2 to {MOST_FOLDS} values, known in every row, but "
            f"{folds!r} has {len(found) or 'too many'}."
        )


def _numeric_target(kind: Any, name: str, task: str | None) -> bool:
    if is_labels(kind, name):
        if task == "regression":
            raise InputError(f"`target` must hold numbers for a regression, but {name!r} does not.")
        return False
    if task is not None:
        return task == "regression"
    return not pa.types.is_integer(kind)


def _classes(tally: Tally, task: str | None) -> NDArray[Any]:
    found = tally.classes
    if None in found:
        raise InputError(
            "`y` must be known in every row, but is unknown in some; leave these rows out."
        )
    if len(found) < 2:
        raise InputError(
            f"`y` must have at least two classes, but has only one class ({next(iter(found))!r}); "
            "there is nothing to predict."
        )
    distinct = len(found)
    if task is None and distinct > MOST_CLASSES and tally.n_rows < ROWS_PER_CLASS * distinct:
        raise InputError(
            f"`y` has {distinct} different whole numbers, hardly a class: use a measure for "
            "numbers, such as linear-regression."
        )
    return np.array(sorted_levels(found, "y"))


def _levels(tally: Tally, name: str) -> tuple[object, ...]:
    known = [value for value in tally.found[name] if value is not None]
    if all(isinstance(value, (int, float)) for value in known):
        return tuple(sorted(known))  # type: ignore[type-var]
    return sorted_levels(known, name)


@dataclass(frozen=True, eq=False)
class StoredColumn:
    """Target of a stored data set."""

    source: TableSource
    name: str


@dataclass(frozen=True, eq=False)
class StoredFrame:
    """Some columns of a table that stays where it is.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.dataset as ds
    >>> from fewest.data._engine.open import open_source
    >>> source = open_source(ds.dataset(pa.table({"a": ["u", "v"], "y": ["no", "yes"]})))
    >>> StoredFrame(source, ("a",)).columns
    ('a',)
    """

    source: TableSource
    columns: tuple[str, ...]

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write all rows of these columns to a Parquet file, batch after batch."""
        fields = [self.source.schema.field(name) for name in self.columns]
        schema = pa.schema([pa.field(f.name, value_type(f.type)) for f in fields])
        with pq.ParquetWriter(path, schema) as file:
            for batch in self.source.batches(self.columns):
                rows = pa.Table.from_batches([batch]).select(list(self.columns))
                file.write_table(rows.cast(schema))

    def on(self, n_jobs: Any) -> StoredFrame:
        """Return the same columns, read by the workers that ``n_jobs`` names where it can be."""
        return StoredFrame(spread(self.source, n_jobs), self.columns)

    def table(
        self,
        target: str,
        *,
        nominal: Features | None = None,
        metadata: Mapping[str, Any] | None = None,
        task: str | None = None,
    ) -> StoredTable:
        """Return the table that measures are bound to; takes one scan."""
        check_target(self.source, target)
        return stored_table(
            self.source, target, self.columns, nominal=nominal, metadata=metadata, task=task
        )


@dataclass(frozen=True, eq=False)
class StoredDataset:
    """Data set whose rows stay where they are."""

    X: StoredFrame
    y: StoredColumn
    name: str
    target: str
    about: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        return self.X.columns

    def table(self, nominal: Features | None = None, task: str | None = None) -> StoredTable:
        """Return the table that measures are bound to; takes one scan."""
        return self.X.table(self.target, nominal=nominal, task=task)

    def __repr__(self) -> str:
        return (
            f"Dataset {self.name}: rows in {self.X.source.title}, {len(self.names)} features, "
            f"target {self.target!r}"
        )


def stored_dataset(source: TableSource, target: str | None, name: str) -> StoredDataset:
    """Return the data set of all columns of a source; without ``target``, the last is the class."""
    names = list(source.schema.names)
    target = names[-1] if target is None else target
    check_target(source, target)
    features = tuple(name for name in names if name != target)
    return StoredDataset(StoredFrame(source, features), StoredColumn(source, target), name, target)


def check_target(source: TableSource, target: str) -> None:
    """Refuse a target that is no column."""
    names = source.schema.names
    if target not in names:
        near = nearest_names(target, names, loosely=True)
        hint = f"did you mean {', '.join(map(repr, near))}" if near else f"it has {names[:3]}"
        raise InputError(
            f"`target` must be a column of {source.title}, but {target!r} is none; {hint}?"
        )
