"""Rows that are equal in the columns of a subset, found once for all folds."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....kernels.scoring.ranks import row_keys

#: Columns with at most this many values are likely to repeat rows.
FEW = 8
#: Subsets whose groups are kept; a batch has no more.
KEPT = 2048


@dataclass(eq=False)
class RowGroups:
    """Groups of rows with equal values and class.

    Parameters
    ----------
    values : float64 array of shape (columns, rows)
    target : int64 array of shape (rows,)
    repeats : bool
        Whether rows are likely to repeat at all.
    """

    values: NDArray[np.float64]
    target: NDArray[np.int64]
    repeats: bool
    _known: dict[bytes, Any] = field(default_factory=dict)
    _lock: Any = field(default_factory=threading.Lock)

    @staticmethod
    def of(values: NDArray[np.float64], target: NDArray[np.int64]) -> RowGroups:
        """The groups of a table, one row per row."""
        few = [len(np.unique(column)) <= FEW for column in values[:2000].T]
        return RowGroups(np.ascontiguousarray(values.T), target, 2 * sum(few) >= len(few))

    def find(
        self, candidate: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
        """The group of each row, and a row of each group; None where they do not pay."""
        if not self.repeats:
            return None
        name = candidate.tobytes()
        with self._lock:
            if name not in self._known:
                if len(self._known) >= KEPT:
                    self._known.clear()
                self._known[name] = self._grouped(candidate)
            known: tuple[NDArray[np.intp], NDArray[np.intp]] | None = self._known[name]
        return known

    def _grouped(
        self, candidate: NDArray[np.bool_]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
        keys = row_keys((self.values + 0.0).view(np.int64), candidate[None])[0]
        # The class counts as one more value.
        keys = keys + self.target.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        return None if 2 * len(first) > len(group) else (group, first)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lock": None, "_known": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()
