"""Kinds of columns that the user declares: ``age=continuous,zip=nominal``."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, brief
from .columns import Column, Columns, is_unknown
from .schema import sorted_levels

KINDS = ("continuous", "nominal")
Types = Mapping[str, str]


def check_types(types: Types | None) -> dict[str, str]:
    """The declared kinds, if each is "continuous" or "nominal".

    >>> check_types({"zip": "nominal"})
    {'zip': 'nominal'}
    """
    if types is not None and not isinstance(types, Mapping):
        raise InputError(
            f"`types` must be a mapping of columns to kinds such as {{'zip': 'nominal'}}, but is "
            f"{brief(types)}."
        )
    for name, kind in (types or {}).items():
        if not isinstance(kind, str) or kind not in KINDS:
            raise InputError(
                '`types` must say "continuous" or "nominal" for each column, but says '
                f"{brief(kind)} for {brief(name)}."
            )
    return dict(types or {})


def nominal_names(types: Types) -> frozenset[str]:
    """The columns that are declared nominal."""
    return frozenset(name for name, kind in types.items() if kind == "nominal")


def typed(columns: Columns, types: Types, where: str) -> Columns:
    """The columns with the declared kinds; a name that is none gets a sentence."""
    for name in types:
        if name not in columns.names:
            near = difflib.get_close_matches(name, columns.names, n=3, cutoff=0.4)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else "."
            raise InputError(f"`types` must name columns of {where}, but {name!r} is none{hint}")
    made = tuple(
        _as_kind(column, types.get(name), name, where)
        for name, column in zip(columns.names, columns.columns, strict=True)
    )
    return Columns(columns.names, made, columns.n_rows, columns.named)


def _as_kind(column: Column, kind: str | None, name: str, where: str) -> Column:
    if kind == "nominal" and column.numbers is not None:
        return _labelled(column.numbers)
    if kind == "nominal" and column.labels is not None and column.levels is None:
        # Declared levels keep dates that are written as text from becoming numbers.
        return Column(labels=column.labels, levels=sorted_levels(column.labels, name))
    if kind == "continuous" and column.numbers is None:
        return Column(numbers=_numbers(column, name, where))
    return column


def _labelled(numbers: NDArray[np.floating[Any]]) -> Column:
    """Numbers as labels, in the order of the numbers."""
    levels, codes = np.unique(numbers[~np.isnan(numbers)], return_inverse=True)
    texts = tuple(str(int(v)) if v % 1 == 0 else repr(v) for v in levels.tolist())
    every = np.full(len(numbers), -1, dtype=np.int64)
    every[~np.isnan(numbers)] = codes
    return Column(levels=texts, codes=every)


def _numbers(column: Column, name: str, where: str) -> NDArray[np.float64]:
    values = np.full(len(_labels(column)), np.nan)
    for row, label in enumerate(_labels(column)):
        if is_unknown(label):
            continue
        try:
            values[row] = float(label)
        except (TypeError, ValueError):
            raise InputError(
                f"`types` says that {name!r} is continuous, but row {row + 1} of {where} holds "
                f"{label!r} there; correct the value, or leave it empty."
            ) from None
    return values


def _labels(column: Column) -> list[Any]:
    if column.codes is not None:
        assert column.levels is not None
        levels = [*column.levels, None]
        return [levels[code] for code in column.codes.tolist()]
    assert column.labels is not None
    return list(column.labels)
