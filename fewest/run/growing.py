"""Arrays that grow by rows, and candidates that are kept as they came."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Candidates
from ..measures.steps import Steps


class Growing:
    """An array to which rows are added; it is copied only when it has doubled.

    >>> rows = Growing()
    >>> rows.add(np.array([1.0])), rows.add(np.array([2.0, 3.0]))
    (None, None)
    >>> rows.all
    array([1., 2., 3.])
    """

    def __init__(self) -> None:
        self._rows: NDArray[Any] | None = None
        self._n = 0

    def add(self, rows: NDArray[Any]) -> None:
        """Add rows at the end."""
        n = self._n + len(rows)
        if self._rows is None or n > len(self._rows):
            grown = np.empty((max(n, 2 * self._n), *rows.shape[1:]), dtype=rows.dtype)
            if self._rows is not None:
                grown[: self._n] = self._rows[: self._n]
            self._rows = grown
        self._rows[self._n : n] = rows
        self._n = n

    @property
    def all(self) -> NDArray[Any]:
        """All rows."""
        return np.zeros(0) if self._rows is None else self._rows[: self._n]


class Stored:
    """Batches of candidates as they came, matrices or steps, read like one matrix.

    An index gives a view that is written out only by ``numpy.asarray``: the neighbours of a
    subset of 20,000 features would fill the memory.
    """

    ndim = 2

    def __init__(self, n_units: int) -> None:
        self._blocks: list[Candidates | Steps] = []
        self._starts = [0]
        self._n_units = n_units
        self._rows: NDArray[np.intp] | None = None

    def add(self, batch: Candidates | Steps) -> None:
        """Add a batch at the end."""
        self._blocks.append(batch if isinstance(batch, Steps) else np.array(batch))
        self._starts.append(self._starts[-1] + len(batch))

    @property
    def rows(self) -> NDArray[np.intp]:
        """Which candidates, of all that are stored."""
        return np.arange(self._starts[-1]) if self._rows is None else self._rows

    def __len__(self) -> int:
        return self._starts[-1] if self._rows is None else len(self._rows)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of candidates, number of units."""
        return len(self), self._n_units

    def __getitem__(self, rows: Any) -> Any:
        if isinstance(rows, int | np.integer):
            return np.asarray(self[[rows]])[0]
        view = Stored(self._n_units)
        view._blocks, view._starts, view._rows = self._blocks, self._starts, self.rows[rows]
        return view

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        rows = self.rows
        kind = self._blocks[0].dtype if self._blocks else np.dtype(bool)
        out = np.zeros((len(rows), self._n_units), dtype=kind)
        block = np.searchsorted(self._starts, rows, side="right") - 1
        for b in np.unique(block):
            mine = np.flatnonzero(block == b)
            out[mine] = np.asarray(self._blocks[b][rows[mine] - self._starts[b]])
        return out if dtype is None else out.astype(dtype, copy=False)
