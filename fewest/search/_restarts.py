"""Search that starts again, larger each time, to use time that is left."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from .._parameters import whole
from ..measures._measure import Candidates, Scores
from ._better import Better
from ._search import LearnedGraph, Proposals, Search, Verdict
from ._spaces.space import Space


@dataclass
class Restarts(Search):
    """Start a search by generations again and again, each time with twice the population.

    search: a search by generations.
    patience: a start ends after this many generations without an improvement of its own best value.
    rounds: the search ends after this many starts in a row that found nothing better.

    With a time budget, ``stop="auto"`` runs searches by generations like this, so that the time
    is used. Results and reports go by the name of the search itself.
    """

    source: ClassVar[str] = "restarts with growing populations"
    generational: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    search: Any = None
    patience: int = whole(10, low=1)
    rounds: int = whole(5, low=1)

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the search itself."""
        return str(self.search.name)

    @property
    def spaces(self) -> tuple[str, ...]:  # type: ignore[override]
        """Kinds of space that the search itself can handle."""
        return tuple(self.search.spaces)

    def check_parameters(self) -> None:
        """Check the parameters of its own and of the search."""
        super().check_parameters()
        self.search.check_parameters()

    def goal_names(self) -> Sequence[str]:
        goals: Sequence[str] = self.search.goal_names()
        return goals

    def learned_graph(
        self, candidates: Candidates, value: NDArray[np.float64], space: Space
    ) -> LearnedGraph | None:
        found: LearnedGraph | None = self.search.learned_graph(candidates, value, space)
        return found

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield the batches of one start after the other."""
        best, idle, starts = float("nan"), 0, 0
        while idle < self.rounds:
            own = yield from self._start(starts, space, better, rng)
            idle = 0 if better.improves(own, best) else idle + 1
            best = own if better.improves(own, best) else best
            starts += 1
        return Verdict(f"the last {self.rounds} starts found nothing better ({starts} in all)")

    def _start(
        self, number: int, space: Space, better: Better, rng: np.random.Generator
    ) -> Generator[Candidates, Scores, float]:
        """Run one start and return its best value."""
        best, idle = float("nan"), 0
        proposals = self._grown(number).propose(space, better, rng)
        try:
            batch = next(proposals)
            while idle < self.patience:
                scores = yield batch
                own = _best(scores)
                idle = 0 if better.improves(own, best) else idle + 1
                best = own if better.improves(own, best) else best
                batch = proposals.send(scores)
        except StopIteration:
            pass
        finally:
            proposals.close()
        return best

    def _grown(self, number: int) -> Search:
        """Return the search with its population doubled this often, where it has one."""
        grown: Search = clone(self.search)
        if "population" in grown.get_params(deep=False):
            size = getattr(grown, "size", None) or grown.get_params(deep=False)["population"]
            grown.set_params(population=size * 2**number)
        return grown


def _best(scores: Scores) -> float:
    known = scores.value[~np.isnan(scores.value)]
    return float(known.max()) if len(known) else float("nan")
