"""Every candidate scored in a run, each once, in the order in which they came."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures._measure import Candidates, Scores
from ..measures._steps import Steps
from ..search._better import Better
from ..search._spaces.space import Space


class Growing:
    """Array to which rows are added; it is copied only when it has doubled.

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
        """Return all rows."""
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
        """Numbers of the candidates among all that are stored."""
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


#: More cells than this are not written out to break ties.
MOST_CELLS = 2**26


class Archive:
    """Scored candidates of a run: look them up, add new ones, read them as arrays."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._row: dict[bytes, int] = {}
        self._matrix = Growing()
        #: In place of the matrix, once a batch of steps has come.
        self._stored: Stored | None = None
        self._value, self._folds = Growing(), Growing()
        self._goals: dict[str, Growing] = {}
        self._generation, self._feasible = Growing(), Growing()
        self._cost, self._size = Growing(), Growing()
        #: Whether any score is a number.
        self.has_numbers: bool = False

    def __len__(self) -> int:
        return len(self._row)

    def __contains__(self, identity: object) -> bool:
        return identity in self._row

    def unknown(self, identities: Iterable[bytes]) -> dict[bytes, int]:
        """Return the identities that are not in yet, in their order, with their first place."""
        row, first = self._row, {}
        for place, identity in enumerate(identities):
            if identity not in row and identity not in first:
                first[identity] = place
        return first

    def add(
        self,
        candidates: Candidates,
        scores: Scores,
        generation: int,
        identities: Iterable[bytes] | None = None,
    ) -> None:
        """Add candidates that are not in yet; ``identities``, where they are known."""
        told = self.space.identities(candidates) if identities is None else identities
        self._row.update(zip(told, range(len(self), len(self) + len(candidates)), strict=True))
        self._store(candidates)
        self._value.add(scores.value)
        self.has_numbers = self.has_numbers or not bool(np.isnan(scores.value).all())
        if scores.folds is not None:
            self._folds.add(scores.folds)
        for name, goal in scores.goals.items():
            self._goals.setdefault(name, Growing()).add(goal)
        self._generation.add(np.full(len(candidates), generation, dtype=np.int64))
        self._cost.add(self.space.cost(candidates))
        self._size.add(self.space.size(candidates))
        self._feasible.add(self.space.feasible(candidates))

    def _store(self, candidates: Candidates) -> None:
        if isinstance(candidates, Steps) and self._stored is None:
            self._stored = Stored(self.space.n_units)
            if len(self._matrix.all):
                self._stored.add(self._matrix.all)
        if self._stored is None:
            self._matrix.add(np.asarray(candidates))
        else:
            self._stored.add(candidates)

    def rows(self, identities: Iterable[bytes]) -> NDArray[np.intp]:
        """Return the rows of the candidates with these identities."""
        return np.fromiter(map(self._row.__getitem__, identities), dtype=np.intp)

    @property
    def candidates(self) -> Candidates:
        """Return all candidates, over the free units, as a matrix.

        Where batches of steps are among them, what can be indexed like one: an index gives a
        view, ``numpy.asarray`` the matrix.
        """
        stored: Any = self._matrix.all if self._stored is None else self._stored
        if not len(self):
            return np.zeros((0, self.space.n_units), dtype=bool)
        return stored  # type: ignore[no-any-return]

    @property
    def value(self) -> NDArray[np.float64]:
        """Values of all candidates."""
        return self._value.all

    @property
    def scores(self) -> Scores:
        """Return all scores."""
        folds = self._folds.all if len(self._folds.all) else None
        return Scores(self._value.all, folds, {name: g.all for name, g in self._goals.items()})

    @property
    def generation(self) -> NDArray[np.int64]:
        """Generation in which each candidate first appeared."""
        return self._generation.all.astype(np.int64, copy=False)

    @property
    def cost(self) -> NDArray[np.float64]:
        """Cost of each candidate."""
        return self._cost.all

    @property
    def size(self) -> NDArray[np.int64]:
        """Number of features of each candidate."""
        return self._size.all

    @property
    def feasible(self) -> NDArray[np.bool_]:
        """Mask of the candidates that keep the sizes and the budget."""
        return self._feasible.all.astype(bool, copy=False)

    def up_to(self, generation: int | None) -> NDArray[np.intp]:
        """Return rows of feasible candidates that appeared no later than ``generation``."""
        keep = self.feasible & ~np.isnan(self._value.all)
        if generation is not None:
            keep &= self.generation <= generation
        return np.flatnonzero(keep)

    def best_first(self, rows: NDArray[np.intp], most: int | None = None) -> NDArray[np.intp]:
        """Return the rows from best to worst, at most ``most``.

        The last tie, by key, is broken among the rows that can be among the first ``most``; where
        these are too many to write out, they stay in the order in which they came.
        """
        value = np.round(self._value.all[rows], 12)
        order = np.lexsort((self.cost[rows], -value))
        if most is not None and most < len(rows):
            last = order[most - 1]
            worse = (value < value[last]) | (
                (value == value[last]) & (self.cost[rows] > self.cost[rows[last]])
            )
            order = np.flatnonzero(~worse)
        chosen = rows[np.sort(order)]
        if len(chosen) * self.space.n_units > MOST_CELLS:
            return np.asarray(rows[np.lexsort((self.cost[rows], -value))][:most])
        matrix = np.asarray(self.candidates[chosen])
        by_all = Better(self.space).order(matrix, self._value.all[chosen])
        return np.asarray(chosen[by_all][:most])

    def masks(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """Return the feature masks of these rows."""
        matrix = np.asarray(self.candidates[rows])
        masks: NDArray[np.bool_] = self.space.expand(matrix).astype(bool)
        return masks
