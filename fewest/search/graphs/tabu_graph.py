"""Tabu search over graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...models.networks.family_scores import FamilyScores
from ...models.networks.structure_search import Walk, climb_again
from ...parameters import whole
from ..base import Proposals, Verdict
from ..monotone import Bounds
from ..spaces.graphs import Graphs
from .base import GraphSearch, step_by_step

#: Climbs between two batches.
BETWEEN = 16


@dataclass(kw_only=True)
class TabuGraph(GraphSearch):
    """Make the best change of an arc even if it costs; a changed arc rests for a while.

    Parameters
    ----------
    tenure : int
        For how many steps an arc rests after a change.
    patience : int
        The search ends after so many steps without a new best.

    Examples
    --------
    >>> import fewest
    >>> from fewest.models.networks.library import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=2000).X
    >>> learner = fewest.NetworkLearner(search=TabuGraph(patience=30)).fit(table)
    >>> learner.result_.stopped
    'no improvement in 30 steps'
    """

    name: ClassVar[str] = "tabu-graph"
    source: ClassVar[str] = "Glover (1989); Inza (2002), section 3.3.3.2"

    tenure: int = whole(10)
    patience: int = whole(100, low=1)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """One batch for some steps each: the best graph so far."""
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
        For how many steps an arc rests after a change.
    patience : int
        A climb ends after so many steps without a new best.
    changes : int or None
        Between 3 and so many arcs are added, deleted or reversed before a climb; None is the
        number of variables.
    rounds : int or None
        The search ends after so many climbs in a row without a new best; None is the number of
        variables.

    Notes
    -----
    Iterated local search (Lourenco, Martin and Stutzle, 2003) over the tabu search of Glover
    (1989). Most families of a climb are known from the climbs before, so that a further climb
    costs a small part of the first.

    Examples
    --------
    >>> import fewest
    >>> from fewest.models.networks.library import sample_dataset
    >>> table = sample_dataset("cancer", n_rows=2000).X
    >>> search = IteratedTabuGraph(rounds=5)
    >>> fewest.NetworkLearner(search=search, random_state=0).fit(table).result_.stopped
    'no improvement in 5 climbs'
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
        """The batches of the first climb, then one for some climbs each: the best graph so far."""
        walk = Walk(
            families, max_parents=space.max_parents, tenure=self.tenure, patience=self.patience
        )
        yield from step_by_step(walk, space)
        rounds = space.n if self.rounds is None else self.rounds
        climbs = climb_again(walk, self.changes or space.n, rounds, rng)
        for number, best in enumerate(climbs, start=1):
            walk = best
            if number % BETWEEN == 0:
                yield space.rows([walk.best])
        yield space.rows([walk.best])
        return Verdict(f"no improvement in {rounds} climbs")
