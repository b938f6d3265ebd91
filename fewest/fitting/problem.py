"""What fit, score_subsets and validate start from: a measure and the table it is for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn import get_config

from ..data.build import as_table, checked_task, refuse_unclear
from ..data.feature_names import Features
from ..data.table import Table
from ..data.weights import checked_weights
from ..errors import MismatchError
from ..measures.auto import recommend_measure
from ..measures.base import Measure
from ..measures.registry import resolve_measure
from ..measures.wrappers.cross_validated import CrossValidated

#: Another score than accuracy is used where the largest class is so many times the smallest.
IMBALANCE = 4.0
#: A class has some rows in every fold where it has so many, unless groups or time make the folds.
ENOUGH_ROWS, FOLDING = 20, {"groups", "time"}


@dataclass(frozen=True)
class Problem:
    """A measure, the table to bind it to, and what was decided on the way."""

    measure: Measure
    table: Table
    notes: tuple[str, ...] = ()


def make_problem(
    X: Any,
    y: Any,
    measure: Any,
    *,
    cv: Any = "auto",
    scoring: Any = None,
    nominal: Features | None = None,
    metadata: Mapping[str, Any] | None = None,
    task: str | None = None,
    read_elsewhere: Collection[str] = (),
) -> Problem:
    """The problem behind data and a measure; ``measure="auto"`` is picked from the table.

    Metadata that neither the measure reads nor ``read_elsewhere`` names is refused.
    """
    task = checked_task(task)
    if _is_auto(measure):
        if task is None:
            refuse_unclear(y)
    else:
        measure = resolve_measure(measure, cv=cv, scoring=scoring)
        measure.check_parameters()
        task = _agreed(task, measure)
    table = as_table(X, y, nominal=nominal, metadata=metadata, task=task)
    problem = problem_of(table, measure, cv=cv, scoring=scoring)
    if table.n_targets > 1 and not isinstance(problem.measure, CrossValidated):
        raise MismatchError(
            f"`y` must be one column (y should be a 1d array) for the measure "
            f"`{problem.measure.title}`, but has {table.n_targets}: select for one target at a "
            "time, or use an estimator that predicts several."
        )
    if not table.in_memory:
        problem.measure.check_scans()
    problem.measure.check_metadata([name for name in table.metadata if name not in read_elsewhere])
    return problem


def _agreed(task: str | None, measure: Measure) -> str | None:
    """The task that the user declares and the one that the measure is for, if they agree."""
    if task == "classification" and measure.task == "regression":
        raise MismatchError(
            f'`task` must be "regression" for `{measure.title}`, which predicts numbers, but is '
            '"classification"; use a classifier.'
        )
    return task or measure.task


def problem_of(table: Table, measure: Any, *, cv: Any, scoring: Any) -> Problem:
    """The problem behind a table that was read already."""
    if not _is_auto(measure):
        return Problem(resolve_measure(measure, cv=cv, scoring=scoring), table)
    name, why = recommend_measure(table)
    return Problem(resolve_measure(name, cv=cv, scoring=scoring), table, (why,))


def with_metric(problem: Problem, measure: Any, scoring: Any) -> Problem:
    """The problem with a score that fits classes of very different size, where none is chosen.

    ``measure`` and ``scoring`` are as the user gave them: a measure by name or with parameters
    keeps its own score.
    """
    own, table = problem.measure, problem.table
    free = scoring is None and (_is_auto(measure) or not isinstance(measure, str | Measure))
    if not free or not isinstance(own, CrossValidated) or own.scoring is not None:
        return problem
    # Where metadata are routed, a scorer requests its own, and nobody has made a request for this.
    routed = get_config()["enable_metadata_routing"] and bool(table.metadata)
    if table.classes is None or not table.in_memory or routed:
        return problem
    counts = np.bincount(table.target, _weights(table), table.n_classes)
    if counts.max() <= IMBALANCE * counts[counts > 0].min():
        return problem
    metric = _metric(own.estimator, table)
    share, label = counts.max() / counts.sum(), table.classes[int(counts.argmax())]
    why = (
        f"Subsets are scored by {metric} because {share:.0%} of the rows are of class {label!s}: "
        f'a model that always says so has that accuracy. scoring="accuracy" takes it anyway.'
    )
    return replace(problem, measure=replace(own, scoring=metric), notes=(*problem.notes, why))


def _weights(table: Table) -> Any:
    return checked_weights(table.metadata.get("sample_weight"), table.n_rows)


def _metric(estimator: Any, table: Table) -> str:
    """ROC AUC where a model ranks the rows of two classes and every fold has some of both."""
    ranks = hasattr(estimator, "predict_proba") or hasattr(estimator, "decision_function")
    enough = np.bincount(table.target).min() >= ENOUGH_ROWS and not set(table.metadata) & FOLDING
    return "roc_auc" if ranks and enough and table.n_classes == 2 else "balanced_accuracy"


def _is_auto(measure: Any) -> bool:
    return isinstance(measure, str) and measure == "auto"
