"""Searches over graphs that change arcs: hill climbing, tabu search and annealing."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._errors import InputError, MismatchError
from .._models.family_scores import FamilyScores
from .._models.structure_search import SIDEWAYS, Walk, climb_again
from .._parameters import number, whole
from ..measures._measure import Scorer
from ..search._better import Better
from ..search._monotone import Bounds
from ..search._questions import Ask
from ..search._search import Proposals, Search, Verdict
from ..search._spaces.space import Space
from ..search._spaces.structures import Graphs
from ._network_measures import GraphScorer

#: Most steps between two batches.
MOST_STEPS = 64


class GraphSearch(Search):
    """Search over graphs whose measure is a sum over families.

    What single changes bring is looked up in the cache of the families; only graphs that the
    search has come to are proposed, so that a batch costs little beside its steps. A resumed
    search makes the same steps again.
    """

    spaces: ClassVar[tuple[str, ...]] = ("graphs",)
    ends: ClassVar[bool] = True
    example: ClassVar[str] = """
        >>> import fewest
        >>> from fewest.networks import sample_dataset
        >>> from fewest.search import {name}
        >>> table = sample_dataset("cancer", n_rows=2000).X
        >>> learner = fewest.NetworkLearner(search={name}(), random_state=0).fit(table)
        >>> round(learner.result_.score)
        -3018
        """

    def start(
        self,
        space: Space,
        better: Better,
        rng: np.random.Generator,
        scorer: Scorer | None = None,
        bounds: Bounds | None = None,
        ask: Ask | None = None,
    ) -> Proposals:
        """Return the generator of this search for one run, over the families of the scorer."""
        if not isinstance(scorer, GraphScorer) or not isinstance(space, Graphs):
            raise MismatchError(
                f"The search `{self.name}` needs the score of a network as its measure; use "
                f"fewest.NetworkLearner(search={self.name!r})."
            )
        self.check_parameters()
        return self.walk(space, scorer.families, rng, Bounds() if bounds is None else bounds)

    @abstractmethod
    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield batches of graphs, as ``propose`` does."""


def step_by_step(walk: Walk, space: Graphs) -> Proposals:
    """Climb to the end of a walk; a batch is the best graph after 1, 2, 4, ... further steps."""
    yield space.rows([walk.here])
    steps, ended = 1, False
    while not ended:
        ended = walk.climb(steps)
        yield space.rows([walk.best])
        steps = min(2 * steps, MOST_STEPS)
    return None


@dataclass(kw_only=True)
class ClimbGraph(GraphSearch):
    """Add, delete or reverse the arc that helps most, while one helps.

    Parameters
    ----------
    sideways : int
        At the top it goes on along changes that cost nothing, until this many have led to nothing
        better; 0 stops at the top.
    tenure : int
        Number of steps for which an arc rests after a change.

    Notes
    -----
    Graphs that state the same independences have the same score, and a climb often ends on a
    flat top of such graphs: a few reversals that cost nothing lead to a graph that a further arc
    improves.
    """

    name: ClassVar[str] = "climb-graph"
    source: ClassVar[str] = "Inza (2002), section 3.3.3.2, with reversals and sideways steps"

    sideways: int = whole(20)
    tenure: int = whole(3)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        walk = Walk(
            families, max_parents=space.max_parents, tenure=self.tenure, patience=self.sideways,
            loss=0.0,
        )  # fmt: skip
        yield from step_by_step(walk, space)
        return Verdict("no single arc improves the network")


#: Climbs between two batches.
CLIMBS_PER_BATCH = 16


@dataclass(kw_only=True)
class TabuGraph(GraphSearch):
    """Make the best change of an arc even if it costs; a changed arc rests for a while.

    Parameters
    ----------
    tenure : int
        Number of steps for which an arc rests after a change.
    patience : int
        The search ends after this many steps without a new best.
    """

    name: ClassVar[str] = "tabu-graph"
    source: ClassVar[str] = "Glover (1989); Inza (2002), section 3.3.3.2"

    tenure: int = whole(10)
    patience: int = whole(100, low=1)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield the best graph so far, once per few steps."""
        walk = Walk(
            families, max_parents=space.max_parents, tenure=self.tenure, patience=self.patience
        )
        yield from step_by_step(walk, space)
        return Verdict(f"no improvement in {self.patience} steps")


@dataclass(kw_only=True)
class IteratedTabuGraph(GraphSearch):
    """Climb, change some arcs of the best graph at random, climb again, many times.

    Parameters
    ----------
    tenure : int
        Number of steps for which an arc rests after a change.
    patience : int
        A climb ends after this many steps without a new best.
    changes : int or None
        Between 3 and this many arcs are added, deleted or reversed before a climb; None is the
        number of variables.
    rounds : int or None
        The search ends after this many climbs in a row without a new best; None is the number of
        variables.

    Notes
    -----
    Iterated local search (Lourenco, Martin and Stutzle, 2003) over the tabu search of Glover
    (1989). Most families of a climb are known from the climbs before, so that a further climb
    costs a small part of the first.
    """

    name: ClassVar[str] = "iterated-tabu-graph"
    source: ClassVar[str] = "Glover (1989); Lourenco, Martin and Stutzle (2003)"

    tenure: int = whole(10)
    patience: int = whole(20, low=1)
    changes: int | None = whole(None, low=3, optional=True)
    rounds: int | None = whole(None, low=1, optional=True)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield the batches of the first climb, then the best graph so far once per few climbs."""
        walk = Walk(
            families, max_parents=space.max_parents, tenure=self.tenure, patience=self.patience
        )
        yield from step_by_step(walk, space)
        rounds = space.n if self.rounds is None else self.rounds
        climbs = climb_again(walk, self.changes or space.n, rounds, rng)
        for climb, best in enumerate(climbs, start=1):
            walk = best
            if climb % CLIMBS_PER_BATCH == 0:
                yield space.rows([walk.best])
        yield space.rows([walk.best])
        return Verdict(f"no improvement in {rounds} climbs")


#: First temperature by the last.
HOT_BY_COLD = 40.0


@dataclass(kw_only=True)
class AnnealGraph(GraphSearch):
    """Try random changes of arcs; keep worse graphs too, ever less often as it cools.

    Parameters
    ----------
    steps : int or None
        Number of changes that are tried; None is 300 for each pair of variables.
    hot, cold : float or None
        The temperature falls from the one to the other by a constant factor. None starts at the
        median of what single arcs bring, which grows with the rows, and ends at a fortieth.
    batch : int
        Number of changes after which the current graph and the best one are scored.

    Notes
    -----
    Kirkpatrick, Gelatt and Vecchi (1983); Inza (2002, section 3.3.3.2) names it for networks. A
    hill climb from the best graph ends it.
    """

    name: ClassVar[str] = "anneal-graph"
    source: ClassVar[str] = "Kirkpatrick et al. (1983); Inza (2002), section 3.3.3.2"

    steps: int | None = whole(None, low=1, optional=True)
    hot: float | None = number(None, low=1e-9, optional=True)
    cold: float | None = number(None, low=1e-9, optional=True)
    batch: int = whole(500, low=1)

    def check_parameters(self) -> None:
        """Refuse temperatures that rise."""
        super().check_parameters()
        if self.hot is not None and self.cold is not None and self.hot < self.cold:
            raise InputError(
                f"`hot` must be at least `cold`, but they are {self.hot} and {self.cold}."
            )

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield one batch per few changes, then one per step of the climb."""
        walk = Walk(families, max_parents=space.max_parents)
        total = 300 * space.n**2 if self.steps is None else self.steps
        hot, cold = self._temperatures(families)
        for first in range(0, total, self.batch):
            steps = np.arange(first, min(first + self.batch, total))
            temperatures = hot * (cold / hot) ** (steps / max(total - 1, 1))
            walk.anneal(rng.random((len(steps), 4)), temperatures)
            yield space.rows([walk.here, walk.best])
        last = Walk(families, start=walk.best, max_parents=space.max_parents, **SIDEWAYS)
        yield from step_by_step(last, space)
        return Verdict("the temperature has reached its end")

    def _temperatures(self, families: FamilyScores) -> tuple[float, float]:
        if self.hot is not None:
            return self.hot, self.hot / HOT_BY_COLD if self.cold is None else self.cold
        gains = np.array([families.gains(i, ()) for i in range(len(families.cardinalities))])
        helps = gains[np.isfinite(gains) & (gains > 0)]
        hot = float(np.median(helps)) if len(helps) else 1.0
        return (hot, hot / HOT_BY_COLD) if self.cold is None else (max(hot, self.cold), self.cold)
