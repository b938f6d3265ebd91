"""Typed columns as a frame of the library at hand: pandas, else polars, else a numpy array."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError, brief
from .._columns import Column
from .._schema import Schema

#: The packages that make frames, in the order in which they are tried.
BACKENDS = ("pandas", "polars")


def frame_of(columns: Mapping[str, list[Any]], backend: str | None = None) -> Any:
    """Return a frame of pandas, else of polars, or of the one that is named."""
    if backend is not None and backend not in BACKENDS:
        raise InputError(f'`backend` must be "pandas" or "polars", but is {brief(backend)}.')
    for name in BACKENDS if backend is None else (backend,):
        try:
            return importlib.import_module(name).DataFrame(columns)
        except ImportError:
            continue
    wanted = backend or "pandas or polars"
    raise InputError(f"A data frame needs {wanted}, which is not installed: pip install {wanted}.")


def make_frame(schema: Schema, columns: tuple[Column, ...]) -> Any:
    """Return a pandas frame with categories; where pandas is absent a polars frame; else
    structured.

    Every nominal column carries all levels of the schema, in their order.
    """
    if find_spec("pandas") is not None:
        return _pandas(schema, columns)
    if find_spec("polars") is not None:
        return _polars(schema, columns)
    return _structured(schema, columns)


def labels_of(column: Column, levels: tuple[object, ...] | None) -> NDArray[Any]:
    """Return the values of one column as an array: numbers (whole if all are), strings, objects."""
    if levels is None:
        assert column.numbers is not None
        numbers = column.numbers
        whole = np.isfinite(numbers).all() and (numbers % 1 == 0).all()
        return numbers.astype(np.int64) if whole else numbers
    codes = _codes(column, levels)
    objects = np.array([*levels, None], dtype=object)[codes]
    unknown = (codes < 0).any()
    return objects if unknown else np.array(objects.tolist())


def _codes(column: Column, levels: tuple[object, ...]) -> NDArray[np.int64]:
    if column.codes is not None:
        return column.codes.astype(np.int64)
    code_of = {level: code for code, level in enumerate(levels)}
    values = column.labels if column.numbers is None else column.numbers.tolist()
    assert values is not None
    return np.array([code_of.get(value, -1) for value in values], dtype=np.int64)


def _pandas(schema: Schema, columns: tuple[Column, ...]) -> Any:
    import pandas as pd

    dtypes = {levels: pd.CategoricalDtype(list(levels)) for levels in set(schema.levels) if levels}
    series: dict[str, Any] = {}
    for name, levels, column in zip(schema.names, schema.levels, columns, strict=True):
        if levels:
            codes = _codes(column, levels)
            series[name] = pd.Categorical.from_codes(codes, dtype=dtypes[levels], validate=False)
        else:
            series[name] = _plain(column, levels)
    return pd.DataFrame(series, copy=False)


def _polars(schema: Schema, columns: tuple[Column, ...]) -> Any:
    import polars as pl

    series = []
    for name, levels, column in zip(schema.names, schema.levels, columns, strict=True):
        if levels and all(isinstance(level, str) for level in levels):
            values = labels_of(column, levels).tolist()
            series.append(pl.Series(name, values, dtype=pl.Enum(list(levels))))  # type: ignore[arg-type]
        else:
            series.append(pl.Series(name, _plain(column, levels)))
    return pl.DataFrame(series)


def _structured(schema: Schema, columns: tuple[Column, ...]) -> NDArray[Any]:
    arrays = [_plain(column, levels) for levels, column in zip(schema.levels, columns, strict=True)]
    kinds = [(name, a.dtype) for name, a in zip(schema.names, arrays, strict=True)]
    frame = np.empty(len(arrays[0]), dtype=kinds)
    for name, array in zip(schema.names, arrays, strict=True):
        frame[name] = array
    return frame


def _plain(column: Column, levels: tuple[object, ...] | None) -> NDArray[Any]:
    if levels is None:
        assert column.numbers is not None
        return column.numbers
    return np.array([*levels, None], dtype=object)[_codes(column, levels)]


def with_column(X: Any, name: str, values: NDArray[Any]) -> Any:
    """Return the frame with one more column at its end; a structured array where it is one.

    >>> frame = np.array([(1.0,), (2.0,)], dtype=[("a", float)])
    >>> with_column(frame, "b", np.array(["x", "y"])).dtype.names
    ('a', 'b')
    """
    if isinstance(X, np.ndarray):
        from numpy.lib.recfunctions import append_fields

        return append_fields(X, name, values, usemask=False)
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    column = nw.new_series(name, values.tolist(), backend=frame.implementation)
    return frame.with_columns(column).to_native()
