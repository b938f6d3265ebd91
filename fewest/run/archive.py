"""Every candidate scored in a run, each once, in the order in which they came."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Candidates, Scores
from ..search.spaces.base import Space


class Archive:
    """All scored candidates of a run: look them up, add new ones, read them as arrays."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._row: dict[bytes, int] = {}
        self._candidates: list[Candidates] = []
        self._scores: list[Scores] = []
        self._generation: list[NDArray[np.int64]] = []

    def __len__(self) -> int:
        return len(self._row)

    def __contains__(self, key: object) -> bool:
        return key in self._row

    def add(self, candidates: Candidates, scores: Scores, generation: int) -> None:
        """Add candidates that are not in yet."""
        for key in self.space.keys(candidates):
            self._row[key] = len(self._row)
        self._candidates.append(np.array(candidates))
        self._scores.append(scores)
        self._generation.append(np.full(len(candidates), generation, dtype=np.int64))

    def rows(self, keys: Iterable[bytes]) -> NDArray[np.intp]:
        """The rows of the candidates with these keys."""
        return np.array([self._row[key] for key in keys], dtype=np.intp)

    def _merge(self) -> None:
        # One array each, rebuilt only when something was added since the last look.
        if len(self._candidates) > 1:
            self._candidates = [np.concatenate(self._candidates)]
            self._scores = [Scores.join(self._scores)]
            self._generation = [np.concatenate(self._generation)]

    @property
    def candidates(self) -> Candidates:
        """All candidates, over the free units."""
        self._merge()
        if not self._candidates:
            return np.zeros((0, self.space.n_units), dtype=bool)
        return self._candidates[0]

    @property
    def scores(self) -> Scores:
        """All scores."""
        self._merge()
        return self._scores[0] if self._scores else Scores(np.zeros(0))

    @property
    def generation(self) -> NDArray[np.int64]:
        """The generation in which each candidate first appeared."""
        self._merge()
        return self._generation[0] if self._generation else np.zeros(0, dtype=np.int64)

    def up_to(self, generation: int | None) -> NDArray[np.intp]:
        """Rows of feasible candidates that appeared no later than ``generation``."""
        keep = self.space.feasible(self.candidates) & ~np.isnan(self.scores.value)
        if generation is not None:
            keep &= self.generation <= generation
        return np.flatnonzero(keep)

    def masks(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """The feature masks of these rows."""
        return self.space.uses(self.candidates[rows])
