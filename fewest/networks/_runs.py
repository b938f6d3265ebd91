"""Run searches for a network, over graphs or over orderings."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, did_you_mean
from .._interrupts import shielded
from .._models.family_scores import FamilyScores, graph_of_bits
from .._models.graph import Graph, graph_of
from .._parameters import streams
from .._run.conclude import conclude
from .._run.events import Listener, ProgressBar
from .._run.journal import Journal
from .._run.loop import Outcome, Run
from .._run.result import Result
from .._run.result_format import GenerationFigures, ScoredSubset
from .._run.stop_rules import (
    Generations,
    NoImprovement,
    Seconds,
    Stop,
    StopKind,
    resolve_stop,
    seconds_of,
)
from .._run.versions import object_text, versions
from .._version import __version__
from ..data._table import Table
from ..measures._measure import Scorer
from ..measures._network_scores import GraphScorer, OrderingScorer
from ..search._graphs import ExactGraph
from ..search._search import Search
from ..search._search_names import resolve_search
from ..search._spaces.space import Space
from ..search._spaces.structures import Graphs, Orderings
from ._inferential_loss import InferentialLoss, InferentialScorer

#: Most variables for which "auto" proves its answer, and most parents there.
AUTO_PROVES, AUTO_PARENTS = 20, 4
#: Searches over graphs by their short names, which other spaces use too.
STRUCTURE_SEARCHES = {
    "exact": "exact-graph",
    "hill-climbing": "climb-graph",
    "tabu": "tabu-graph",
    "iterated-tabu": "iterated-tabu-graph",
    "annealing": "anneal-graph",
    "genetic": "ga-graph",
}
#: Searches over orderings that go with networks.
ORDER_SEARCHES = ("ga-order", "climb-order", "plackett-luce", "random")


def choose_search(search: Any, n_variables: int, max_parents: int | None) -> tuple[Any, list[str]]:
    """Return the name or Search behind ``search``, and the reason where "auto" decided."""
    if search == "auto":
        small = max_parents is not None and max_parents <= AUTO_PARENTS
        if n_variables <= AUTO_PROVES and (small or n_variables <= 12):
            return "exact", [f"Search exact: {n_variables} variables are few enough for a proof."]
        why = f"Search iterated-tabu: {n_variables} variables are too many for a quick proof."
        return "iterated-tabu", [why]
    if isinstance(search, str) and search not in (*STRUCTURE_SEARCHES, *ORDER_SEARCHES):
        known = [*STRUCTURE_SEARCHES, *ORDER_SEARCHES]
        hint = did_you_mean(search, known)
        raise InputError(
            f"`search` must be a search over graphs or orderings or one of auto, "
            f"{', '.join(known)}, but is {search!r}.{hint}"
        )
    return search, []


def search_of(search: Any, seconds: float | None) -> Search:
    """Return the Search behind a name; a search with a proof gets its time limit."""
    known = STRUCTURE_SEARCHES.get(search, search) if isinstance(search, str) else search
    found = resolve_search(known)
    if isinstance(found, ExactGraph) and found.seconds is None:
        return ExactGraph(seconds=seconds)
    return found


def short_name(search: Search) -> str:
    """Return the learner's name of a search."""
    short = {long: name for name, long in STRUCTURE_SEARCHES.items()}
    return short.get(search.name, search.name)


#: How many orderings of a run are listed in its result.
LISTED_ORDERINGS = 100
#: A graph and its score.
Found = tuple[Graph, float]


@dataclass(frozen=True)
class NetworkRun:
    """Task of a network search: what is searched, how, and until when."""

    search: Search
    space: Space
    scorer: Scorer
    rules: tuple[Stop, ...]
    families: FamilyScores
    max_parents: int | None

    @staticmethod
    def of(
        search: Any,
        families: FamilyScores,
        max_parents: int | None,
        stop: Any,
        loss: InferentialScorer | None = None,
    ) -> NetworkRun:
        """Make the run of a search, given by name or itself; ``loss`` scores orderings."""
        found = search_of(search, seconds_of(stop))
        d = len(families.cardinalities)
        rules = stop_rules(stop, d if found.generational and not found.ends else None)
        if loss is not None:
            if "orderings" not in found.spaces:
                raise InputError(
                    f"`search` must be one over orderings ({', '.join(ORDER_SEARCHES)}) for an "
                    f"InferentialLoss, but is {short_name(found)!r}."
                )
            return NetworkRun(found, Orderings(d), loss, rules, families, max_parents)
        if "graphs" in found.spaces:
            # A proof keeps its own time: what it has proven must not be lost to a rule.
            kept = tuple(r for r in rules if not (found.complete and isinstance(r, Seconds)))
            space, scorer = Graphs(d, max_parents), GraphScorer(families)
            return NetworkRun(found, space, scorer, kept, families, max_parents)
        orders = OrderingScorer(families, max_parents, "earlier")
        return NetworkRun(found, Orderings(d), orders, rules, families, max_parents)

    def go(self, rng: np.random.Generator, **options: Any) -> Outcome:
        """Run the search; ``options`` are those of :class:`fewest._run.loop.Run`."""
        return Run(self.search, self.scorer, self.space, rng, self.rules, **options).go()

    def best(self, outcome: Outcome) -> Found:
        """Return the answer of a run."""
        archive = outcome.archive
        if outcome.verdict is not None and outcome.verdict.answer is not None:
            row = archive.rows(archive.space.identities(outcome.verdict.answer[None]))
        else:
            row = archive.best_first(archive.up_to(None), 1)
        candidate = np.asarray(archive.candidates[row])
        if isinstance(self.space, Graphs):
            d = self.space.n
            return graph_of(candidate.reshape(d, d)), float(archive.scores.value[row][0])
        bits, scores = self.families.k2_bits(
            candidate, max_parents=self.max_parents, parents=self.parents
        )
        return graph_of_bits(bits[0]), float(scores[0])

    @property
    def parents(self) -> str:
        """Positions of the parents of a variable in an ordering."""
        return "earlier" if self.loss is None else self.loss.measure.parents

    @property
    def loss(self) -> InferentialScorer | None:
        """Measure of orderings by their answers, if that is the score."""
        return self.scorer if isinstance(self.scorer, InferentialScorer) else None


def stop_rules(stop: Any, variables: int | None) -> tuple[Stop, ...]:
    """Return the rules of a run; ``variables`` is given where "auto" counts generations.

    It waits for 3 generations per variable, and 20 at least, without progress.
    """
    parts = stop if isinstance(stop, list | tuple) else [stop]
    rules: list[Stop] = []
    for part in parts:
        if isinstance(part, str) and part == "auto":
            if variables is not None:
                rules += [
                    NoImprovement(max(20, 3 * variables)),
                    Generations(max(500, 20 * variables)),
                ]
        else:
            rules += resolve_stop(part, variables is not None)
    return tuple(rules)


def find_graph(
    search: Any,
    families: FamilyScores,
    *,
    max_parents: int | None = None,
    stop: Any = "auto",
    rng: np.random.Generator,
) -> Found:
    """Find the best network of a search over graphs or orderings; return it and its score."""
    run = NetworkRun.of(search, families, max_parents, stop)
    return run.best(run.go(rng, n_rows=len(families.rows)))


def learn_network(
    learner: Any,
    search: Any,
    families: FamilyScores,
    table: Table,
    seed: int,
    listeners: list[Listener],
    shield: ExitStack,
) -> tuple[Result, Graph]:
    """Run the search of a learner: the result, and the graph.

    Outside of the search itself, an interrupt waits until ``shield`` is closed.
    """
    measure, bound = learner._loss(), None
    splits, rng = streams(seed)
    if measure is not None:
        bound = measure.bind(table, splits)
    run = NetworkRun.of(search, families, learner.max_parents, learner.stop, bound)
    identity = _identity(run, table, seed)
    journal: Journal | None = None
    if learner.verbose:
        listeners = [*listeners, ProgressBar(short_name(run.search), None)]
    shield.enter_context(shielded(raises=False))
    try:
        if learner.journal is not None:
            journal = Journal(learner.journal, {**identity, **run.space.layout(table.names)})
        outcome = run.go(
            rng, n_rows=table.n_rows, n_jobs=learner.n_jobs, journal=journal, listeners=listeners
        )
    finally:
        if journal is not None:
            journal.close()
    names = table.names
    if isinstance(run.space, Graphs):
        names = tuple(run.space.arc_names(names))
    result = conclude(
        outcome, run.search, run.scorer, names, "best",
        measure=_named(families.rule.name, measure), seed=seed, version=__version__, notes=[],
        settings={**identity, "versions": versions()},
    )  # fmt: skip
    result = replace(result, search=short_name(run.search))
    if run.search.complete and result.stop_kind is StopKind.SEARCH and not result.optimal:
        result = replace(result, partial=True, stop_kind=StopKind.TIME)
    if isinstance(run.space, Orderings):
        result = _of_orderings(result, outcome)
        if run.loss is not None:
            _add_loss(result, outcome, run.loss)
    return result, run.best(outcome)[0]


def _identity(run: NetworkRun, table: Table, seed: int) -> dict[str, Any]:
    """Return what makes two runs the same run."""
    return {
        "data": table.fingerprint,
        "rows": table.n_rows,
        # A resumed proof may have another time limit, as any other run.
        "search": object_text(ExactGraph() if isinstance(run.search, ExactGraph) else run.search),
        "measure": f"{object_text(run.families.rule if run.loss is None else run.loss.measure)}, "
        f"max_parents={run.max_parents}",
        "space": object_text(run.space),
        "space_kind": run.space.kind,
        "stop": [repr(rule) for rule in run.rules],
        "seed": seed,
        "version": __version__,
    }


def _named(score: str, loss: InferentialLoss | None) -> str:
    return f"network score ({score})" if loss is None else "inferential loss"


def _add_loss(result: Result, outcome: Outcome, loss: InferentialScorer) -> None:
    """Add the learning curve of the best ordering, and the non-dominated orderings."""
    archive = outcome.archive
    best = archive.best_first(archive.up_to(None), 1)
    result.extra["learning_curve"] = loss.curve(np.asarray(archive.candidates[best])[0])
    goals = np.stack([archive.scores.goals[f"f_{k}"] for k in "abc"], axis=1)
    different, first = np.unique(goals, axis=0, return_index=True)
    beaten = [
        ((different >= own).all(axis=1) & (different > own).any(axis=1)).any() for own in different
    ]
    result.extra["goals"] = [
        {"ordering": [result.names[j] for j in np.asarray(archive.candidates[[row]])[0]],
         **{f"f_{k}": float(v) for k, v in zip("abc", goals[row], strict=True)}}
        for row in sorted(first[~np.array(beaten)].tolist(), key=lambda row: -goals[row, 0])
    ]  # fmt: skip


def _of_orderings(result: Result, outcome: Outcome) -> Result:
    """Report orderings instead of subsets: all variables are in, and their places matter."""
    archive = outcome.archive
    rows = archive.best_first(archive.up_to(None), LISTED_ORDERINGS)
    best: NDArray[np.int64] = np.asarray(archive.candidates[rows]).astype(np.int64)
    names = result.names
    result.extra["best_ordering"] = [names[j] for j in best[0]]
    # The features of an entry stand in the order of the ordering.
    listed: list[ScoredSubset] = [
        {"features": line.tolist(), "value": value, "size": len(line), "cost": 0.0,
         "generation": born}
        for line, value, born in zip(
            best, archive.scores.value[rows].tolist(), archive.generation[rows].tolist(),
            strict=True,
        )
    ]  # fmt: skip
    history: list[GenerationFigures] = [
        {**entry, "best_features": None} for entry in result.history
    ]
    return replace(
        result, features=list(names), support=np.ones(len(names), dtype=bool), alternatives=[],
        front=[], history=history, archive=listed,
    )  # fmt: skip
