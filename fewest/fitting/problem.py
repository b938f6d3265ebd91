"""What every verb starts from: the measure that was meant, and the table it is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier, is_regressor

from ..data.build import as_table
from ..data.feature_names import Features
from ..data.table import Table
from ..measures.auto import recommend_measure
from ..measures.base import Measure
from ..measures.registry import resolve_measure


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
) -> Problem:
    """The problem behind data and a measure; ``measure="auto"`` is picked from the table."""
    if isinstance(measure, str) and measure == "auto":
        table = as_table(X, y, nominal=nominal, metadata=metadata)
        name, why = recommend_measure(table)
        return Problem(resolve_measure(name, cv=cv, scoring=scoring), table, (why,))
    resolved = resolve_measure(measure, cv=cv, scoring=scoring)
    resolved.check_parameters()
    table = as_table(X, y, nominal=nominal, metadata=metadata, task=_task(resolved))
    return Problem(resolved, table)


def _task(measure: Measure) -> str | None:
    """Whether the target must be classes, or numbers, or whatever it looks like."""
    estimator = getattr(measure, "estimator", None)
    if estimator is not None and is_regressor(estimator):
        return "regression"
    if measure.needs_classes and (estimator is None or is_classifier(estimator)):
        return "classification"
    return None
