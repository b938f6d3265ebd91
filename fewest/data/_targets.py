"""Features and target of a frame that holds both."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw

from .._errors import InputError, nearest_names
from ._columns import column_names, is_frame
from ._dataset import Dataset
from ._engine.open import is_stored, open_source


def features_and_target(X: Any, y: Any = None, target: str | None = None) -> tuple[Any, Any]:
    """Return ``X`` and ``y``; a column that ``target`` or ``y`` names is taken out of ``X``.

    A data set brings its own target.
    """
    if isinstance(X, Dataset) and y is None and target is None:
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
