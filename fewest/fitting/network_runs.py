"""Runs that look for a network, over graphs or over orderings."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..data.table import Table
from ..errors import InputError
from ..measures.base import Scorer
from ..measures.networks.graph_score import GraphScorer
from ..measures.orderings.inferential_loss import InferentialLoss, InferentialScorer
from ..measures.orderings.network_score import OrderingScorer
from ..models.networks.arc_matrix import graph_of
from ..models.networks.family_scores import FamilyScores, graph_of_bits
from ..models.networks.graph import Graph
from ..run.conclude import conclude
from ..run.events import Listener
from ..run.interrupts import shielded
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
from .structures import ORDER_SEARCHES, search_of, short_name

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
    def of(
        search: Any,
        families: FamilyScores,
        max_parents: int | None,
        stop: Any,
        loss: InferentialScorer | None = None,
    ) -> NetworkRun:
        """The run of a search, given by name or itself; ``loss`` scores orderings."""
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
        bits, scores = self.families.k2_bits(
            candidate, max_parents=self.max_parents, parents=self.parents
        )
        return graph_of_bits(bits[0]), float(scores[0])

    @property
    def parents(self) -> str:
        """Where the parents of a variable stand in an ordering."""
        return "earlier" if self.loss is None else self.loss.measure.parents

    @property
    def loss(self) -> InferentialScorer | None:
        """What scores orderings by their answers, if that is the score."""
        return self.scorer if isinstance(self.scorer, InferentialScorer) else None


def stop_rules(stop: Any, variables: int | None) -> tuple[Stop, ...]:
    """The rules of a run; ``variables`` is given where "auto" counts generations.

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
    shield: ExitStack,
) -> tuple[Result, Graph]:
    """Run the search of a learner: the result, and the graph.

    From the end of the search until ``shield`` is closed an interrupt waits.
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
    try:
        with shielded():  # else it could be locked with nobody to close it
            if learner.journal is not None:
                journal = Journal(learner.journal, {**identity, **run.space.layout(table.names)})
        outcome = run.go(
            rng, n_rows=table.n_rows, n_jobs=learner.n_jobs, journal=journal, listeners=listeners
        )
    finally:
        if journal is not None:
            journal.close()
    shield.enter_context(shielded(raises=False))
    names = table.names
    if isinstance(run.space, Graphs):
        names = tuple(run.space.arc_names(names))
    result = conclude(
        outcome, run.search, run.scorer, names, "best",
        measure=_named(families.rule.name, measure), seed=seed, version=__version__, notes=[],
        settings={**identity, "versions": versions()},
    )  # fmt: skip
    result.search = short_name(run.search)
    if run.search.complete and result.stop_kind is StopKind.SEARCH and not result.optimal:
        result.partial, result.stop_kind = True, StopKind.TIME
    if isinstance(run.space, Orderings):
        _tell_orderings(result, outcome)
        if run.loss is not None:
            _tell_loss(result, outcome, run.loss)
    return result, run.best(outcome)[0]


def _identity(run: NetworkRun, table: Table, seed: int) -> dict[str, Any]:
    """What makes two runs the same run."""
    return {
        "data": table.fingerprint,
        "rows": table.n_rows,
        # A resumed proof may have another time limit, as any other run.
        "search": spelled(ExactGraph() if isinstance(run.search, ExactGraph) else run.search),
        "measure": f"{spelled(run.families.rule if run.loss is None else run.loss.measure)}, "
        f"max_parents={run.max_parents}",
        "space": spelled(run.space),
        "space_kind": run.space.kind,
        "stop": [repr(rule) for rule in run.rules],
        "seed": seed,
        "version": __version__,
    }


def _named(score: str, loss: InferentialLoss | None) -> str:
    return f"network score ({score})" if loss is None else "inferential loss"


def _tell_loss(result: Result, outcome: Outcome, loss: InferentialScorer) -> None:
    """The learning curve of the best ordering, and the orderings that no other one dominates."""
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
