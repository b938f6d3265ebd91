"""What fit, score_subsets and validate start from: a measure and the table it is for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.build import as_table, refuse_unclear
from ..data.feature_names import Features
from ..data.table import Table
from ..errors import MismatchError
from ..measures.auto import compare_models, default_estimator
from ..measures.base import Measure
from ..measures.registry import resolve_measure
from ..measures.wrappers.cross_validated import CrossValidated

#: Tells which features of a table may be chosen.
Allowed = Callable[[Table], NDArray[np.bool_]]


@dataclass(frozen=True)
class Problem:
    """A measure, the table to bind it to, and what was decided on the way."""

    measure: Measure
    table: Table
    notes: tuple[str, ...] = ()
    told: dict[str, Any] = field(default_factory=dict)


def make_problem(
    X: Any,
    y: Any,
    measure: Any,
    *,
    cv: Any = "auto",
    scoring: Any = None,
    nominal: Features | None = None,
    metadata: Mapping[str, Any] | None = None,
    read_elsewhere: Collection[str] = (),
    allowed: Allowed | None = None,
) -> Problem:
    """The problem behind data and a measure; ``measure="auto"`` is picked from the table.

    Metadata that neither the measure reads nor ``read_elsewhere`` names is refused. ``allowed``
    tells which features of a table the models of ``measure="auto"`` are compared with.
    """
    task = None
    if _is_auto(measure):
        refuse_unclear(y)
    else:
        measure = resolve_measure(measure, cv=cv, scoring=scoring)
        measure.check_parameters()
        task = measure.task
    table = as_table(X, y, nominal=nominal, metadata=metadata, task=task)
    problem = problem_of(table, measure, cv=cv, scoring=scoring, allowed=allowed)
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


def problem_of(
    table: Table, measure: Any, *, cv: Any, scoring: Any, allowed: Allowed | None = None
) -> Problem:
    """The problem behind a table that was read already."""
    if not _is_auto(measure):
        return Problem(resolve_measure(measure, cv=cv, scoring=scoring), table)
    if not table.in_memory or table.n_targets > 1:
        picked = default_estimator(table)
        return Problem(resolve_measure(picked, cv=cv, scoring=scoring), table)
    mask = np.ones(table.n_features, dtype=bool) if allowed is None else allowed(table)
    found = compare_models(table, mask, cv=cv, scoring=scoring)
    percent = table.classes is not None and scoring in (None, "accuracy", "balanced_accuracy")
    notes = (found.why(percent),) if found.scores else ()
    picked = resolve_measure(found.estimator, cv=cv, scoring=scoring)
    return Problem(picked, table, notes, {"models": found.to_dict()} if found.scores else {})


def _is_auto(measure: Any) -> bool:
    return isinstance(measure, str) and measure == "auto"
