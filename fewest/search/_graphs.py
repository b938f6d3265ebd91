"""Searches over graphs: climbing, tabu, annealing, a genetic algorithm and the exact search."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._errors import InputError, MismatchError
from .._models.family_scores import FamilyScores
from .._models.graph import Graph, random_graph, repaired
from .._models.optimum import prove_families
from .._models.structure_search import SIDEWAYS, Walk, climb_again, climb_families
from .._parameters import number, whole
from ..measures._measure import Scorer
from ..measures._network_scores import GraphScorer
from ._better import Better
from ._monotone import Bounds
from ._population import Population, scored
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space
from ._spaces.structures import Graphs

#: Steps before the second batch of a climb, and most steps between two batches.
FIRST_STEPS, MOST_STEPS = 4, 64


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

    def start_on(
        self, scorer: Scorer | None, space: Space, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Return the generator of this search for one run, over the families of the scorer."""
        if not isinstance(scorer, GraphScorer) or not isinstance(space, Graphs):
            raise MismatchError(
                f"The search `{self.name}` needs the score of a network as its measure; use "
                f"fewest.NetworkLearner(search={self.name!r})."
            )
        self.check_parameters()
        return self.walk(space, scorer.families, rng, bounds)

    @abstractmethod
    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield batches of graphs, as ``propose`` does."""


def step_by_step(walk: Walk, space: Graphs) -> Proposals:
    """Climb to the end of a walk; a batch is the best graph after 4, 16, 64, ... further steps."""
    yield space.rows([walk.here])
    steps, ended = FIRST_STEPS, False
    while not ended:
        ended = walk.climb(steps)
        yield space.rows([walk.best])
        steps = min(4 * steps, MOST_STEPS)
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


#: Climbs between two batches, and in a row without a new best before an iterated search ends.
CLIMBS_PER_BATCH, LEAST_ROUNDS = 16, 15


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
        The search ends after this many climbs in a row without a new best; None is a third of
        the number of variables, and 15 at least.
    families : float or None
        The search also ends when all climbs together have scored this many times as many families
        as the first one; None is a quarter of the number of variables, or no limit where `rounds`
        is given.

    Notes
    -----
    Iterated local search (Lourenco, Martin and Stutzle, 2003) over the tabu search of Glover
    (1989). Most families of a climb are known from the climbs before, so that a further climb
    costs a small part of the first. Now and then a search over orderings, with
    insertions as in Teyssier and Koller (2005), puts the families that are known together anew,
    which leads out of local optima and scores nothing. The limits keep the search at about once
    or twice the time of a greedy search that remembers nothing, from 26 to 110 variables.
    """

    name: ClassVar[str] = "iterated-tabu-graph"
    source: ClassVar[str] = "Glover (1989); Lourenco et al. (2003); Teyssier and Koller (2005)"

    tenure: int = whole(10)
    patience: int = whole(5, low=1)
    changes: int | None = whole(None, low=3, optional=True)
    rounds: int | None = whole(None, low=1, optional=True)
    families: float | None = number(None, low=1.0, optional=True)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield the batches of the first climb, then the best graph so far once per few climbs."""
        walk = Walk(
            families, max_parents=space.max_parents, tenure=self.tenure, patience=self.patience
        )
        yield from step_by_step(walk, space)
        times = self.families
        if times is None:
            times = space.n / 4 if self.rounds is None else math.inf
        most = times * len(families)
        rounds = max(space.n // 3, LEAST_ROUNDS) if self.rounds is None else self.rounds
        climbs = climb_again(walk, self.changes or space.n, rounds, rng, most)
        climb = 0
        for climb, walk in enumerate(climbs, start=1):
            if climb % CLIMBS_PER_BATCH == 0:
                yield space.rows([walk.best])
        yield space.rows([walk.best])
        if len(families) >= most:
            return Verdict(f"{climb} climbs have scored {times:g} times the families of one")
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


@dataclass(kw_only=True)
class GAGraph(GraphSearch):
    """Breed good graphs: exchange parent sets, change arcs, climb a little; the best survive.

    Parameters
    ----------
    population : int
        Number of graphs that survive, and of those born per generation.
    generations : int
    mutation : float or None
        Probability of each possible arc of a child to change; None is 1 / number of
        variables squared.
    steps : int
        Each child is improved by this many steps of hill climbing.

    Notes
    -----
    Larranaga, Poza, Yurramendi, Murga and Kuijpers (1996): graphs as strings of arcs, parents by
    rank, crossover, mutation, a repair of cycles, a local optimiser, and the elitist reduction:
    the next population is the best of old and new. Here crossover exchanges whole parent sets,
    and the local optimiser is a few steps of hill climbing.
    """

    name: ClassVar[str] = "ga-graph"
    source: ClassVar[str] = "Larranaga et al. (1996); Inza (2002), section 3.3.3.2"
    generational: ClassVar[bool] = True

    population: int = whole(20, low=2)
    generations: int = whole(20, low=1)
    mutation: float | None = number(None, low=0.0, high=1.0, optional=True)
    steps: int = whole(5)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield one batch per generation: the first population, then the children."""
        better = Better(space)

        def improved(graph: Graph) -> Graph:
            return climb_families(
                families, start=graph, max_parents=space.max_parents, steps=self.steps
            )[0]

        first = [random_graph(space.n, space.most, rng, 1 / max(space.n, 2))
                 for _ in range(self.population)]  # fmt: skip
        people = yield from scored(space.rows([improved(graph) for graph in first]))
        people = _different(people, space).best(self.population, better)
        for _ in range(self.generations - 1):
            born = space.rows([improved(child) for child in self._children(people, space, rng)])
            new = yield from scored(born)
            people = _different(people.join(new), space).best(self.population, better)
        return Verdict(f"{self.generations} generations done")

    def _children(self, people: Population, space: Graphs, rng: np.random.Generator) -> list[Graph]:
        d = space.n
        rate = 1 / d**2 if self.mutation is None else self.mutation
        ranks = np.arange(len(people), 0, -1, dtype=np.float64)
        matrices = people.candidates.reshape(-1, d, d)
        born = []
        for _ in range(self.population):
            mother, father = matrices[rng.choice(len(people), 2, p=ranks / ranks.sum())]
            child = np.where(rng.random(d) < 0.5, mother, father)
            child ^= rng.random((d, d)) < rate
            born.append(repaired(child, space.most, rng))
        return born


def _different(people: Population, space: Graphs) -> Population:
    """Keep each graph once."""
    first = {key: i for i, key in reversed(list(enumerate(space.keys(people.candidates))))}
    return people.take(np.sort(np.fromiter(first.values(), dtype=np.intp)))


@dataclass(kw_only=True)
class ExactGraph(GraphSearch):
    """Find the graph with the highest score and prove it, or end with a bound.

    Parameters
    ----------
    seconds : float or None
        A time limit; at its end the answer is the best network so far.

    Notes
    -----
    Silander and Myllymaki (2006), for more than 20 variables Bartlett and Cussens (2017); see
    ``fewest._models.optimum``. The first graph is that of a short tabu search, so that a
    run that is interrupted has an answer.
    """

    name: ClassVar[str] = "exact-graph"
    source: ClassVar[str] = "Silander and Myllymaki (2006); Bartlett and Cussens (2017)"
    complete: ClassVar[bool] = True

    seconds: float | None = number(None, low=0.0, optional=True)

    def walk(
        self, space: Graphs, families: FamilyScores, rng: np.random.Generator, bounds: Bounds
    ) -> Proposals:
        """Yield two batches: a good graph, then the best."""
        first, _ = climb_families(families, max_parents=space.max_parents, tenure=10, patience=20)
        yield space.rows([first])
        found = prove_families(families, max_parents=space.max_parents, seconds=self.seconds)
        # Added up as the scorer does: a proven answer has no gap.
        if found.optimal or math.isfinite(found.bound):
            bounds.value = families.of(found.graph) if found.optimal else found.bound
        row = space.rows([found.graph])
        yield row
        why = "no network scores more" if found.optimal else "the proof came to its limit"
        return Verdict(why, optimal=found.optimal, answer=row[0])
