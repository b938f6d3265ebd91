"""Runs that look for a network, over graphs or over orderings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..data.table import Table
from ..measures.base import Scorer
from ..measures.networks.graph_score import GraphScorer
from ..measures.orderings.network_score import OrderingScorer
from ..models.networks.arc_matrix import graph_of
from ..models.networks.family_scores import FamilyScores, graph_of_bits
from ..models.networks.graph import Graph
from ..run.conclude import conclude
from ..run.events import Listener
from ..run.journal import Journal
from ..run.loop import Outcome, Run
from ..run.progress import ProgressBar
from ..run.reasons import StopKind
from ..run.result import Result
from ..run.stop import Generations, NoImprovement, Seconds, Stop, resolve_stop, seconds_of
from ..run.versions import spelled, versions
from ..search.base import Search
from ..search.graphs.exact_graph import ExactGraph
from ..search.spaces.base import Space
from ..search.spaces.graphs import Graphs
from ..search.spaces.orderings import Orderings
from ..seeds import streams
from .structures import search_of, short_name

#: How many orderings of a run are listed in its result.
KEPT = 100
#: A graph and its score.
Found = tuple[Graph, float]


@dataclass(frozen=True)
class NetworkRun:
    """What is searched for a network, how, and until when.

    Parameters
    ----------
    search : Search
    space : Graphs or Orderings
    scorer : Scorer
    rules : tuple of Stop
    families : FamilyScores
    max_parents : int or None
    """

    search: Search
    space: Space
    scorer: Scorer
    rules: tuple[Stop, ...]
    families: FamilyScores
    max_parents: int | None

    @staticmethod
    def of(search: Any, families: FamilyScores, max_parents: int | None, stop: Any) -> NetworkRun:
        """The run of a search, given by name or itself."""
        found = search_of(search, seconds_of(stop))
        d = len(families.cardinalities)
        rules = stop_rules(stop, found.generational and not found.ends)
        if "graphs" in found.spaces:
            # A proof keeps its own time: what it has proven must not be lost to a rule.
            kept = tuple(r for r in rules if not (found.complete and isinstance(r, Seconds)))
            space, scorer = Graphs(d, max_parents), GraphScorer(families)
            return NetworkRun(found, space, scorer, kept, families, max_parents)
        orders = OrderingScorer(families, max_parents, "earlier")
        return NetworkRun(found, Orderings(d), orders, rules, families, max_parents)

    def go(self, rng: np.random.Generator, **options: Any) -> Outcome:
        """Run the search; ``options`` are those of :class:`fewest.run.loop.Run`."""
        return Run(self.search, self.scorer, self.space, rng, self.rules, **options).go()

    def best(self, outcome: Outcome) -> Found:
        """The answer of a run."""
        archive = outcome.archive
        if outcome.verdict is not None and outcome.verdict.answer is not None:
            row = archive.rows(archive.space.identities(outcome.verdict.answer[None]))
        else:
            row = archive.best_first(archive.up_to(None), 1)
        candidate = np.asarray(archive.candidates[row])
        if isinstance(self.space, Graphs):
            d = self.space.n
            return graph_of(candidate.reshape(d, d)), float(archive.scores.value[row][0])
        bits, scores = self.families.k2_bits(candidate, max_parents=self.max_parents)
        return graph_of_bits(bits[0]), float(scores[0])


def stop_rules(stop: Any, by_generations: bool) -> tuple[Stop, ...]:
    """The rules of a run; "auto" waits for 20 generations without progress."""
    parts = stop if isinstance(stop, list | tuple) else [stop]
    rules: list[Stop] = []
    for part in parts:
        if isinstance(part, str) and part == "auto":
            rules += [NoImprovement(20), Generations(500)] if by_generations else []
        else:
            rules += resolve_stop(part, by_generations)
    return tuple(rules)


def find_graph(
    search: Any,
    families: FamilyScores,
    *,
    max_parents: int | None = None,
    stop: Any = "auto",
    rng: np.random.Generator,
) -> Found:
    """The best network of a search over graphs or orderings, and its score."""
    run = NetworkRun.of(search, families, max_parents, stop)
    return run.best(run.go(rng, n_rows=len(families.rows)))


def learn_network(
    learner: Any,
    search: Any,
    families: FamilyScores,
    table: Table,
    seed: int,
    listeners: list[Listener],
) -> tuple[Result, Graph]:
    """Run the search of a learner: the result, and the graph."""
    run = NetworkRun.of(search, families, learner.max_parents, learner.stop)
    identity = _identity(run, table, seed)
    journal = None
    if learner.journal is not None:
        journal = Journal(learner.journal, {**identity, **run.space.layout(table.names)})
    if learner.verbose:
        listeners = [*listeners, ProgressBar(short_name(run.search), None)]
    _, rng = streams(seed)
    try:
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
        measure=f"network score ({families.rule.name})", seed=seed, version=__version__, notes=[],
        settings={**identity, "versions": versions()},
    )  # fmt: skip
    result.search = short_name(run.search)
    if run.search.complete and result.stop_kind is StopKind.SEARCH and not result.optimal:
        result.partial, result.stop_kind = True, StopKind.TIME
    if isinstance(run.space, Orderings):
        _tell_orderings(result, outcome)
    return result, run.best(outcome)[0]


def _identity(run: NetworkRun, table: Table, seed: int) -> dict[str, Any]:
    """What makes two runs the same run."""
    return {
        "data": table.fingerprint,
        "rows": table.n_rows,
        # A resumed proof may have another time limit, as any other run.
        "search": spelled(ExactGraph() if isinstance(run.search, ExactGraph) else run.search),
        "measure": f"{spelled(run.families.rule)}, max_parents={run.max_parents}",
        "space": spelled(run.space),
        "space_kind": run.space.kind,
        "stop": [repr(rule) for rule in run.rules],
        "seed": seed,
        "version": __version__,
    }


def _tell_orderings(result: Result, outcome: Outcome) -> None:
    """Orderings instead of subsets: all variables are in, and their places matter."""
    archive = outcome.archive
    rows = archive.best_first(archive.up_to(None), KEPT)
    best: NDArray[np.int64] = np.asarray(archive.candidates[rows]).astype(np.int64)
    names = result.names
    result.features, result.support = list(names), np.ones(len(names), dtype=bool)
    result.alternatives, result.front = [], []
    for entry in result.history:
        entry["best_features"] = None
    # The features of an entry stand in the order of the ordering.
    result.archive = [
        {"features": line.tolist(), "value": value, "size": len(line), "cost": 0.0,
         "generation": born}
        for line, value, born in zip(
            best, archive.scores.value[rows].tolist(), archive.generation[rows].tolist(),
            strict=True,
        )
    ]  # fmt: skip
    result.extra["best_ordering"] = [names[j] for j in best[0]]
