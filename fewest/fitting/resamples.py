"""Rows to search again on: subsamples that keep the classes balanced, or all parts but one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table

Rows = NDArray[np.intp]
#: The share of the rows in a subsample.
SHARE = 0.7


def subsample(table: Table, rng: np.random.Generator, share: float = SHARE) -> Rows:
    """A share of the rows of each class, at least one; whole groups where there are groups.

    Examples
    --------
    >>> from fewest.testing import toy_table
    >>> len(subsample(toy_table(n_rows=40), np.random.default_rng(0)))
    28
    """
    groups = table.metadata.get("groups")
    if groups is not None:
        names, member = np.unique(np.asarray(groups), return_inverse=True)
        kept = rng.permutation(len(names))[: _count(len(names), share)]
        return np.flatnonzero(np.isin(member, kept))
    parts = [rng.permutation(rows)[: _count(len(rows), share)] for rows in _strata(table)]
    return np.sort(np.concatenate(parts))


def all_but_one_part(table: Table, parts: int, rng: np.random.Generator) -> list[Rows]:
    """The rows without each of ``parts`` parts; every part has its share of every class."""
    groups = table.metadata.get("groups")
    number = np.empty(table.n_rows, dtype=np.intp)
    if groups is None:
        shuffled = np.concatenate([rng.permutation(rows) for rows in _strata(table)])
        number[shuffled] = np.arange(table.n_rows) % parts
    else:
        names, member = np.unique(np.asarray(groups), return_inverse=True)
        number = (rng.permutation(len(names)) % parts)[member]
    return [np.flatnonzero(number != part) for part in range(parts) if (number == part).any()]


def _strata(table: Table) -> list[Rows]:
    """The rows of each class; all rows together for a numeric target."""
    if table.classes is None:
        return [np.arange(table.n_rows)]
    found = [np.flatnonzero(table.target == c) for c in range(table.n_classes)]
    return [rows for rows in found if len(rows)]


def _count(n: int, share: float) -> int:
    return max(1, round(share * n))
