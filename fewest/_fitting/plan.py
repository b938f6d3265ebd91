"""What fit, score_subsets and validate start from: a measure and the table it is for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config

from .._errors import MismatchError
from .._parameters import streams
from .._run.choose import score_all_features
from .._run.conclude import chosen_mask
from .._run.events import Stopwatch
from .._run.journal import Journal
from .._run.loop import Outcome, Run
from .._run.result_format import METRIC_NOTE, Extra
from .._run.stop_rules import Stop
from .._run.versions import object_text
from .._version import __version__
from ..data._as_table import as_table, checked_task, refuse_unclear
from ..data._dataset import features_and_target
from ..data._feature_names import Features
from ..data._table import Table, checked_weights
from ..measures._default import check_rows, compare_models, default_estimator
from ..measures._measure import Measure, Scorer
from ..measures._measure_names import resolve_measure
from ..measures._wrappers.cross_validated import CrossValidated
from ..measures._wrappers.splits import FOLDS
from ..search._search import Search
from ..search._spaces.space import Space

#: Tells which features of a table may be chosen.
Allowed = Callable[[Table], NDArray[np.bool_]]
#: Another score than accuracy is used where the largest class is so many times the smallest that
#: has a row in every fold.
IMBALANCE = 4.0
#: A class has some rows in every fold where it has so many, unless groups or time make the folds.
ENOUGH_ROWS, FOLDING = 20, {"groups", "time"}


@dataclass(frozen=True)
class Problem:
    """Measure, the table to bind it to, and what was decided on the way."""

    measure: Measure
    table: Table
    notes: tuple[str, ...] = ()
    told: Extra = field(default_factory=Extra)
    #: The table outside memory of which ``table`` is a sample, if it is one.
    stored: Any = None


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
    allowed: Allowed | None = None,
    watch: Stopwatch | None = None,
    rows: bool = False,
) -> Problem:
    """Return the problem behind data and a measure; ``measure="auto"`` is picked from the table.

    Metadata that neither the measure reads nor ``read_elsewhere`` names is refused. ``allowed``
    tells which features of a table the models of ``measure="auto"`` are compared with. The
    seconds of reading and comparing are noted on ``watch``.
    """
    task = checked_task(task)
    X, y = features_and_target(X, y)
    if _is_auto(measure):
        if task is None:
            refuse_unclear(y)
    else:
        measure = resolve_measure(measure, cv=cv, scoring=scoring)
        measure.check_parameters()
        task = _agreed(task, measure)
    watch = watch or Stopwatch()
    table = as_table(X, y, nominal=nominal, metadata=metadata, task=task)
    watch.note("reading")
    problem = problem_of(table, measure, cv=cv, scoring=scoring, allowed=allowed)
    watch.note("models")
    if table.n_targets > 1 and not isinstance(problem.measure, CrossValidated):
        raise MismatchError(
            f"`y` must be one column (y should be a 1d array) for the measure "
            f"`{problem.measure.title}`, but has {table.n_targets}: select for one target at a "
            "time, or use an estimator that predicts several."
        )
    if not table.in_memory:
        problem = _sampled(problem, rows)
    problem.measure.check_metadata([name for name in table.metadata if name not in read_elsewhere])
    return problem


#: Said of a sample.
SAMPLED = (
    "{} needs rows in memory, so a stratified sample was used: {:,} of the {:,} rows of the table."
)


def _sampled(problem: Problem, rows: bool) -> Problem:
    """Return the problem of a sample, where a model cannot be scored by scans or needs ``rows``."""
    from ..measures._wrappers.scanned import has_sums

    measure, table = problem.measure, problem.table
    if measure.estimator is None or (has_sums(measure.estimator) and not rows):
        measure.check_scans()
        return problem
    from ..data._engine.samples import draw_sample

    sample = draw_sample(table)  # type: ignore[arg-type]
    who = "The search `path`" if rows else f"The model {measure.title}"
    note = SAMPLED.format(who, sample.n_rows, table.n_rows)
    return replace(problem, table=sample, stored=table, notes=(*problem.notes, note))


def _agreed(task: str | None, measure: Measure) -> str | None:
    """Return the task that the user declares and the one that the measure is for, if they agree."""
    if task == "classification" and measure.task == "regression":
        raise MismatchError(
            f'`task` must be "regression" for `{measure.title}`, which predicts numbers, but is '
            '"classification"; use a classifier.'
        )
    return task or measure.task


def problem_of(
    table: Table, measure: Any, *, cv: Any, scoring: Any, allowed: Allowed | None = None
) -> Problem:
    """Return the problem behind a table that was read already."""
    if not _is_auto(measure):
        return Problem(resolve_measure(measure, cv=cv, scoring=scoring), table)
    if not table.in_memory or table.n_targets > 1:
        picked = default_estimator(table)
        return Problem(resolve_measure(picked, cv=cv, scoring=scoring), table)
    mask = np.ones(table.n_features, dtype=bool) if allowed is None else allowed(table)
    if allowed is not None and isinstance(cv, str):
        check_rows(table, scoring)  # Only before a run: a fingerprint must not describe the rows.
    fair = fair_metric(table) if scoring is None else None
    scoring = scoring if fair is None else fair[0]
    found = compare_models(table, mask, cv=cv, scoring=scoring)
    percent = table.classes is not None and scoring in (None, "accuracy", "balanced_accuracy")
    loss = isinstance(scoring, str) and scoring.startswith("neg_")
    notes: tuple[str, ...] = (found.why(percent, loss),) if found.scores else ()
    notes += () if fair is None else (fair[1],)
    picked = resolve_measure(found.estimator, cv=cv, scoring=scoring)
    return Problem(picked, table, notes, {"models": found.to_dict()} if found.scores else {})


def with_metric(problem: Problem, measure: Any, scoring: Any) -> Problem:
    """Return the problem with a score that fits classes of very different size.

    ``measure`` and ``scoring`` are as the user gave them: a measure by name or with parameters
    keeps its own score.
    """
    own = problem.measure
    free = scoring is None and not isinstance(measure, str | Measure)
    if not free or not isinstance(own, CrossValidated) or own.scoring is not None:
        return problem
    fair = fair_metric(problem.table, own.estimator)
    if fair is None:
        return problem
    metric, why = fair
    return replace(problem, measure=replace(own, scoring=metric), notes=(*problem.notes, why))


def fair_metric(table: Table, estimator: Any = None) -> tuple[str, str] | None:
    """Return a metric for classes of very different size and why, or None where accuracy fits."""
    # Where metadata are routed, a scorer requests its own, and nobody has made a request for this.
    routed = get_config()["enable_metadata_routing"] and bool(table.metadata)
    if table.classes is None or not table.in_memory or table.n_targets > 1 or routed:
        return None
    counts = np.bincount(table.target, _weights(table), table.n_classes)
    rows = np.bincount(table.target, minlength=table.n_classes)
    # A class of a few rows, such as a misspelt label, must not decide for the others.
    common = rows >= FOLDS if (rows >= FOLDS).sum() > 1 else counts > 0
    if counts.max() <= IMBALANCE * counts[common].min():
        return None
    metric = _metric(estimator, table)
    share, label = counts.max() / counts.sum(), table.classes[int(counts.argmax())]
    return metric, (
        f"{METRIC_NOTE} {metric} because {share:.0%} of the rows are of class {label!s}: "
        f'a model that always predicts it has that accuracy. scoring="accuracy" takes it anyway.'
    )


def _weights(table: Table) -> Any:
    return checked_weights(table.metadata.get("sample_weight"), table.n_rows)


def _metric(estimator: Any, table: Table) -> str:
    """ROC AUC where a model ranks the rows of two classes and every fold has some of both."""
    able = ("predict_proba", "decision_function")
    ranks = estimator is None or any(hasattr(estimator, name) for name in able)
    enough = np.bincount(table.target).min() >= ENOUGH_ROWS and not set(table.metadata) & FOLDING
    return "roc_auc" if ranks and enough and table.n_classes == 2 else "balanced_accuracy"


def _is_auto(measure: Any) -> bool:
    return isinstance(measure, str) and measure == "auto"


@dataclass(frozen=True, eq=False)
class Plan:
    """Plan of a run: what is searched, how, by which measure, until when, from which seed."""

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
        """Return the subset that a run of this plan ends with."""
        return chosen_mask(outcome, self.search, self.scorer, self.choose)

    def told(self, outcome: Outcome) -> Extra:
        """Return what else the result should tell of a run of this plan."""
        del outcome
        return {}

    def on_table(self, table: Table) -> Self:
        """Return the same plan for other rows: the measure makes its folds anew."""
        for_folds, _ = streams(self.seed)
        return replace(self, table=table, scorer=self.measure.bind(table, for_folds))

    @property
    def identity(self) -> dict[str, Any]:
        """Return what makes two runs the same run."""
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
        """Return the first line of a journal of this plan."""
        return {**self.identity, **self.space.layout(self.table.names)}
