"""FeatureWeighter: a weight for every feature of a nearest-neighbour model."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ._errors import InputError, brief
from ._fitting.estimator import SearchVerb
from ._fitting.plan import Plan
from ._fitting.screen import screened_subsets
from ._parameters import TransformerMixin
from ._run.events import Stopwatch
from ._run.stop_rules import Generations, Significance, Stop, resolve_stop
from .classifiers._base import checked_table
from .classifiers._nearest_neighbor import NearestNeighbor, range_scale
from .data._schema import Schema
from .data._table import Table
from .measures._filters.relief import FILTERS, filter_weights
from .measures._measure import Measure, Scorer
from .measures._wrappers.weighted_neighbors import WeightedNeighbors
from .search._best_first import BestFirst
from .search._better import Better
from .search._continuous import EGNA, UMDAc
from .search._distribution import UMDA
from .search._genetic import GAOnePoint
from .search._network_models import EBNA
from .search._population import first_population
from .search._search import Proposals, Search, Verdict
from .search._spaces.space import Space
from .search._spaces.weight_spaces import Box, Levels

Floats = NDArray[np.float64]

#: A known value lies 1/12 from the middle of the range in the mean of squares, if all values are
#: alike probable; this is what is left to a distance of 1.
BESIDE = 11.0 / 12.0


@dataclass(frozen=True, eq=False)
class WeightedColumns:
    """Columns of each feature with a weight."""

    features: tuple[int, ...]
    levels: tuple[int, ...]
    factor: Floats
    middle: Floats
    height: Floats
    unknown: tuple[bool, ...]
    names: tuple[str, ...]

    @staticmethod
    def learn(table: Table, weights: Floats) -> WeightedColumns:
        """From the ranges and levels of the rows that the weights were found with."""
        scale, width = range_scale(table.doubles, table.nominal)
        kept = np.flatnonzero(weights > 0)
        names: list[str] = []
        low = np.where(table.missing, np.inf, table.doubles).min(axis=0)
        for j in kept:
            levels, name = table.levels[j], table.names[j]
            names += [name] if levels is None else [f"{name}={level}" for level in levels]
            names += [f"{name}=unknown"] if table.missing[:, j].any() else []
        return WeightedColumns(
            tuple(kept.tolist()),
            tuple(int(table.cardinalities[j]) for j in kept),
            np.sqrt(weights[kept]) * scale[kept],
            np.where(np.isfinite(low), low, 0.0)[kept] + width[kept] / 2,
            np.sqrt(weights[kept]),
            tuple(bool(table.missing[:, j].any()) for j in kept),
            tuple(names),
        )

    def transform(self, values: Floats) -> Floats:
        """Return the columns of encoded rows."""
        columns: list[Floats] = []
        for i, j in enumerate(self.features):
            given, lost = values[:, j], np.isnan(values[:, j])
            if self.levels[i]:
                height = self.height[i] * np.sqrt(0.5)
                columns += [height * (given == level) for level in range(self.levels[i])]
            else:
                height = self.height[i] * np.sqrt(BESIDE)
                columns.append(self.factor[i] * np.where(lost, self.middle[i], given))
            if self.unknown[i]:
                columns.append(height * lost)
        return np.column_stack(columns) if columns else np.zeros((len(values), 0))


#: The parameters that say which weights are allowed.
CONSTRAINTS = ("include", "exclude", "groups", "min_features", "max_features")
#: The rule for few rows holds at every size.
EVERY_SIZE = 10**11


class FeatureWeighter(TransformerMixin, SearchVerb):
    """Find a weight for every feature so that nearest neighbours classify well.

    Parameters
    ----------
    measure : "nearest-neighbor", NearestNeighbor, WeightedNeighbors, or a filter
        What weights are worth: the accuracy of nearest neighbours on rows that were left out.
        ``WeightedNeighbors(k=(1, 3, 5))`` searches the number of neighbours together with the
        weights, ``WeightedNeighbors(prototypes="edited")`` the training rows that vote. Or
        where they come from without a search: "mutual-information", "relieff" (or "relief"),
        "class-conditional" or "gradient" (see :mod:`fewest.measures._filters.relief`).
    search : str or Search, default="auto"
        How weights are searched (see :func:`fewest.list_searches`); ``"auto"`` is EBNA for
        levels and EGNA for continuous weights, or simpler models where there are many features.
    values : "auto", "levels", "continuous" or a list of weights, default="auto"
        Weights 0, ½ and 1, any number between 0 and 1, or one of the listed ones (rising from
        0). Few levels overfit less (Kohavi et al., 1997; Inza, 2002, section 7.5): ``"auto"`` is
        "levels" for a search and "continuous" for a filter.
    start : "filters", None or array of shape (starts, n_features), default="filters"
        Weights that are in the first population: those of all filters and equal ones, none, or
        the given ones.
    stop : "auto", None, a rule of ``fewest._run.stop_rules`` or a list of them
        ``"auto"`` stops when no new weights beat the best of the generation before in a paired t
        test over ten folds (p < 0.1), whatever the number of rows. More patience, such as
        ``NoImprovement(10)``, overfits: over ten tables it costs half a point of accuracy.
    choose : "best", "one-se", "half-se", "knee", a size, or a tolerance, default="best"
        Which of the scored weights are the answer.
    include, exclude : lists of names or positions
        Features whose weight must be above 0, and features whose weight must be 0.
    groups : list of lists of names or positions
        Features that share a weight.
    min_features, max_features : int
        The smallest and largest number of weights above 0; the largest may also be a share of the
        features between 0 and 1, or ``"sqrt"``.
    cv : "auto", "leave-one-out", int, or splitter
        How the accuracy is estimated: ``"auto"`` leaves one row out at a time up to 1000 rows,
        and uses ten folds, repeated if needed, beyond.
    n_jobs : int or None
        Workers; the answer does not depend on it.
    journal : path
        A file that keeps every score: fit again with the same arguments and it goes on.
    random_state : int, Generator, RandomState or None
    verbose : int
        1 shows a progress bar.

    Attributes
    ----------
    weights_ : array of shape (n_features,)
    support_ : bool array of shape (n_features,)
        Which weights are above 0.
    k_ : int
        How many neighbours vote: that of the measure, or the best of several with these weights.
    score_ : float
        The accuracy that guided the search. It is optimistic: :func:`fewest.validate` gives
        what to expect on new data.
    fold_scores_ : array
    result_ : Result
        Everything else; ``result_.extra["weights"]`` are the weights.

    Notes
    -----
    Inza (2002, chapter 7). ``transform`` gives columns whose plain Euclidean distance is the
    weighted distance: a continuous feature is multiplied by √weight / range, a nominal one
    becomes one column per level of height √(weight / 2), and features without weight go. An
    unknown value stands in the middle of the range, or at no level, and one more column puts it
    as far from known values as :class:`~fewest.classifiers.NearestNeighbor` does (exactly for
    labels, on average for numbers); two unknown values are alike.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from fewest import FeatureWeighter
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> weighter = FeatureWeighter(random_state=0).fit(X, y)
    >>> weighter.weights_.shape, weighter.score_ > 0.95
    ((4,), True)
    >>> model = make_pipeline(weighter, KNeighborsClassifier(1))
    """

    #: Accuracy is what is estimated; the other verbs ask.
    scoring: Any = None

    def __init__(
        self,
        measure: Any = "nearest-neighbor",
        *,
        search: Any = "auto",
        values: Any = "auto",
        start: Any = "filters",
        stop: Any = "auto",
        choose: Any = "best",
        include: Any = None,
        exclude: Any = None,
        groups: Any = None,
        min_features: int = 1,
        max_features: float | str | None = None,
        cv: Any = "auto",
        n_jobs: int | None = None,
        journal: Any = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.measure = measure
        self.search = search
        self.values = values
        self.start = start
        self.stop = stop
        self.choose = choose
        self.include = include
        self.exclude = exclude
        self.groups = groups
        self.min_features = min_features
        self.max_features = max_features
        self.cv = cv
        self.n_jobs = n_jobs
        self.journal = journal
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def named(cls, name: str, **parameters: Any) -> Self:
        """Return a combination of the literature: fw-ebna, fw-egna, fw-ga-one-point or diet-10.

        >>> FeatureWeighter.named("fw-egna", random_state=0).values
        'continuous'
        """
        search, values = combination(name)
        return cls(**{"search": search, "values": values, "start": None, **parameters})

    def _measure(self) -> Measure:
        return neighbors_measure(self.measure, self.cv)

    def _space(self, table: Table) -> tuple[Space, list[str]]:
        subsets = screened_subsets(table, {c: getattr(self, c) for c in CONSTRAINTS})
        limits: dict[str, Any] = {
            "include": subsets.include,
            "exclude": subsets.exclude,
            "groups": subsets.groups,
            "min_features": subsets.min_features,
            "max_features": subsets.max_features,
        }
        limits["starts"] = self._starts(table)
        values = self.values
        if isinstance(values, str) and values == "auto":
            values = "levels" if self._filter is None else "continuous"
        if isinstance(values, str) and values == "continuous":
            return Box(table.n_features, **limits), []
        return Levels(table.n_features, levels_of(values), **limits), []

    @property
    def _filter(self) -> str | None:
        """Return the name of the filter, if the measure is one."""
        name = "relieff" if isinstance(self.measure, str) and self.measure == "relief" else None
        name = name or self.measure
        return name if isinstance(name, str) and name in FILTERS else None

    def _starts(self, table: Table) -> NDArray[np.float64] | None:
        rng = np.random.default_rng(0)
        if self._filter is not None:
            return filter_weights(self._filter, table, rng)[None]
        if self.start is None:
            return None
        if isinstance(self.start, str) and self.start == "filters":
            found = [filter_weights(name, table, rng) for name in FILTERS]
            return np.array([*found, np.ones(table.n_features)])
        return checked_starts(self.start, table.n_features)

    def _search(
        self, measure: Measure, table: Table, space: Any, scorer: Scorer
    ) -> tuple[Search, list[str]]:
        if self._filter is None:
            return super()._search(measure, table, space, scorer)
        return GivenWeights(name=self._filter), []

    def _recommend(
        self, measure: Measure, table: Table, space: Space, scorer: Scorer
    ) -> tuple[Search, str]:
        return recommend_weighing(space)

    def _rules(self, search: Search) -> tuple[Stop, ...]:
        auto: list[Stop] = [Significance(rows=EVERY_SIZE), Generations(100)]
        several = isinstance(self.stop, list | tuple)
        rules: list[Any] = []
        for rule in self.stop if several else [self.stop]:
            by_generations = search.generational and not search.ends
            is_auto = isinstance(rule, str) and rule == "auto"
            rules += (auto if by_generations else []) if is_auto else [rule]
        return resolve_stop([rule for rule in rules if rule is not None], False)

    def _run(self, problem: Any, watch: Stopwatch, recorded: bool = True) -> Plan:
        plan = super()._run(problem, watch, recorded)
        self.weights_: NDArray[np.float64] = np.array(self.result_.extra["weights"])
        measure: Any = plan.measure
        self.k_: int = int(self.result_.extra.get("k", measure.k))
        table = problem.table
        self.schema_: Schema = Schema(table.names, table.levels)
        self._columns = WeightedColumns.learn(table, self.weights_)
        return plan

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Return columns whose Euclidean distance is the weighted distance.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        """
        check_is_fitted(self, "weights_")
        values = self.schema_.encode(checked_table(self, X, reset=False))
        return self._columns.transform(values)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns that ``transform`` gives."""
        check_is_fitted(self, "weights_")
        return np.array(self._columns.names, dtype=object)

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Return which features have a weight above 0: a mask, or positions."""
        check_is_fitted(self, "weights_")
        return np.flatnonzero(self.support_) if indices else self.support_

    def nearest_neighbor(self) -> NearestNeighbor:
        """Return a classifier with the weights that were found, ready to be fitted."""
        check_is_fitted(self, "weights_")
        measure: Any = self.measure_
        return NearestNeighbor(self.k_, weights=self.weights_, prototypes=measure.prototypes)


def neighbors_measure(measure: Any, cv: Any) -> WeightedNeighbors:
    """Return the measure of weights behind a name, a classifier or a measure."""
    if isinstance(measure, WeightedNeighbors):
        return measure
    if isinstance(measure, NearestNeighbor):
        return WeightedNeighbors(k=measure.k, cv=cv, prototypes=measure.prototypes)
    names = ("nearest-neighbor", WeightedNeighbors.name, "relief", *FILTERS)
    if isinstance(measure, str) and measure in names:
        return WeightedNeighbors(cv=cv)
    raise InputError(
        '`measure` of FeatureWeighter must be "nearest-neighbor", a NearestNeighbor, a '
        f"WeightedNeighbors or a filter ({', '.join(FILTERS)}), but is {brief(measure)}; "
        "other models have no weights to search."
    )


def checked_starts(start: Any, n_features: int) -> NDArray[np.float64]:
    """Return the weights to start from as an array."""
    try:
        given = np.array(start, dtype=np.float64, ndmin=2)
    except (TypeError, ValueError):
        given = np.zeros((0, 0))
    inside = (given >= 0) & (given <= 1)
    if given.ndim != 2 or given.shape[1] != n_features or not inside.all():
        raise InputError(
            f'`start` must be "filters", None or weights between 0 and 1, {n_features} in each '
            f"row (one per feature), but is {brief(start)}."
        )
    return given


def levels_of(values: Any) -> tuple[float, ...]:
    """Return the levels behind ``values``."""
    if not isinstance(values, str):
        with contextlib.suppress(TypeError, ValueError):
            return tuple(float(v) for v in values)
    elif values == "levels":
        return (0.0, 0.5, 1.0)
    raise InputError(
        '`values` must be "auto", "levels", "continuous" or a list of weights that rise from '
        f"0, but is {brief(values)}."
    )


#: Largest number of features for which a network of the good weights is learned.
MOST_NETWORK_FEATURES = 100


def recommend_weighing(space: Space) -> tuple[Search, str]:
    """Return the search for a space of weights, and the sentence that says why."""
    continuous = space.kind == "box"
    if space.n_units <= MOST_NETWORK_FEATURES:
        search: Search = EGNA() if continuous else EBNA()
        kind = "Gaussian" if continuous else "Bayesian"
        why = f"with {space.n_units} features a {kind} network of the good weights can be learned"
    else:
        search = UMDAc() if continuous else UMDA()
        why = f"with {space.n_units} features each weight is learned on its own"
    return search, f"`{search.name}` was picked: {why}."


@dataclass
class GivenWeights(Search):
    """Score the weights that the space starts from, and nothing else.

    name: where the weights come from.
    n: how many there are.
    """

    source: ClassVar[str] = "Wettschereck et al. (1997)"
    spaces: ClassVar[tuple[str, ...]] = ("box", "levels")
    ends: ClassVar[bool] = True

    name: str = "given weights"  # type: ignore[misc]
    n: int = 1

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch."""
        yield first_population(space, self.n, rng, 0.5)
        return Verdict(f"the weights of {self.name} are the answer")


def diet(patience: int = 10) -> BestFirst:
    """Return the search of DIET: best-first from the middle weights, children against parents.

    It ends after ``patience`` expansions in a row without a child that is more than 0.1 % better
    than its parent (Kohavi et al., 1997, with 5; Inza, 2002, section 7.5, with 10).
    """
    return BestFirst(patience=patience, least_gain=0.001, direction="middle", against="parent")


#: The combinations of Inza (2002, section 7.5): the search, and the values of the weights.
COMBINATIONS: dict[str, tuple[Callable[[], Search], str]] = {
    "fw-ebna": (EBNA, "levels"),
    "fw-egna": (lambda: EGNA(scaling="none"), "continuous"),
    "fw-ga-one-point": (GAOnePoint, "levels"),
    "diet-10": (diet, "levels"),
}


def combination(name: str) -> tuple[Search, str]:
    """Return the search and the values of a named combination."""
    if name not in COMBINATIONS:
        raise InputError(f"`name` must be one of {', '.join(COMBINATIONS)}, but is {name!r}.")
    search, values = COMBINATIONS[name]
    return search(), values
