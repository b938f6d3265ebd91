"""Make the result from the outcome of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from ..measures._measure import Scorer
from ..search._auto import Restarts
from ..search._better import SAME_SCORE_TOLERANCE, Better
from ..search._pareto import goal_matrix, non_dominated
from ..search._search import VALUE_AND_COST, Search
from ..search._spaces.subsets import Subsets
from .archive import Archive
from .choose import choose_row, reaching
from .loop import Outcome
from .result import Result
from .result_format import Extra, GenerationFigures, ScoredSubset
from .stop_rules import StopKind


def learned_network(search: Search, archive: Archive, names: tuple[str, ...]) -> Extra:
    """Return names, arcs and number of rows of the search's graph; empty where there is none.

    The graph is learned from the best distinct subsets of the whole run, so it does not depend
    on when the run was stopped.
    """
    space = archive.space
    learns = type(search).learned_graph is not Search.learned_graph
    if not learns or not isinstance(space, Subsets):
        return {}
    rows = archive.up_to(None)
    value = archive.scores.value[rows]
    order = Better(space).order(archive.candidates[rows], value)
    graph = search.learned_graph(archive.candidates[rows[order]], value[order], space)
    if graph is None:
        return {}
    units = [" + ".join(names[f] for f in unit) for unit in space.units]
    arcs = [list(arc) for arc in graph.arcs]
    return {"network": {"names": units, "arcs": arcs, "rows": graph.rows}}


#: Subsets of the archive that a result keeps, and equally good ones that it names.
KEPT_SUBSETS, KEPT_EQUALS = 1000, 100


def conclude(
    outcome: Outcome,
    search: Search,
    scorer: Scorer,
    names: tuple[str, ...],
    choose: object,
    **identity: Any,
) -> Result:
    """Return the result of a run; ``identity`` is what the run does not know: seed, version, ..."""
    archive = outcome.archive
    rows = outcome.answers
    row, equal = _answer(outcome, search, scorer, rows, choose)
    mask = archive.masks(np.array([row]))[0]
    folds = archive.scores.folds
    chosen = None if folds is None else [float(f) for f in folds[row]]
    cost = float(archive.space.cost(archive.candidates[[row]])[0])
    verdict = outcome.verdict
    optimal = bool(verdict is not None and verdict.optimal)
    short = _falls_short(search, scorer, float(archive.scores.value[row]))
    bound = _bound(outcome, search, optimal, cost)
    others = [[names[j] for j in np.flatnonzero(m)] for m in archive.masks(equal[:KEPT_EQUALS])]
    return Result(
        features=[names[j] for j in np.flatnonzero(mask)],
        support=mask,
        names=list(names),
        score=float(archive.scores.value[row]),
        score_std=None if chosen is None else float(np.std(chosen, ddof=1)),
        folds=chosen,
        search=search.name,
        optimal=optimal,
        bound=bound,
        gap=_gap(outcome, bound, cost, float(archive.scores.value[row])),
        evaluations=outcome.evaluations,
        generations=len(outcome.history),
        history=_with_best_folds(outcome),
        archive=_described(archive, _best_rows(archive)),
        stopped=outcome.reason.text
        + ("; no subset reached the threshold by then" if short else ""),
        stop_kind=outcome.reason.kind,
        partial=(outcome.reason.kind.partial and not _started_again(outcome, search)) or short,
        ties=len(equal),
        alternatives=others,
        seconds=outcome.seconds,
        cost=cost,
        front=_described(archive, _front(archive, search)),
        extra={
            **learned_network(search, archive, names),
            **_shared(outcome, names),
            **_weights(archive, row),
            **_by_size(outcome),
            **_curve(outcome),
            **_ranking(outcome),
        },
        **identity,
    )


def _curve(outcome: Outcome) -> Extra:
    """Return the honest curve of score against size, where the search has one."""
    verdict = outcome.verdict
    if verdict is None or verdict.curve is None:
        return {}
    return {"curve": verdict.curve.to_dict()}


def _ranking(outcome: Outcome) -> Extra:
    """Return the positions of the features by rank, where the search ranked them."""
    space, verdict = outcome.archive.space, outcome.verdict
    if verdict is None or verdict.ranking is None or not isinstance(space, Subsets):
        return {}
    return {"ranking": [int(j) for unit in verdict.ranking for j in space.units[unit]]}


def _weights(archive: Archive, row: int) -> Extra:
    """Return the weights of all features, where weights were searched, and k where it was, too."""
    if archive.space.kind not in ("levels", "box"):
        return {}
    weights = archive.space.expand(archive.candidates[[row]])[0].tolist()
    k = archive.scores.goals.get("k")
    return {"weights": weights} if k is None else {"weights": weights, "k": int(k[row])}


def chosen_mask(
    outcome: Outcome, search: Search, scorer: Scorer, choose: object
) -> NDArray[np.bool_]:
    """Return the subset that :func:`conclude` takes as the answer, as a mask over the features."""
    row, _ = _answer(outcome, search, scorer, outcome.answers, choose)
    mask: NDArray[np.bool_] = outcome.archive.masks(np.array([row]))[0]
    return mask


def _answer(
    outcome: Outcome, search: Search, scorer: Scorer, rows: NDArray[np.intp], choose: object
) -> tuple[int, NDArray[np.intp]]:
    """Return the chosen row, and the other rows that are exactly as good and as small."""
    archive = outcome.archive
    if not len(rows) and outcome.reason.kind is StopKind.INTERRUPT:
        raise KeyboardInterrupt
    if not len(rows):
        raise InputError(
            f"No subset that keeps the constraints was scored before the run ended "
            f"({outcome.reason.text}); give it more time, or loosen the constraints."
        )
    told = None if outcome.verdict is None else outcome.verdict.answer
    if told is not None and not search.needs_monotone:
        row = int(archive.rows(archive.space.identities(told[None]))[0])
        return row, _equal(archive, rows, row)
    if search.needs_monotone and scorer.threshold is not None:
        reached = reaching(archive, rows, scorer.threshold)
        if not len(reached):
            # Stopped too early for any answer: what comes nearest, marked as partial.
            row = choose_row(archive, rows, "best")
            return row, np.zeros(0, dtype=np.intp)
        row = int(
            reached[
                Better(archive.space).best(
                    archive.candidates[reached], archive.scores.value[reached]
                )
            ]
        )
        return row, reached[reached != row]
    row = choose_row(archive, rows, choose, search.goal_names())
    return row, _equal(archive, rows, row)


def _falls_short(search: Search, scorer: Scorer, value: float) -> bool:
    """Return whether the search looks for a threshold, and this value does not reach it."""
    threshold = scorer.threshold
    return (
        search.needs_monotone and threshold is not None and value < threshold - SAME_SCORE_TOLERANCE
    )


def _started_again(outcome: Outcome, search: Search) -> bool:
    """Return whether time ended a search that had ended once and was using what was left."""
    if outcome.reason.kind is not StopKind.TIME or not isinstance(search, Restarts):
        return False
    best, g = outcome.history.best, search.patience
    return any(
        max(best[i - g : i]) <= max(best[: i - g]) + SAME_SCORE_TOLERANCE
        for i in range(g + 1, len(best) + 1)
    )


def _shared(outcome: Outcome, names: tuple[str, ...]) -> Extra:
    """Return the features in all smallest subsets, where a search found every one."""
    if outcome.verdict is None or outcome.verdict.shared is None:
        return {}
    mask = outcome.archive.space.expand(outcome.verdict.shared[None])[0]
    return {"in_all_optima": [names[j] for j in np.flatnonzero(mask)]}


def _equal(archive: Archive, rows: NDArray[np.intp], row: int) -> NDArray[np.intp]:
    """Return the other rows with the same value and the same cost."""
    value, cost = archive.scores.value, archive.cost
    same = np.abs(value[rows] - value[row]) <= SAME_SCORE_TOLERANCE
    same &= np.abs(cost[rows] - cost[row]) <= SAME_SCORE_TOLERANCE
    others: NDArray[np.intp] = rows[same & (rows != row)]
    return others


def _bound(outcome: Outcome, search: Search, optimal: bool, cost: float) -> float | None:
    if outcome.bounds.value is not None:
        return float(outcome.bounds.value)
    if not search.needs_monotone:
        return None
    verdict = outcome.verdict
    if verdict is not None and verdict.bound is not None:
        return float(verdict.bound)
    return cost if optimal else float(outcome.bounds.lower)


def _gap(outcome: Outcome, bound: float | None, cost: float, value: float) -> float | None:
    if bound is None:
        return None
    return max(0.0, bound - value if outcome.bounds.value is not None else cost - bound)


def _by_size(outcome: Outcome) -> Extra:
    """Return what the bound is about, and by size the best subset with its bound, where proven."""
    if outcome.bounds.value is None:
        return {}
    told = outcome.bounds.sizes
    if told is None:
        return {"bound_of": "score"}
    archive = outcome.archive
    rows = archive.up_to(None)
    masks = archive.masks(rows)
    sizes, entries = masks.sum(axis=1), []
    for size, value, bound in told:
        own = rows[sizes == size]
        best = archive.best_first(own, 1)[0]
        features = np.flatnonzero(archive.masks(np.array([best]))[0]).tolist()
        proven = bool(bound - value <= 1e-9 * max(1.0, abs(value)))
        entries.append(
            {"size": size, "features": features, "value": value, "bound": bound, "proven": proven}
        )
    return {"bound_of": "score", "sizes": entries}


def _with_best_folds(outcome: Outcome) -> list[GenerationFigures]:
    """Return the history, with the best subset so far of every generation written out."""
    entries = outcome.history.entries
    rows = [entry.pop("best_row") for entry in entries]
    different = np.array(sorted({row for row in rows if row is not None}), dtype=np.intp)
    masks = outcome.archive.masks(different) if len(different) else ()
    features = {
        row: np.flatnonzero(mask).tolist()
        for row, mask in zip(different.tolist(), masks, strict=True)
    }
    for entry, row in zip(entries, rows, strict=True):
        entry["best_features"] = None if row is None else features[row]
    return cast(list[GenerationFigures], entries)


def _best_rows(archive: Archive) -> NDArray[np.intp]:
    return archive.best_first(archive.up_to(None), KEPT_SUBSETS)


def _front(archive: Archive, search: Search) -> NDArray[np.intp]:
    """Return the subsets that none beats in all goals; of those equal in all goals, the best."""
    rows = archive.up_to(None)
    goals = search.goal_names()
    matrix = _goals(archive, rows, goals)
    first, group = _equal_rows(np.round(matrix, 12))
    front = np.flatnonzero(non_dominated(matrix[first]))
    equals = (rows[group == g] for g in front)
    best = np.array([archive.best_first(same, 1)[0] for same in equals], dtype=np.intp)
    return best[np.lexsort((best, archive.cost[best]))]


def _equal_rows(matrix: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first of each set of equal rows, and the number of the set of each row.

    As ``numpy.unique`` with ``axis=0``, which compares rows several times slower.
    """
    order = np.lexsort(matrix.T[::-1])
    ordered = matrix[order]
    begins = np.ones(len(matrix), dtype=bool)
    begins[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    group = np.empty(len(matrix), dtype=np.intp)
    group[order] = np.cumsum(begins) - 1
    return order[begins], group


def _goals(archive: Archive, rows: NDArray[np.intp], goals: Sequence[str]) -> NDArray[np.float64]:
    """Return one column per goal; value and cost, which every result shows, need no candidate."""
    if tuple(goals) == VALUE_AND_COST:
        return np.column_stack([-archive.scores.value[rows], archive.cost[rows]])
    return goal_matrix(archive.space, archive.candidates[rows], archive.scores.take(rows), goals)


def _described(archive: Archive, rows: NDArray[np.intp]) -> list[ScoredSubset]:
    """Describe rows of the archive as plain entries, computed for all of them together."""
    masks, scores = archive.masks(rows), archive.scores.take(rows)
    sizes = masks.sum(axis=1).tolist()
    features = np.nonzero(masks)[1].tolist()
    columns: dict[str, list[Any]] = {
        "value": scores.value.tolist(),
        "size": sizes,
        "cost": archive.cost[rows].tolist(),
        "generation": archive.generation[rows].tolist(),
    }
    if scores.folds is not None:
        columns["std"] = np.std(scores.folds, axis=1, ddof=1).tolist()
    entries = []
    start = 0
    for size, line in zip(sizes, zip(*columns.values(), strict=True), strict=True):
        own = features[start : start + size]
        entries.append({"features": own, **dict(zip(columns, line, strict=True))})
        start += size
    for name, goal in (scores.goals or {}).items():
        for entry, value in zip(entries, goal.tolist(), strict=True):
            entry.setdefault("goals", {})[name] = value
    return cast(list[ScoredSubset], entries)
