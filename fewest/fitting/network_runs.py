"""Runs that look for a network: over orderings by the run loop, over graphs by themselves."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..data.table import Table
from ..measures.orderings.network_score import OrderingScorer
from ..models.networks.family_scores import FamilyScores, graph_of_bits
from ..models.networks.graph import Graph
from ..run.conclude import conclude
from ..run.events import Listener
from ..run.journal import Journal
from ..run.loop import Outcome, Run
from ..run.progress import ProgressBar
from ..run.reasons import StopKind
from ..run.result import Result
from ..run.stop import Generations, NoImprovement, Stop, resolve_stop
from ..run.versions import spelled, versions
from ..search.registry import resolve_search
from ..search.spaces.orderings import Orderings
from ..seeds import streams
from .structures import Structure

#: How many orderings of a run are kept for averaging.
KEPT = 100


def stop_rules(stop: Any, by_generations: bool) -> tuple[Stop, ...]:
    """The rules of a run over orderings; "auto" waits for 20 generations without progress."""
    parts = stop if isinstance(stop, list | tuple) else [stop]
    rules: list[Stop] = []
    for part in parts:
        if isinstance(part, str) and part == "auto":
            rules += [NoImprovement(20), Generations(500)] if by_generations else []
        else:
            rules += resolve_stop(part, by_generations)
    return tuple(rules)


def run_orderings(
    learner: Any,
    search: Any,
    families: FamilyScores,
    table: Table,
    seed: int,
    listeners: list[Listener],
) -> tuple[Result, NDArray[np.int64], list[tuple[Graph, float]]]:
    """Search the orderings of the variables: result, best ordering, best networks."""
    found = resolve_search(search)
    space = Orderings(table.n_features)
    rules = stop_rules(learner.stop, found.generational and not found.ends)
    scorer = OrderingScorer(families, learner.max_parents, "earlier")
    measure = f"network score ({families.rule.name})"
    identity = {
        "data": table.fingerprint,
        "rows": table.n_rows,
        "search": spelled(found),
        "measure": f"{spelled(families.rule)}, max_parents={learner.max_parents}",
        "space": spelled(space),
        "space_kind": space.kind,
        "stop": [repr(rule) for rule in rules],
        "seed": seed,
        "version": __version__,
    }
    journal = None
    if learner.journal is not None:
        journal = Journal(learner.journal, {**identity, **space.layout(table.names)})
    if learner.verbose:
        listeners = [*listeners, ProgressBar(found.name, None)]
    _, rng = streams(seed)
    try:
        outcome = Run(
            found, scorer, space, rng, rules, table.n_rows, learner.n_jobs, journal, listeners
        ).go()
    finally:
        if journal is not None:
            journal.close()
    result = conclude(
        outcome, found, scorer, table.names, "best", measure=measure, seed=seed,
        version=__version__, notes=[], settings={**identity, "versions": versions()},
    )  # fmt: skip
    return _told(result, outcome, families, learner.max_parents)


def _told(
    result: Result, outcome: Outcome, families: FamilyScores, most: int | None
) -> tuple[Result, NDArray[np.int64], list[tuple[Graph, float]]]:
    """The result with orderings instead of subsets."""
    archive = outcome.archive
    rows = archive.up_to(None)
    order = rows[np.argsort(-archive.scores.value[rows], kind="stable")][:KEPT]
    best = archive.candidates[order].astype(np.int64)
    bits, scores = families.k2_bits(best, max_parents=most)
    networks = [(graph_of_bits(b), float(s)) for b, s in zip(bits, scores, strict=True)]
    names = result.names
    result.alternatives = []
    # The features of an entry stand in the order of the ordering.
    result.archive = [
        {"features": line.tolist(), "value": value, "size": len(line), "cost": 0.0,
         "generation": born}
        for line, value, born in zip(
            best, scores.tolist(), archive.generation[order].tolist(), strict=True
        )
    ]  # fmt: skip
    result.front = []
    result.extra["best_ordering"] = [names[j] for j in best[0]]
    return result, best[0], networks


def structure_result(
    found: Structure,
    search: str,
    families: FamilyScores,
    names: tuple[str, ...],
    seed: int,
    start: float,
) -> Result:
    """The result of a search over graphs."""
    cut = found.bound is not None and not found.optimal
    settings = {
        "search": search,
        "measure": spelled(families.rule),
        "seed": seed,
        "versions": versions(),
    }
    d = len(names)
    history = [
        {"generation": g, "evaluations": len(families), "best": value, "mean": value, "std": 0.0,
         "mean_size": float(d), "best_so_far": max(found.best[: g + 1]), "best_size": d}
        for g, value in enumerate(found.best)
    ]  # fmt: skip
    return Result(
        features=list(names), support=np.ones(len(names), dtype=bool), names=list(names),
        score=found.score, score_std=None, folds=None, search=search,
        measure=f"network score ({families.rule.name})", optimal=found.optimal,
        bound=found.bound, gap=None if found.bound is None else found.bound - found.score,
        evaluations=len(families), generations=len(found.best), history=history, archive=[],
        stopped=found.stopped, partial=cut, ties=0, alternatives=[], seed=seed,
        seconds=time.monotonic() - start, version=__version__,
        stop_kind=StopKind.TIME if cut else StopKind.SEARCH, settings=settings,
    )  # fmt: skip
