"""Experiment: the smallest piece of a paper that is run, and kept, as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Settings:
    """Settings of experiments: ``quick`` means fewer domains and smaller populations."""

    seed: int = 0
    quick: bool = False


@dataclass(frozen=True)
class Cell:
    """Figure found here, with its place in a table of the paper.

    ``curve`` is how it came about, by generation, where the paper draws that.
    ``each`` are the values that it is the mean of, where a later table needs them. ``reading``
    is empty for figures that are compared with the paper; others are shown beside them.
    """

    table: str
    domain: str
    method: str
    here: float
    std: float | None = None
    note: str = ""
    curve: list[float] | None = None
    each: Sequence[float] = ()
    reading: str = ""


@dataclass(frozen=True, eq=False)
class Experiment:
    """Something to run for a domain, that gives cells of one or several tables."""

    part: str
    domain: str
    method: str
    run: Callable[[], list[Cell]]

    @property
    def key(self) -> str:
        """Name in the journal."""
        return f"{self.part} / {self.domain} / {self.method}"


def mean_std(values: Sequence[float] | Any, scale: float = 1.0) -> tuple[float, float | None]:
    """Return mean and standard deviation; the latter is None for a single value.

    Examples
    --------
    >>> mean_std([0.25, 0.75], 2)
    (1.0, 0.7071067811865476)
    """
    a = scale * np.asarray(values, dtype=float)
    return float(a.mean()), float(a.std(ddof=1)) if len(a) > 1 else None
