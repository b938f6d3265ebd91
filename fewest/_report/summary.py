"""The numbers of every figure and table, computed once, as plain data.

A report is this summary first; words, charts and pages only put it into form. Everything comes
from the result alone, so that a saved result renders on a machine without the data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import honest
from .chart import MOST_COLUMNS, MOST_FEATURES, MOST_GENERATIONS, MOST_POINTS, thin

if TYPE_CHECKING:
    from .._run.result import Result
    from .._run.result_format import ScoredSubset


Plain = dict[str, Any]

#: A page stays under 8 MB as long as its table names no more features than this.
MOST_MENTIONS = 1_000_000


def summarize(result: Result) -> Plain:
    """Everything that a report of one result shows, a part each; parts that lack are None.

    Examples
    --------
    >>> from fewest.testing._results import toy_result
    >>> summary = summarize(toy_result())
    >>> summary["time"]["phases"]["scoring"] < summary["time"]["total"]
    True
    """
    return {
        "curve": honest.curve(result),
        "generations": generations(result.history),
        "frequency": frequency(result),
        "worth": honest.worth(result),
        "weights": weights(result),
        "by_generation": honest.by_generation(result.honest),
        "sizes": sizes(result),
        "stability": honest.stability(result.honest, result.features),
        "time": time_spent(result),
        "subsets": subsets(result),
        "network": network(result),
    }


def weights(result: Result) -> Plain | None:
    """Return the weights of the features, largest first, where features were weighed."""
    found = result.extra.get("weights")
    if found is None:
        return None
    order = np.argsort(-np.asarray(found), kind="stable")[:MOST_FEATURES]
    return {
        "features": [result.names[j] for j in order],
        "weight": [float(found[j]) for j in order],
        "left_out": len(found) - len(order),
    }


def generations(history: Sequence[Mapping[str, Any]]) -> Plain | None:
    """Best so far, best, mean and spread of the selection score, by generation."""
    scored = [entry for entry in history if entry.get("best") is not None]
    kept = [scored[i] for i in thin(len(scored), MOST_GENERATIONS)]
    if not kept:
        return None
    return {
        "generation": [e["generation"] for e in kept],
        "best_so_far": [_number(e["best_so_far"]) for e in kept],
        "best": [e["best"] for e in kept],
        "mean": [e["mean"] for e in kept],
        "low": [e["mean"] - e["std"] for e in kept],
        "high": [e["mean"] + e["std"] for e in kept],
        "size": [e["best_size"] for e in kept],
        "mean_size": [e["mean_size"] for e in kept],
        "evaluations": [e["evaluations"] for e in kept],
    }


def frequency(result: Result) -> Plain | None:
    """Return how often each feature is in the candidates of a generation: rows are features.

    The features most often present at the end are shown, the chosen ones among them.
    """
    return frequencies(result.history, result.names, result.support)


def frequencies(
    history: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    support: Sequence[bool] | NDArray[np.bool_],
    columns: int = MOST_COLUMNS,
    rows: int = MOST_FEATURES,
) -> Plain | None:
    """Return the same from a history whose entries have ``generation`` and ``frequency``."""
    entries = [e for e in history if e.get("frequency")]
    if len(entries) < 2:
        return None
    kept = [entries[i] for i in thin(len(entries), columns)]
    matrix = np.array([e["frequency"] for e in kept]).T
    chosen = np.asarray(support, dtype=bool)
    order = np.lexsort((-matrix.mean(axis=1), -matrix[:, -1], ~chosen))[:rows]
    return {
        "generation": [e["generation"] for e in kept],
        "features": [names[j] for j in order],
        "chosen": [bool(chosen[j]) for j in order],
        "frequency": matrix[order].round(3).tolist(),
        "left_out": len(names) - len(order),
    }


def sizes(result: Result) -> Plain | None:
    """Value against size of the best subsets, with the front, the choice and its ties."""
    archive = [e for e in result.archive if _number(e["value"]) is not None]
    if not archive:
        return None
    chosen = np.flatnonzero(result.support).tolist()
    tied = {tuple(a) for a in result.alternatives}
    order = sorted(range(len(archive)), key=lambda i: (-archive[i]["value"], archive[i]["size"]))
    # The best of every size first: thinning must not lose the shape of the cloud.
    firsts = {archive[i]["size"]: i for i in reversed(order)}
    rest = [i for i in order if i not in set(firsts.values())]
    room = max(0, MOST_POINTS - len(firsts))
    kept = [archive[i] for i in [*firsts.values(), *(rest[i] for i in thin(len(rest), room))]]
    return {
        "points": _points(kept),
        "front": _points(sorted(result.front, key=lambda e: (e["size"], e["value"]))),
        "ties": _points([e for e in kept if tuple(result.names[j] for j in e["features"]) in tied]),
        "chosen": {"size": len(chosen), "value": _number(result.score)},
    }


def _points(entries: Iterable[ScoredSubset]) -> Plain:
    kept = list(entries)
    return {
        "size": [e["size"] for e in kept],
        "value": [e["value"] for e in kept],
        "features": [e["features"] for e in kept],
    }


#: The phases of a run by what they do, in their order; "search" is told in two parts.
PHASES = {
    "compiling": "compiling, once on a machine",
    "reading": "reading the table",
    "models": "comparing models",
    "folds": "preparing folds",
    "scoring": "scoring subsets",
    "search": "search and its models",
    "honest": "honest score",
    "audit": "audit by the model",
    "checking": "checking the table",
    "evidence": "evidence and stand-ins",
    "training": "training the model",
    "validation": "validation",
    "other": "other",
}
#: Phases with a smaller share of the time are shown together.
SHOWN_SHARE = 0.01


def time_spent(result: Result) -> Plain:
    """Return the seconds of each phase, in scoring and in the search itself, with their sum."""
    scoring = sum(e.get("scoring_seconds") or 0.0 for e in result.history)
    phases = dict(result.extra.get("phase_seconds") or {})
    # The time of a search that is not in its history passes around its loop.
    search = sum(e.get("search_seconds") or 0.0 for e in result.history)
    if phases:
        search = max(0.0, phases["search"] - scoring)
    spent = {**phases, "scoring": scoring, "search": search}
    if not phases:
        spent["other"] = max(0.0, result.seconds - scoring - search)
    total = sum(spent.values())
    small = [p for p, s in spent.items() if s < SHOWN_SHARE * total and phases]
    if len(small) > 1:
        spent["other"] = sum(spent.pop(phase) for phase in small)
    return {"phases": {p: spent[p] for p in PHASES if p in spent}, "total": total}


def subsets(result: Result) -> Plain:
    """Return the best subsets as columns, features by position: small even when they are many."""
    archive = _most(result.archive)
    goals = sorted({g for e in archive for g in e.get("goals", {})})
    costly = any(e.get("cost") not in (None, e["size"]) for e in archive)
    columns: Plain = {
        "value": [_round(e["value"]) for e in archive],
        "std": [_round(e.get("std")) for e in archive] if result.folds is not None else None,
        "size": [e["size"] for e in archive],
        "cost": [_round(e["cost"]) for e in archive] if costly else None,
        "generation": [e["generation"] for e in archive],
    }
    columns |= {goal: [_round(e.get("goals", {}).get(goal)) for e in archive] for goal in goals}
    kept = {name: column for name, column in columns.items() if column is not None}
    return {
        "names": list(result.names),
        "columns": kept,
        "features": [e["features"] for e in archive],
        "chosen": np.flatnonzero(result.support).tolist(),
        "scored": result.evaluations,
    }


def _most(archive: list[ScoredSubset]) -> list[ScoredSubset]:
    """Return the best subsets, as many as a page can carry: they come best first."""
    mentions = np.cumsum([e["size"] + 10 for e in archive])
    return archive[: max(1, int(np.searchsorted(mentions, MOST_MENTIONS, side="right")))]


def network(result: Result) -> Plain | None:
    """Return the last network of a search that learns one: names, arcs, and what is chosen."""
    found = result.extra.get("network")
    if not found or not found["arcs"]:
        return None
    return {
        "names": found["names"],
        "arcs": found["arcs"],
        "chosen": list(result.features),
        "title": "What goes with what in the best subsets",
        "source": f"What {result.search} learns from the best {found['rows']:,} subsets.",
    }


def _round(value: float | None) -> float | None:
    known = _number(value)
    return None if known is None else round(known, 6)


def _number(value: float | None) -> float | None:
    """None for what is not known; a saved result has null where a fresh one has NaN."""
    return float(value) if value is not None and np.isfinite(value) else None
