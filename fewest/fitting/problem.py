"""What fit, score_subsets and validate start from: a measure and the table it is for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..data.build import as_table, checked_task, refuse_unclear
from ..data.feature_names import Features
from ..data.table import Table
from ..errors import MismatchError
from ..measures.auto import recommend_measure
from ..measures.base import Measure
from ..measures.registry import resolve_measure
from ..measures.wrappers.cross_validated import CrossValidated


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


def _is_auto(measure: Any) -> bool:
    return isinstance(measure, str) and measure == "auto"
