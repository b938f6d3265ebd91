"""Columns and labels made by a rule become a data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..columns import Column, Columns
from ..dataset import Dataset, make_dataset


def continuous(values: NDArray[np.float64]) -> list[Column]:
    """The columns of a matrix of numbers."""
    return [Column(numbers=np.ascontiguousarray(column)) for column in values.T]


def nominal(codes: NDArray[Any], levels: Sequence[tuple[str, ...]]) -> list[Column]:
    """The columns of a matrix of codes, with the levels of each."""
    pairs = zip(codes.T, levels, strict=True)
    return [Column(levels=values, codes=np.ascontiguousarray(column)) for column, values in pairs]


def bits(codes: NDArray[Any]) -> list[Column]:
    """The columns of a matrix of zeros and ones, as nominal values."""
    return nominal(codes.astype(np.int64), [("0", "1")] * codes.shape[1])


def assemble(
    name: str,
    names: Sequence[str],
    columns: Sequence[Column],
    target: NDArray[Any],
    classes: tuple[str, ...],
    relevant: Sequence[str],
    **known: Any,
) -> Dataset:
    """The data set of these columns; ``target`` holds codes into ``classes``."""
    label = Column(levels=classes, codes=np.asarray(target).astype(np.int64))
    every = Columns((*names, "class"), (*columns, label), len(target), True)
    return make_dataset(every, "class", name, relevant=tuple(relevant), **known)
