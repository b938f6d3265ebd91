"""Everything that a run needs, decided before its first score: fits and replays start from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .._errors import MismatchError
from .._run.choose import score_all_features
from .._run.conclude import chosen_mask
from .._run.journal import Journal
from .._run.loop import Outcome, Run
from .._run.stop_rules import Stop
from .._run.versions import object_text
from .._seeds import streams
from .._version import __version__
from ..data._as_table import as_table, refuse_unclear
from ..data._feature_names import Features
from ..data._table import Table
from ..measures._default import recommend_measure
from ..measures._measure import Measure, Scorer
from ..measures._measure_names import resolve_measure
from ..measures._wrappers.cross_validated import CrossValidated
from ..search._search import Search
from ..search._spaces.space import Space


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
    read_elsewhere: Collection[str] = (),
) -> Problem:
    """The problem behind data and a measure; ``measure="auto"`` is picked from the table.

    Metadata that neither the measure reads nor ``read_elsewhere`` names is refused.
    """
    task = None
    if _is_auto(measure):
        refuse_unclear(y)
    else:
        measure = resolve_measure(measure, cv=cv, scoring=scoring)
        measure.check_parameters()
        task = measure.task
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


def problem_of(table: Table, measure: Any, *, cv: Any, scoring: Any) -> Problem:
    """The problem behind a table that was read already."""
    if not _is_auto(measure):
        return Problem(resolve_measure(measure, cv=cv, scoring=scoring), table)
    name, why = recommend_measure(table)
    return Problem(resolve_measure(name, cv=cv, scoring=scoring), table, (why,))


def _is_auto(measure: Any) -> bool:
    return isinstance(measure, str) and measure == "auto"


@dataclass(frozen=True, eq=False)
class Plan:
    """What is searched, how, by which measure, until when, and from which seed."""

    table: Table
    measure: Measure
    scorer: Scorer
    search: Search
    space: Space
    rules: tuple[Stop, ...]
    choose: object
    seed: int
    n_jobs: int | str | None = None
    notes: list[str] = field(default_factory=list)

    def run(self, *, journal: Journal | None = None, **options: Any) -> Outcome:
        """Run the search from its seed; ``options`` are those of the run, such as listeners."""
        settings: dict[str, Any] = {
            "stop": self.rules, "n_rows": self.table.n_rows, "n_jobs": self.n_jobs,
            "journal": journal,
        }  # fmt: skip
        _, for_search = streams(self.seed)
        run = Run(self.search, self.scorer, self.space, for_search, **settings, **options)
        outcome = run.go()
        if self.choose == "safe":
            score_all_features(outcome.archive, self.scorer)
        return outcome

    def chosen(self, outcome: Outcome) -> NDArray[np.bool_]:
        """The subset that a run of this plan ends with."""
        return chosen_mask(outcome, self.search, self.scorer, self.choose)

    def told(self, outcome: Outcome) -> dict[str, Any]:
        """What else the result should tell of a run of this plan."""
        del outcome
        return {}

    def on_table(self, table: Table) -> Self:
        """The same plan for other rows: the measure makes its folds anew."""
        for_folds, _ = streams(self.seed)
        return replace(self, table=table, scorer=self.measure.bind(table, for_folds))

    @property
    def identity(self) -> dict[str, Any]:
        """What makes two runs the same run."""
        return {
            "data": self.table.fingerprint,
            "rows": self.table.n_rows,
            "search": object_text(self.search),
            "measure": object_text(self.measure),
            "space": object_text(self.space),
            "space_kind": self.space.kind,
            "stop": [repr(rule) for rule in self.rules],
            "seed": self.seed,
            "version": __version__,
        }

    @property
    def header(self) -> dict[str, Any]:
        """The first line of a journal of this plan."""
        return {**self.identity, **self.space.layout(self.table.names)}
