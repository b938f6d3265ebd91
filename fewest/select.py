"""SubsetSelector: the fewest features, as a scikit-learn selector."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from ._version import __version__
from .data.feature_names import Features
from .data.table import Table
from .fitting.callbacks import CallbackListener, CallbackSupport, with_callbacks
from .fitting.frames import checked_frame
from .fitting.metadata import given_metadata, selector_routing
from .fitting.plan import Plan
from .fitting.problem import Problem, make_problem, problem_of
from .fitting.space import screened_subsets
from .measures.base import Measure
from .run.choose import check_choice
from .run.conclude import conclude
from .run.events import Listener
from .run.journal import Journal, has_lines, read_lines
from .run.progress import ProgressBar
from .run.stop import Seconds, Stop, resolve_stop, seconds_of
from .run.versions import spelled, versions
from .search.base import Search
from .search.registry import resolve_search
from .search.spaces.subsets import Subsets
from .seeds import seed_of, streams

#: The parameters that say which subsets are allowed.
CONSTRAINTS = (
    "include", "exclude", "groups", "costs", "budget", "min_features", "max_features",
)  # fmt: skip


class SubsetSelector(CallbackSupport, SelectorMixin, MetaEstimatorMixin, BaseEstimator):
    """Find a small subset of features by any search over any measure.

    Parameters
    ----------
    measure : estimator, str or Measure, default="auto"
        What a subset is worth: a scikit-learn estimator or pipeline (its cross-validated
        score), a name such as ``"naive-bayes"``, ``"inconsistency"``, ``"mdl-fs"`` (see
        :func:`fewest.list_measures`), or a measure with parameters. ``"auto"`` is naive Bayes
        for classes and linear regression for numbers.
    search : str or Search, default="auto"
        How subsets are searched: a name such as ``"ebna"``, ``"sfs"``, ``"exact"`` (see
        :func:`fewest.list_searches`), or a search with parameters. ``"auto"`` picks one from
        the shape of the table and says why in ``result_.notes``.
    stop : "auto", None, a rule of ``fewest.run.stop`` or a list of them
        ``"auto"`` is the significance rule of Inza et al. (2000) for searches by generations;
        others end by themselves. ``["auto", Seconds(60)]`` adds a time budget.
    choose : "best", "one-se", "knee", a size, or a tolerance, default="best"
        Which of the scored subsets is the answer.
    include, exclude : features
        Features that must be in, and features that must be out. Features that look like
        identifiers (nominal, with another value in every row) are left out unless you include
        them; ``result_.notes`` names them. Wherever features are chosen
        you can give a name, a position (-1 is the last), a slice of positions or names, a
        compiled regular expression, a function of the name, a mask, or a list of these.
    groups : list of features
        Each entry is a list of features that are selected together or not at all.
    costs : sequence or mapping of features to a cost
        Cost of each feature.
    budget : float
        Maximum total cost of a subset.
    min_features, max_features : int
        The smallest and largest size.
    cv : "auto", int, or splitter
        For estimators. ``"auto"``: stratified 10-fold, repeated until its standard error is
        under 1 %, at most 5 times.
    scoring : str or callable
        For estimators: any scikit-learn scorer.
    n_jobs : int or None
        Workers; the answer does not depend on it.
    journal : path
        A file that keeps every score, so that a crash loses nothing: fit again with the same
        arguments and it goes on where it stopped.
    random_state : int, Generator, RandomState or None
    verbose : int
        1 shows a progress bar.

    Attributes
    ----------
    support_ : bool array of shape (n_features,)
    score_ : float
        The selection score. It guided the search, so it is optimistic:
        :func:`fewest.validate` gives what to expect on new data.
    fold_scores_ : array or None
    result_ : Result
        Everything else: history, archive, ties, why it stopped.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fewest import SubsetSelector
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = SubsetSelector(search="exhaustive", random_state=0).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['petal width (cm)']
    """

    def __init__(
        self,
        measure: Any = "auto",
        *,
        search: Any = "auto",
        stop: Any = "auto",
        choose: Any = "best",
        include: Any = None,
        exclude: Any = None,
        groups: Any = None,
        costs: Any = None,
        budget: float | None = None,
        min_features: int = 1,
        max_features: int | None = None,
        cv: Any = "auto",
        scoring: Any = None,
        n_jobs: int | None = None,
        journal: Any = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.measure = measure
        self.search = search
        self.stop = stop
        self.choose = choose
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

    @with_callbacks
    def fit(
        self, X: Any, y: Any = None, *, nominal: Features | None = None, **metadata: Any
    ) -> Self:
        """Search the subsets of the features of ``X``.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        nominal : numeric columns to treat as categories, as for ``include``
        **metadata : ``groups``, ``sample_weight``, ...
            Routed to the splitter, the estimator and the scorer as scikit-learn does.
        """
        X = checked_frame(self, X, y)
        problem = make_problem(
            X,
            y,
            self.measure,
            cv=self.cv,
            scoring=self.scoring,
            nominal=nominal,
            metadata=given_metadata(self, metadata),
        )
        self._run(problem)
        return self

    @with_callbacks
    def fit_table(self, table: Table) -> Self:
        """Search the subsets of the features of a table that was read already.

        :func:`fewest.validate` reads the data once and fits on the rows of each training part.
        """
        self.n_features_in_ = table.n_features
        self._run(problem_of(table, self.measure, cv=self.cv, scoring=self.scoring))
        return self

    def plan(self, problem: Problem) -> Plan:
        """Everything that a run over this problem needs, before its first score."""
        check_choice(self.choose)
        measure, table = problem.measure, problem.table
        space, seen = self._space(table)
        search, why = self._search(measure, table, space)
        rules = resolve_stop(self.stop, search.generational and not search.ends)
        seed = self._seed()
        for_folds, _ = streams(seed)
        scorer = measure.bind(table, for_folds)
        notes = [*problem.notes, *why, *seen, *scorer.notes]
        return Plan(
            table, measure, scorer, search, space, rules, self.choose, seed, self.n_jobs, notes
        )

    def _run(self, problem: Problem) -> None:
        plan = self.plan(problem)
        measure, table, search, scorer = plan.measure, plan.table, plan.search, plan.scorer
        identity = _identity(table, search, measure, plan.space, plan.rules, plan.seed)
        journal = None
        if self.journal is not None:
            journal = Journal(self.journal, {**identity, **plan.space.layout(table.names)})
        try:
            outcome = plan.run(journal=journal, listeners=self._listeners(plan.rules, search))
        finally:
            if journal is not None:
                journal.close()
        self.result_ = conclude(
            outcome,
            search,
            scorer,
            table.names,
            self.choose,
            measure=measure.title,
            seed=plan.seed,
            version=__version__,
            notes=plan.notes,
            settings={**identity, "versions": versions()},
        )
        self.result_.left_out = measure.left_out(table, self.result_.support)
        self._publish(measure, search)

    def _publish(self, measure: Measure, search: Search) -> None:
        self.measure_, self.search_ = measure, search
        self.support_: NDArray[np.bool_] = self.result_.support
        self.score_: float = self.result_.score
        folds = self.result_.folds
        self.fold_scores_ = None if folds is None else np.array(folds)

    def _space(self, table: Table) -> tuple[Subsets, list[str]]:
        """The subsets that are searched, and what was seen in the table."""
        return screened_subsets(table, {name: getattr(self, name) for name in CONSTRAINTS})

    def _search(self, measure: Measure, table: Table, space: Subsets) -> tuple[Search, list[str]]:
        if isinstance(self.search, str) and self.search == "auto":
            from .search.auto import recommend_search

            search, why = recommend_search(measure, table.n_rows, space, seconds_of(self.stop))
            return search, [why]
        return resolve_search(self.search), []

    def _seed(self) -> int:
        """The seed; a journal that is to go on brings its own unless one is given."""
        if self.random_state is None and self.journal is not None and has_lines(self.journal):
            return int(read_lines(self.journal)[0][0]["seed"])
        return seed_of(self.random_state)

    def _listeners(self, rules: tuple[Stop, ...], search: Search) -> list[Listener]:
        listeners: list[Listener] = [CallbackListener(self)]
        if self.verbose:
            budget = next((r.most for r in rules if isinstance(r, Seconds)), None)
            listeners.append(ProgressBar(search.name, budget))
        return listeners

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "support_")
        return self.support_

    def get_metadata_routing(self) -> Any:
        """Where ``fit`` sends its metadata: to the splitter, the estimator, the scorer."""
        return selector_routing(self)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        wrapped = self.measure.estimator if isinstance(self.measure, Measure) else self.measure
        inner = get_tags(wrapped).input_tags if hasattr(wrapped, "fit") else None
        # A name or a filter of the house takes unknown values; an estimator may not.
        tags.input_tags.allow_nan = inner is None or inner.allow_nan
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _identity(
    table: Table,
    search: Search,
    measure: Measure,
    space: Subsets,
    rules: tuple[Stop, ...],
    seed: int,
) -> dict[str, Any]:
    """What makes two runs the same run."""
    return {
        "data": table.fingerprint,
        "rows": table.n_rows,
        "search": spelled(search),
        "measure": spelled(measure),
        "space": spelled(space),
        "space_kind": space.kind,
        "stop": [repr(rule) for rule in rules],
        "seed": seed,
        "version": __version__,
    }
