"""SubsetSelector: feature subset selection as a scikit-learn selector."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from ._errors import InputError
from ._fitting.consensus import AUTO, check_consensus, consensus_plan, picked_consensus
from ._fitting.estimator import SearchVerb
from ._fitting.final_model import SelectedModel, model_tags, wrapped_estimator
from ._fitting.plan import Plan, Problem, make_problem
from ._fitting.screen import bind_narrowed, screen_features, screened_subsets
from ._fitting.stand_ins import find_stand_ins
from ._models.posterior_inclusion import table_evidence
from ._run.events import Stopwatch
from ._run.result import Result
from ._run.stop_rules import seconds_of
from ._run.views import view
from .data._dataset import features_and_target
from .data._table import Table
from .measures._measure import Measure, Scorer
from .measures._speed import Speed, speed_of
from .measures._wrappers.cross_validated import CrossValidated, RepeatedScorer
from .search._auto import Restarts, affords_thousands, follows_paths, recommend_search
from .search._path import Path
from .search._search import Search
from .search._spaces.subsets import Subsets

if TYPE_CHECKING:
    from ._parameters import SelectorMixin
else:
    from sklearn.feature_selection import SelectorMixin

#: The parameters that say which subsets are allowed.
CONSTRAINTS = (
    "include", "exclude", "groups", "costs", "budget", "min_features", "max_features",
)  # fmt: skip

#: Of tables with more rows than the second number, the path looks at so many.
SEEN_ROWS, LARGE_ROWS = 20_000, 50_000
#: The note of a search that uses its time budget.
RESTARTED = (
    "The time budget is used: after 10 generations without an improvement `{}` starts again with "
    "twice the population, until 5 starts in a row find nothing better."
)


class SubsetSelector(SelectedModel, SelectorMixin, SearchVerb):
    """Find a small subset of features by any search over any measure.

    Parameters
    ----------
    measure : estimator, str or Measure, default="auto"
        How a subset is scored: a scikit-learn estimator or pipeline (its cross-validated
        score), a name such as ``"naive-bayes"``, ``"inconsistency"``, ``"mdl-fs"`` (see
        :func:`fewest.list_measures`), or a measure with parameters. ``"auto"`` compares naive
        Bayes, logistic regression, nearest neighbours and gradient boosting (for numbers: ridge
        regression and boosting) with all features, and takes the best, or the cheapest that is as
        good; ``result_.notes`` has their scores.
    search : str or Search, default="auto"
        How subsets are searched: a name such as ``"ebna"``, ``"sfs"``, ``"exact"`` (see
        :func:`fewest.list_searches`), or a search with parameters. ``"guidelines"`` takes the
        one that the source documents would take (``fewest.search.Guidelines(needed=5)`` with
        what is known of the problem); ``"auto"`` follows the cross-fitted path
        (``"path"``) where an honest curve chooses the number of features, else picks one from
        the shape of the table, and says why in ``result_.notes``.
    stop : "auto", None, a rule of ``fewest.stop`` or a list of them
        ``"auto"`` ends searches by generations after 10 generations without an improvement, at
        most 100 in all; others end by themselves.
        ``Significance()`` is the earlier stop of Inza et al. (2000). ``["auto", Seconds(60)]``
        adds a time budget, which searches by generations use: they start again, each time with
        twice the population, until the time is up or five starts in a row find nothing better.
    choose : "fewest", "best", "one-se", "half-se", "safe", "knee", a size or a tolerance
        Which subset is the answer, by default ``"fewest"``: the smallest size that is not worse
        than the best one by more than half a point (for losses: 0.5 % of the loss without
        features), on an honest curve of score against size; no feature and all features are on
        it. A tolerance such as 0.01 takes the place of the half point, and ``"best"`` is the best
        score. A named search without such a curve answers with the best subset that it scored;
        of its subsets, ``"one-se"``, ``"half-se"`` and a tolerance are the smallest within one
        standard error of the best, half of one, or that; a number is the best of a size.
        ``"safe"`` is the smallest that a one-sided test finds not worse than all features, or all
        features where there is none.
    consensus : "auto", None, "archive", "replay" or int, default="auto"
        How features are ranked before the number of them is chosen by the score. ``"archive"``:
        by how often they are in the best subset of each size that the search scored. It costs one
        more subset per feature, and the answer fits the noise of the folds less than the best of
        thousands of subsets. With a number, the search runs on so many random subsamples of 70 %
        of the rows (20 is a good number), and features are ranked by how often the good subsets
        of each sample hold them. The answer depends much less on the rows you happen to have, and
        takes as many searches. ``"replay"`` makes ten replays of the search without a tenth of
        the rows each, on the same folds; it needs an estimator with a fast path. None: no
        ranking, the answer is one of the subsets that the search found. ``"auto"`` is
        ``"archive"`` where ``search="auto"`` picks a search of many subsets for a classifier,
        else None. ``result_.extra["consensus"]`` has the frequencies.
    include, exclude : features
        Features that must be in, and features that must be out. Features that look like
        identifiers or free text (see :func:`fewest.check`) are left out unless you include
        them; ``result_.notes`` names them. Wherever features are chosen
        you can give a name, a position (-1 is the last), a slice of positions or names, a
        compiled regular expression, a function of the name, a mask, or a list of these.
    groups : list of features
        Each entry is a list of features that are selected together or not at all.
    costs : sequence or mapping of features to a cost
        Cost of each feature; those that a mapping does not name cost 1.
    budget : float
        Maximum total cost of a subset.
    min_features : int, default=0
        The smallest size. With 0 the answer may be no feature at all, where no feature helps:
        then ``transform`` returns no columns, and ``predict`` predicts the most frequent class
        or the mean. 1 asks for at least one feature.
    max_features : int, float or "sqrt"
        The largest size: a number, a share of the features between 0 and 1 (rounded down, at
        least 1), or the square root of their number. More than there are means all of them,
        with a warning.
    cv : "auto", int, or splitter
        For estimators. ``"auto"``: stratified 10-fold, repeated until its standard error is
        under 1 %, at most 5 times. A number of folds is not shuffled, as in scikit-learn.
    scoring : str or callable
        For estimators: any scikit-learn scorer. By default the estimator's own score; where the
        largest class has more than four times the rows of the smallest (of those with 10 rows and
        more), ROC AUC for two classes and balanced accuracy for more, unless the measure is given
        by name.
    n_jobs : int, str or None
        Number of workers, or a cluster: ``"dask:tcp://HOST:8786"``, ``"ray://HOST:10001"``. The
        result does not depend on it.
    journal : path
        A file that records every score. After a crash, call ``fit`` again with the same
        arguments and the run continues where it stopped.
    random_state : int, Generator, RandomState or None
    verbose : int
        1 shows a progress bar.
    refit : bool, default=True
        Whether ``fit`` also fits the estimator of the measure on all rows of the chosen features,
        so that the selector predicts. Filters have no estimator, and then no ``predict``.
    racing : bool, default=False
        For estimators without a fast path, such as forests: stop the folds of a subset when it
        cannot catch up with the best subset so far, with a confidence of 99.9 %.
        ``result_.notes`` says how many were dropped; their scores are estimates.
    screen : int or None
        Search only so many features, those that alone tell most about the target: for tables
        with thousands of columns, such as 500. The filter sees only the rows given to ``fit``,
        so that a validation stays honest.
    audit : bool, default=True
        Whether the estimator itself scores the chosen subset and all allowed features on the same
        folds when a fast path was taken: two ordinary cross-validations. Both numbers stand in
        ``result_.audit``. If they differ from the fast scores by more than the stated tolerance,
        the run is repeated with training, and ``result_.notes`` says so.

    Attributes
    ----------
    support_ : bool array of shape (n_features,)
    score_ : float
        The selection score. The search maximised it, so it is optimistic.
        :func:`fewest.validate` estimates the score on new data.
    fold_scores_ : array or None
    result_ : Result
        Everything else: history, archive, ties, why the run stopped. ``result_.evidence`` has the
        probability that each feature is real (:func:`fewest.evidence`), and
        ``result_.extra["stand_ins"]`` which features could replace a chosen one.
    estimator_ : estimator
        The estimator of the measure, fitted on the chosen features (unless ``refit=False``).
        ``predict``, ``predict_proba``, ``predict_log_proba``, ``decision_function``, ``score``
        and ``classes_`` are its own.
    n_features_ : int
    allowed_ : bool array of shape (n_features,)
        The features that could have been chosen: without excluded ones and identifiers.
    ranking_ : int array of shape (n_features,)
        1 for the chosen features. The others follow by the score of the best kept subset that
        contains them.
    cv_results_ : dict of arrays
        One row per scored subset (the best 1000), best first, ready for a data frame:
        ``features``, ``n_features``, ``mean_test_score``, ``std_test_score`` (of the folds, as
        in ``result_``), ``rank_test_score``, ``cost`` and ``generation``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fewest import SubsetSelector
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = SubsetSelector("naive-bayes", search="exhaustive", random_state=0).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['petal width (cm)']
    """

    def __init__(
        self,
        measure: Any = "auto",
        *,
        search: Any = "auto",
        stop: Any = "auto",
        choose: Any = "fewest",
        consensus: Any = "auto",
        include: Any = None,
        exclude: Any = None,
        groups: Any = None,
        costs: Any = None,
        budget: float | None = None,
        min_features: int = 0,
        max_features: float | str | None = None,
        cv: Any = "auto",
        scoring: Any = None,
        n_jobs: int | str | None = None,
        journal: Any = None,
        random_state: Any = None,
        verbose: int = 0,
        refit: bool = True,
        racing: bool = False,
        screen: int | None = None,
        audit: bool = True,
    ) -> None:
        self.measure = measure
        self.search = search
        self.stop = stop
        self.choose = choose
        self.consensus = consensus
        self.include = include
        self.exclude = exclude
        self.groups = groups
        self.costs = costs
        self.budget = budget
        self.min_features = min_features
        self.max_features = max_features
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.journal = journal
        self.random_state = random_state
        self.verbose = verbose
        self.refit = refit
        self.racing = racing
        self.screen = screen
        self.audit = audit

    def _space(self, table: Table) -> tuple[Subsets, list[str]]:
        """Return the subsets that are searched, and what was seen in the table."""
        space = screened_subsets(table, {name: getattr(self, name) for name in CONSTRAINTS})
        self._excluded = space.exclude
        return (space, []) if self.screen is None else screen_features(table, space, self.screen)

    def _allowed(self, table: Table) -> NDArray[np.bool_]:
        allowed = np.ones(table.n_features, dtype=bool)
        allowed[list(self._space(table)[0].exclude)] = False
        return allowed

    def _bind(
        self, measure: Measure, table: Table, space: Subsets, rng: np.random.Generator
    ) -> Scorer:
        if self.screen is None or not space.exclude:
            return measure.bind(table, rng)
        return bind_narrowed(measure, table, space, rng)

    def _recommend(
        self, measure: Measure, table: Table, space: Subsets, scorer: Scorer
    ) -> tuple[Search, str]:
        seconds, operations = seconds_of(self.stop), scorer.operations
        fast = affords_thousands(operations, seconds)
        return recommend_search(
            measure, table.n_rows, space, seconds, operations=operations,
            judges_sizes=self._judges_sizes(fast) and follows_paths(scorer, table),
        )  # fmt: skip

    def _judges_sizes(self, fast: bool) -> bool:
        """Return whether an honest curve is to choose the number of features."""
        if self.consensus not in (AUTO, None):
            return False
        return (
            self.choose == "fewest"
            or isinstance(self.choose, Real)
            or (self.choose == "best" and not fast)
        )

    def _search(
        self, measure: Measure, table: Table, space: Subsets, scorer: Scorer
    ) -> tuple[Search, list[str]]:
        search, notes = super()._search(measure, table, space, scorer)
        return _with_restarts(search, self.stop, notes)

    def explain_speed(self, X: Any, y: Any = None, **data: Any) -> Speed:
        """Return which path the measure takes on a table, why, and what a subset costs.

        Parameters
        ----------
        X, y : the data, as for ``fit``
        **data : ``target``, ``nominal``, ``task`` and metadata, as for ``fit``

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.svm import SVC
        >>> from fewest import SubsetSelector
        >>> print(SubsetSelector(SVC()).explain_speed(*load_iris(return_X_y=True)).why)
        SVC has no fast path, so it is trained for every subset
        """
        X, y = features_and_target(X, y, data.pop("target", None))
        given = {name: data.pop(name, None) for name in ("nominal", "task")}
        given |= {"cv": self.cv, "scoring": self.scoring, "metadata": data}
        problem = make_problem(X, y, self.measure, **given)
        return speed_of(problem.measure, problem.table)

    def plan(self, problem: Problem) -> Plan:
        """Return everything that a run over this problem needs, before its first score."""
        check_consensus(self.consensus)
        plan = super().plan(self.seen(problem))
        if isinstance(plan.search, Path):
            plan = replace(plan, search=plan.search.choosing(self.choose))
            return replace(plan, notes=[*plan.notes, *self._budget(plan)])
        kind = picked_consensus(plan, self.search) if self.consensus == AUTO else self.consensus
        return plan if kind is None else consensus_plan(plan, kind)

    def _budget(self, plan: Plan) -> list[str]:
        """Return how many trainings the path takes at most, where the model has no fast path.

        With ``verbose`` it is also printed before the start.
        """
        scorer = plan.scorer
        if not isinstance(scorer, RepeatedScorer) or scorer.fast:
            return []
        assert isinstance(plan.search, Path)
        most = plan.search.most_trainings(plan.space.n_units, len(scorer.splits))
        note = f"The path takes at most {most:,} trainings of the model."
        if self.verbose:
            print(note, file=sys.stderr)
        return [note]

    def seen(self, problem: Problem) -> Problem:
        """Return the problem with the rows that a run looks at: of many, a stratified sample.

        Only where ``search="auto"`` follows the path and the folds are its own. The model is
        fitted on all rows in the end.
        """
        table, measure = problem.table, problem.measure
        own = isinstance(self.search, str) and self.search == AUTO and measure.estimator is not None
        if isinstance(self.cv, str) and own and table.in_memory and self._judges_sizes(True):
            rows = table.sampled(np.arange(table.n_rows), SEEN_ROWS, 0)
            if table.n_rows > LARGE_ROWS:
                note = f"The path saw a sample of {len(rows):,} of {table.n_rows:,} rows."
                return replace(problem, table=table.take(rows), notes=(*problem.notes, note))
        return problem

    @property
    def allowed_(self) -> NDArray[np.bool_]:
        """Return which features the last fit could have chosen.

        Without those that ``exclude`` names and those that look like identifiers: what a selection
        is compared with when it is compared with all features.
        """
        check_is_fitted(self, "support_")
        allowed = np.ones(len(self.support_), dtype=bool)
        allowed[list(self._excluded)] = False
        return allowed

    def _audited(self, problem: Problem, plan: Plan, watch: Stopwatch) -> Plan:
        """Let the estimator score the answer and all features; repeat the run if it differs."""
        if not self.audit or not plan.table.in_memory or self.result_.partial:
            return plan
        notes = _audit_result(self.result_, plan)
        self.result_.notes.extend(notes)
        if self.result_.audit is None or self.result_.audit["agrees"]:
            return plan
        warnings.warn(notes[-1], UserWarning, stacklevel=4)
        measure = cast(CrossValidated, problem.measure)
        trained = replace(problem, measure=replace(measure, fast=False))
        found = self.result_.audit
        plan = self._run(trained, watch, recorded=False)
        self.result_.notes.extend(notes)
        self.result_.extra["audit"] = found
        return plan

    def _explain(self, plan: Plan) -> None:
        """Add which features are real, what could stand in for them, and recalls or errors."""
        space = plan.space
        if self.result_.honest is not None:
            told = view("held-out", self.result_.curve, scorer=plan.scorer)
            self.result_.honest["held_out"] = told
        # Correlations need rows, and those of a table outside memory stay where they are.
        rows = plan.table.in_memory
        if isinstance(space, Subsets) and rows and not plan.search.needs_monotone:
            stand_ins = find_stand_ins(self.result_, plan.table, plan.scorer, space)
            if stand_ins:
                self.result_.extra["stand_ins"] = stand_ins
        if isinstance(space, Subsets) and rows:
            allowed = Subsets(space.n_features, exclude=self._excluded, groups=space.groups)
            found = table_evidence(plan.table, allowed.units, plan.seed)
            self.result_.extra["evidence"] = found.to_dict()

    @property
    def _needs_rows(self) -> bool:  # type: ignore[override]
        return isinstance(self.search, Path) or self.search == Path.name

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        wrapped = None if isinstance(self.measure, str) else wrapped_estimator(self.measure)
        inner = None if wrapped is None else get_tags(wrapped).input_tags
        # A name or a filter of the house takes unknown values; an estimator may not.
        tags.input_tags.allow_nan = inner is None or inner.allow_nan
        tags.input_tags.sparse = True
        return model_tags(tags, self.measure, self.refit)


def _with_restarts(search: Search, stop: object, notes: list[str]) -> tuple[Search, list[str]]:
    """Return the search with restarts, where a time budget goes with ``stop="auto"``."""
    several = list(stop) if isinstance(stop, Sequence) and not isinstance(stop, str) else []
    auto = any(isinstance(part, str) and part == "auto" for part in several)
    endless = search.generational and not search.ends
    if not (auto and endless and seconds_of(stop) is not None):
        return search, notes
    return Restarts(search), [*notes, RESTARTED.format(search.name)]


def _audit_result(result: Result, plan: Plan) -> list[str]:
    """Put the audit of a run into its result, and return what a user should read of it.

    Nothing is audited where subsets are trained anyway.
    """
    everyone = np.ones(plan.table.n_features, dtype=bool)
    everyone[list(getattr(plan.space, "exclude", ()))] = False
    subsets = np.unique(np.stack([result.support, everyone]), axis=0)
    try:
        found = plan.scorer.audit(subsets[subsets.any(axis=1)])
    except InputError:
        # The model cannot take some features that the search never chose.
        found = plan.scorer.audit(result.support[None]) if result.support.any() else None
    if found is None:
        return []
    result.extra["audit"] = found.to_dict()
    if found.stopped_early:
        return [
            f"{plan.measure.title} stopped before its optimum when it was trained (a convergence "
            "warning of scikit-learn); scores here are those of the optimum. Scale the columns, "
            "or raise max_iter."
        ]
    if found.agrees:
        return []
    return [
        f"The fast scores of {plan.measure.title} differ from those of the trained model by up to "
        f"{found.largest_difference:.3g} per fold on this table, so the run was repeated with "
        "training. Please report it with the model and the table."
    ]
