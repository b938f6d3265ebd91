"""Estimators with parameters about single columns, on tables that lack some of them."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

#: Where scikit-learn's, LightGBM's and XGBoost's boosters keep monotone constraints, nominal
#: columns, and columns that may interact.
MONOTONE = ("monotonic_cst", "monotone_constraints")
NOMINAL = ("categorical_features", "categorical_feature")
TOGETHER = ("interaction_cst", "interaction_constraints")


def narrowed(estimator: Any, names: Sequence[str], kept: NDArray[np.bool_]) -> Any:
    """A clone for a table of the ``kept`` columns only; None where it would see no column at all.

    A ColumnTransformer at its beginning gets, of the columns that it names or counts, those that
    are there. Selectors (``make_column_selector``) need no help and get none. Monotone constraints
    and nominal columns of a booster follow the columns that are there.

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> both = ColumnTransformer([("scaled", StandardScaler(), ["a", "c"])])
    >>> narrowed(both, ["a", "b", "c"], np.array([False, True, True])).transformers
    [('scaled', StandardScaler(), ['c'])]
    """
    model = clone(estimator)
    first = model
    while isinstance(first, Pipeline):
        first = first.steps[0][1]
    if not isinstance(first, ColumnTransformer):
        _follow_columns(first, list(names), kept)
        return model
    first.transformers = [
        (name, step, _within(columns, list(names), kept))
        for name, step, columns in first.transformers
    ]
    seen = first.remainder != "drop" or any(
        callable(columns) or columns != [] for _, _, columns in first.transformers
    )
    return model if seen else None


def _follow_columns(model: Any, names: list[str], kept: NDArray[np.bool_]) -> None:
    """Cut the parameters that have one entry per column, or name columns, to the kept columns."""
    given = model.get_params(deep=False) if hasattr(model, "get_params") else {}
    given = {name: value for name, value in given.items() if value is not None}
    cut: dict[str, Any] = {}
    for name in MONOTONE:
        signs = given.get(name)
        if isinstance(signs, Mapping):
            cut[name] = {k: v for k, v in signs.items() if k not in names or kept[names.index(k)]}
        elif signs is not None and not isinstance(signs, str) and len(signs) == len(kept):
            cut[name] = [s for s, keep in zip(signs, kept, strict=True) if keep]
            # XGBoost takes a tuple only.
            cut[name] = tuple(cut[name]) if isinstance(signs, tuple) else cut[name]
    for name in NOMINAL:
        if name in given and not isinstance(given[name], str):
            cut[name] = _within(given[name], names, kept) or None
    for name in TOGETHER:
        if name in given and not isinstance(given[name], str):
            parts = [_within(list(part), names, kept) for part in given[name]]
            cut[name] = [part for part in parts if part] or None
    if cut:
        model.set_params(**cut)


def _within(columns: Any, names: list[str], kept: NDArray[np.bool_]) -> Any:
    """What is left of a choice of columns, in the way in which it was made."""
    if callable(columns):
        return columns
    if isinstance(columns, str):
        return columns if columns in names and kept[names.index(columns)] else []
    listed = listed_columns(columns, names)
    if all(isinstance(column, str) for column in listed):
        # A name that never was there stays, and is complained of.
        return [c for c in listed if c not in names or kept[names.index(c)]]
    place = np.cumsum(kept) - 1
    there = [int(place[c]) for c in listed if kept[c]]
    if isinstance(columns, numbers.Integral):
        return there[0] if there else []
    return there


def listed_columns(columns: Any, names: list[str]) -> list[Any]:
    """Names or positions, one by one."""
    if isinstance(columns, numbers.Integral):
        return [int(columns)]
    if isinstance(columns, slice):
        if isinstance(columns.start, str) or isinstance(columns.stop, str):
            start = 0 if columns.start is None else names.index(columns.start)
            # As in pandas, the end of a slice of names is inside.
            stop = len(names) if columns.stop is None else names.index(columns.stop) + 1
            return names[start : stop : columns.step]
        return list(range(len(names)))[columns]
    array = np.asarray(columns)
    return list(np.flatnonzero(array) if array.dtype == bool else array.tolist())
