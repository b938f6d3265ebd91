"""What verbs that search share: from data to a run, a result, and what they tell of it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from .._errors import MismatchError
from .._interrupts import ending_in_order, partial_is_welcome, shielded
from .._parameters import BaseEstimator, MetaEstimatorMixin, seed_of, streams
from .._run.choose import check_choice
from .._run.conclude import conclude
from .._run.events import Listener, ProgressBar, Stopwatch, compiling
from .._run.journal import Journal, has_lines, read_lines
from .._run.loop import Outcome
from .._run.result import Result
from .._run.result_format import Extra
from .._run.stop_rules import Seconds, Stop, resolve_stop, seconds_of
from .._run.versions import versions
from .._run.views import view
from .._version import __version__
from .._workers import THREADED_ROWS, one_thread
from ..data._dataset import features_and_target
from ..data._feature_names import Features
from ..data._table import Table
from ..measures._description_length import MDL, MDLFS
from ..measures._measure import Measure, Scorer
from ..measures._wrappers.cross_validated import CrossValidated
from ..measures._wrappers.racing import told_of_race
from ..search._auto import Guidelines
from ..search._search import Search
from ..search._search_names import resolve_search
from .parameter_table import check_options
from .plan import Plan, Problem, make_problem, problem_of, with_metric
from .requests import (
    CallbackListener,
    CallbackSupport,
    checked_frame,
    given_metadata,
    remember_names,
    selector_routing,
    with_callbacks,
)

#: A result keeps so many findings of each kind.
MOST_KEPT = 20
#: The note of a result that was found before an interrupt.
CUT_SHORT = "An interrupt came after the search: the checks that follow it are not complete."


class SearchVerb(CallbackSupport, MetaEstimatorMixin, BaseEstimator):
    """Base of the estimators whose ``fit`` is a search over candidates.

    A subclass has the parameters ``measure``, ``search``, ``stop``, ``choose``, ``cv``,
    ``scoring``, ``n_jobs``, ``journal``, ``random_state`` and ``verbose``, and says which space
    it searches.
    """

    measure: Any
    search: Any
    stop: Any
    choose: Any
    cv: Any
    scoring: Any
    n_jobs: Any
    journal: Any
    random_state: Any
    verbose: int

    @abstractmethod
    def _space(self, table: Table) -> tuple[Any, list[str]]:
        """Return the candidates that are searched, and what was seen in the table."""

    @abstractmethod
    def _recommend(
        self, measure: Measure, table: Table, space: Any, scorer: Scorer
    ) -> tuple[Search, str]:
        """Return the search of ``search="auto"``, and the sentence that says why."""

    def _bind(self, measure: Measure, table: Table, space: Any, rng: np.random.Generator) -> Scorer:
        """Return the measure bound to what the search can reach of the table."""
        del space
        return measure.bind(table, rng)

    def _allowed(self, table: Table) -> NDArray[np.bool_]:
        """Return which features may be chosen."""
        return np.ones(table.n_features, dtype=bool)

    def _measure(self) -> Any:
        """Return the measure as :func:`~fewest._fitting.plan.make_problem` takes it."""
        return self.measure

    def _rules(self, search: Search) -> tuple[Stop, ...]:
        """Return the stop rules."""
        return resolve_stop(self.stop, search.generational and not search.ends)

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        target: str | None = None,
        nominal: Features | None = None,
        task: str | None = None,
        **metadata: Any,
    ) -> Self:
        """Search the candidates over the features of ``X``.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
            Or a table outside memory: what :func:`fewest.load` returned for files or a database,
            an Ibis table, a polars LazyFrame, an Arrow data set. Its rows are read in scans.
        y : array of shape (n_samples,)
            Or the name of a column of ``X``; a data set of fewest brings its own.
        target : str
            Instead of ``y``: the column of ``X`` to predict.
        nominal : numeric columns to treat as categories, as for ``include``
        task : "classification", "regression" or "auto"
            What whole numbers in ``y`` are: classes, or amounts. By default their values tell.
        **metadata : ``groups``, ``time``, ``sample_weight``, ...
            One value per row. Rows of a group (a patient) are never on both sides of a fold. With
            ``time``, folds are windows, each tested by a model of earlier rows. A row counts as
            often as its ``sample_weight`` says, in training and in the score. With scikit-learn's
            metadata routing enabled, estimator and scorer get what they request. For a table
            outside memory, ``sample_weight`` is the name of a column.
        """
        watch = self._watch()
        self._target_column = y if isinstance(y, str) else target
        X, y = features_and_target(X, y, target)
        X = checked_frame(self, X, y)
        problem = make_problem(
            X,
            y,
            self._measure(),
            cv=self.cv,
            scoring=self.scoring,
            nominal=nominal,
            metadata=given_metadata(self, metadata),
            allowed=self._allowed,
            task=task,
            watch=watch,
            rows=self._needs_rows,
        )
        remember_names(self, problem.table if problem.stored is None else problem.stored)
        before = getattr(self, "result_", None)
        try:
            with one_thread(problem.table.n_rows < THREADED_ROWS):
                plan = self._audited(problem, self._run(problem, watch), watch)
                watch.note("audit")
                self._note_findings(plan)
                watch.note("checking")
                self._explain(plan)
                watch.note("evidence")
                self._refit(problem)
                watch.note("training")
                self.result_.extra["phase_seconds"] = watch.phases
        except KeyboardInterrupt:
            if not partial_is_welcome() or getattr(self, "result_", None) is before:
                raise
            self.result_.notes.append(CUT_SHORT)
        return self

    @with_callbacks
    def fit_table(self, table: Table) -> Self:
        """Search the candidates over the features of a table that was read already.

        :func:`fewest.validate` reads the data once and fits on the rows of each training part.
        No model is fitted on the chosen features.
        """
        self.n_features_in_: int = table.n_features
        watch = self._watch()
        given = {"cv": self.cv, "scoring": self.scoring, "allowed": self._allowed}
        self._run(problem_of(table, self._measure(), **given), watch)
        return self

    def _watch(self) -> Stopwatch:
        check_options(self.get_params(deep=False))
        compiling.announces = self.verbose > 0
        return Stopwatch()

    def plan(self, problem: Problem) -> Plan:
        """Return everything that a run over this problem needs, before its first score."""
        check_choice(self.choose)
        problem = with_metric(problem, self.measure, self.scoring)
        measure, table = problem.measure, problem.table
        measure = _racing(measure) if getattr(self, "racing", False) else measure
        space, seen = self._space(table)
        seed = self._seed()
        for_folds, _ = streams(seed)
        if isinstance(self.search, Search):
            self.search.check_parameters()
        scorer = self._bind(measure, table, space, for_folds)
        search, why = self._search(measure, table, space, scorer)
        rules = self._rules(search)
        notes = [*problem.notes, *why, *seen, *scorer.notes]
        # The workers of a table outside memory read its rows; one process asks them.
        n_jobs = self.n_jobs if table.in_memory else None
        return Plan(table, measure, scorer, search, space, rules, self.choose, seed, n_jobs, notes)

    def _run(self, problem: Problem, watch: Stopwatch, recorded: bool = True) -> Plan:
        plan = self.plan(problem)
        watch.note("folds")
        search = plan.search
        path = self.journal if recorded else None
        journal: Journal | None = None
        # Only the search itself is interruptible: from its end to the result, interrupts wait.
        with ending_in_order(), shielded():
            try:
                journal = None if path is None else Journal(path, plan.header)
                outcome = plan.run(journal=journal, listeners=self._listeners(plan.rules, search))
                watch.note("search")
            finally:
                if journal is not None:
                    journal.close()
            self._conclude(plan, outcome, watch, problem.told)
        return plan

    def _conclude(self, plan: Plan, outcome: Outcome, watch: Stopwatch, told: Extra) -> None:
        """Make the result of a run that has ended; an interrupt waits until it is there."""
        measure, search = plan.measure, plan.search
        result = conclude(
            outcome,
            search,
            plan.scorer,
            plan.table.names,
            self.choose,
            measure=measure.title,
            seed=plan.seed,
            version=__version__,
            notes=[*plan.notes, *_raced(outcome), *_without_score(outcome)],
            settings={**plan.identity, "versions": versions()},
        )
        result.extra.update(plan.told(outcome))
        result.extra.update(told)
        result.extra["operations"] = plan.scorer.operations * outcome.evaluations
        result.extra["excluded"] = [int(j) for j in getattr(self, "_excluded", ())]
        scoring = getattr(measure, "scoring", None)
        self.result_: Result = replace(
            result,
            notes=[*result.notes, *_about_none(result, measure)],
            honest=view("honest", result, scoring=scoring, table=plan.table),
            left_out=measure.left_out(plan.table, result.support),
            # With the preparation, for which the user waits as well.
            seconds=watch.seconds,
        )
        self._publish(measure, search)
        watch.note("honest")

    def _audited(self, problem: Problem, plan: Plan, watch: Stopwatch) -> Plan:
        """Check the scores of the run; return the plan of the run that counts."""
        del problem, watch
        return plan

    def _note_findings(self, plan: Plan) -> None:
        """Put what is wrong with the table into the result: serious findings first."""
        found, names = plan.table.check(), plan.table.names
        self.result_.extra["check"] = found.to_dict(most=MOST_KEPT)
        if getattr(plan.measure, "scoring", None) not in (None, "accuracy"):
            # The remedy was taken, by the user or by the choice of the metric, which has a note.
            found = replace(found, findings=tuple(f for f in found if f.kind != "imbalance"))
        left_out = [names[j] for j in getattr(plan.space, "exclude", ())]
        serious, others = (found.notes((s,), left_out) for s in ("serious", "warning"))
        self.result_.notes[:] = [*serious, *self.result_.notes, *others]
        if plan.table.in_memory:
            missing = plan.table.missing_counts
            told = {names[j]: int(missing[j]) for j in np.flatnonzero(missing)}
            self.result_.extra["missing"] = told
        costs = getattr(plan.space, "costs", None)
        if costs is not None:
            self.result_.extra["costs"] = [float(cost) for cost in costs]

    def _explain(self, plan: Plan) -> None:
        """Add to the result when the search is over."""
        del plan

    def _refit(self, problem: Problem) -> None:
        """Finish ``fit`` after the search."""
        del problem

    #: Whether the search needs rows of a table outside memory, not only sums over them.
    _needs_rows = False

    def _publish(self, measure: Measure, search: Search) -> None:
        self.measure_: Measure = measure
        self.search_: Search = search
        self.support_: NDArray[np.bool_] = self.result_.support
        self.score_: float = self.result_.score
        folds = self.result_.folds
        self.fold_scores_: NDArray[np.float64] | None = None if folds is None else np.array(folds)

    def _search(
        self, measure: Measure, table: Table, space: Any, scorer: Scorer
    ) -> tuple[Search, list[str]]:
        if isinstance(self.search, str) and self.search == "auto":
            search, why = self._recommend(measure, table, space, scorer)
            return search, [why]
        if isinstance(self.search, str) and self.search == "guidelines":
            search, why = Guidelines().search(measure, space, seconds_of(self.stop))
            return search, [why]
        if isinstance(self.search, Guidelines):
            search, why = self.search.search(measure, space, seconds_of(self.stop))
            return search, [why]
        return resolve_search(self.search), []

    def _seed(self) -> int:
        """Return the seed; a journal that is to go on brings its own unless one is given."""
        if self.random_state is None and self.journal is not None and has_lines(self.journal):
            return int(read_lines(self.journal)[0][0]["seed"])
        return seed_of(self.random_state)

    def _listeners(self, rules: tuple[Stop, ...], search: Search) -> list[Listener]:
        listeners: list[Listener] = [CallbackListener(self)]
        if self.verbose:
            budget = next((r.most for r in rules if isinstance(r, Seconds)), None)
            listeners.append(ProgressBar(search.name, budget))
        return listeners

    def get_metadata_routing(self) -> Any:
        """Return where ``fit`` sends its metadata: to the splitter, the estimator, the scorer."""
        return selector_routing(self)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _racing(measure: Measure) -> Measure:
    """Return the measure with racing; only cross-validated scores have folds to stop after."""
    if not isinstance(measure, CrossValidated):
        raise MismatchError(
            "`racing` must go with an estimator, whose folds can stop early, but the measure is "
            f"`{measure.title}`; leave it out."
        )
    return replace(measure, racing=True)


def _raced(outcome: Outcome) -> list[str]:
    scores = outcome.archive.scores
    return [] if scores.folds is None else told_of_race(scores.goals, scores.folds.shape[1])


def _about_none(result: Result, measure: Measure) -> list[str]:
    """Return a note where no feature at all is the answer, or would be a better one."""
    if not result.features:
        return ["No feature was chosen: no subset scores more than no feature at all."]
    if isinstance(measure, MDL | MDLFS) and result.score < 0:
        return ["No feature at all would score more (0); `min_features=0` allows that answer."]
    return []


def _without_score(outcome: Outcome) -> list[str]:
    """Return a note that counts the subsets which could not be trained or scored."""
    values = outcome.archive.scores.value
    lost = int(np.isnan(values).sum())
    if not lost:
        return []
    return [
        f"{lost:,} of {len(values):,} subsets have no score, because the model could not be "
        "trained or scored on them."
    ]
