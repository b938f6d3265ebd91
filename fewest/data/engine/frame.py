"""What ``load`` returns for a table that stays where it is: its features and its target by name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import InputError
from ..feature_names import Features
from .source import Source
from .stored import StoredTable


@dataclass(frozen=True, eq=False)
class StoredColumn:
    """The target of a stored data set."""

    source: Source
    name: str


@dataclass(frozen=True, eq=False)
class StoredFrame:
    """Some columns of a table that stays where it is.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.dataset as ds
    >>> from fewest.data.engine.open import open_source
    >>> source = open_source(ds.dataset(pa.table({"a": ["u", "v"], "y": ["no", "yes"]})))
    >>> StoredFrame(source, ("a",)).columns
    ('a',)
    """

    source: Source
    columns: tuple[str, ...]

    def table(
        self,
        target: str,
        *,
        nominal: Features | None = None,
        metadata: Mapping[str, Any] | None = None,
        task: str | None = None,
    ) -> StoredTable:
        """The table that measures are bound to; takes one scan."""
        from .build import stored_table

        check_target(self.source, target)
        return stored_table(
            self.source, target, self.columns, nominal=nominal, metadata=metadata, task=task
        )


@dataclass(frozen=True, eq=False)
class StoredDataset:
    """A data set whose rows stay where they are.

    Parameters
    ----------
    X : StoredFrame
    y : StoredColumn
    name : str
    target : str
    about : str
    """

    X: StoredFrame
    y: StoredColumn
    name: str
    target: str
    about: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return self.X.columns

    def table(self, nominal: Features | None = None, task: str | None = None) -> StoredTable:
        """The table that measures are bound to; takes one scan."""
        return self.X.table(self.target, nominal=nominal, task=task)

    def __repr__(self) -> str:
        return (
            f"Dataset {self.name}: rows in {self.X.source.title}, {len(self.names)} features, "
            f"target {self.target!r}"
        )


def stored_dataset(source: Source, target: str | None, name: str) -> StoredDataset:
    """The data set of all columns of a source; without ``target`` the last one is the class."""
    names = list(source.schema.names)
    target = names[-1] if target is None else target
    check_target(source, target)
    features = tuple(name for name in names if name != target)
    return StoredDataset(StoredFrame(source, features), StoredColumn(source, target), name, target)


def check_target(source: Source, target: str) -> None:
    """Refuse a target that is no column."""
    names = source.schema.names
    if target not in names:
        near = difflib.get_close_matches(str(target), names, n=3, cutoff=0.4)
        hint = f"did you mean {', '.join(map(repr, near))}" if near else f"it has {names[:3]}"
        raise InputError(
            f"`target` must be a column of {source.title}, but {target!r} is none; {hint}?"
        )
