"""Neighbours of one candidate as a batch, given by what changes: no row is written out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Rows are written out in parts of about this many bytes.
PART_BYTES = 2**25


@dataclass(frozen=True, eq=False)
class Steps:
    """Candidates that differ from ``base`` in one place each.

    Candidate i is ``base`` with ``levels[i]`` at ``units[i]``. It can be indexed by rows as the
    matrix of all candidates could, and ``numpy.asarray`` gives that matrix; code that knows of
    steps shares the work on the base instead.

    Examples
    --------
    >>> import numpy as np
    >>> steps = Steps(np.array([True, False, False]), np.array([1, 2]), np.array([1, 1]))
    >>> np.asarray(steps).astype(int)
    array([[1, 1, 0],
           [1, 0, 1]])
    >>> steps[1].tolist(), len(steps[:1]), steps.shape
    ([True, False, True], 1, (2, 3))
    """

    base: NDArray[Any]
    units: NDArray[np.intp]
    levels: NDArray[np.int64]

    ndim = 2

    @classmethod
    def single(cls, n: int) -> Steps:
        """Return each of ``n`` places alone.

        >>> np.asarray(Steps.single(2)).astype(int).tolist()
        [[1, 0], [0, 1]]
        """
        return cls(np.zeros(n, dtype=bool), np.arange(n), np.ones(n, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.units)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of candidates, number of places."""
        return len(self.units), len(self.base)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the base."""
        return self.base.dtype

    def __getitem__(self, rows: Any) -> Any:
        """Return one candidate by its number, or the steps of several rows."""
        if isinstance(rows, int | np.integer):
            row = self.base.copy()
            row[self.units[rows]] = self.levels[rows]
            return row
        return Steps(self.base, self.units[rows], self.levels[rows])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        rows = np.repeat(self.base[None, :], len(self), axis=0)
        rows[np.arange(len(self)), self.units] = self.levels
        return rows if dtype is None else rows.astype(dtype, copy=False)

    def parts(self, most: int = PART_BYTES) -> Iterator[Steps]:
        """Yield parts of at most ``most`` steps whose matrices fit in memory."""
        size = max(1, min(most, PART_BYTES // max(1, self.base.nbytes)))
        for first in range(0, len(self), size):
            yield self[first : first + size]

    @property
    def gains(self) -> NDArray[np.int64]:
        """1 where a place comes in, -1 where it goes out, 0 where it only changes its value."""
        after = self.levels > 0
        return after.astype(np.int64) - (self.base[self.units] > 0)

    def sizes(self) -> NDArray[np.int64]:
        """Count the places of each candidate that are not 0."""
        return np.asarray(np.count_nonzero(self.base) + self.gains, dtype=np.int64)

    def frequency(self) -> NDArray[np.float64]:
        """Return how often each place is not 0, as a share of the candidates."""
        share = (self.base > 0).astype(np.float64)
        np.add.at(share, self.units, self.gains / max(1, len(self)))
        return share
