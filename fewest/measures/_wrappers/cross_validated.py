"""The cross-validated score of an estimator: the wrapper approach, for any estimator."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import is_classifier, is_regressor

from ..._errors import InputError
from ..._parameters import estimator_field, flag, folds_field, scoring_field
from ...data._table import Table
from .._abilities import ALL_ROWS, IMPORTANCES, L1_PATH, PROBES, PROXY, Audit, Importances, Question
from .._measure import Candidates, Measure, Scorer, Scores
from .._models_by_name import name_of
from .._steps import Steps
from .feature_slices import narrowed
from .line import LineScorer
from .paths import find_path, rule_of
from .racing import FOLDS_RUN, RacedScorer
from .refusals import check_scorer
from .row_data import FOLDS_ONLY, WEIGHT, check_read, scores_weights, weight_name
from .sources.pipelines import model_of
from .splits import (
    TRAINED_FOLDS,
    Split,
    Splits,
    given_splits,
    mean_over_repetitions,
    pooled_r2,
    repeated_splits,
)
from .wrapped import WrappedScorer, plain_table

if TYPE_CHECKING:
    from ...data._engine.stored import StoredTable


#: Tables with no more values than this bind all repetitions of the folds at once.
SMALL = 2**18

#: A training takes at least as many operations, and as many more per value of the table.
OPERATIONS_PER_TRAINING, OPERATIONS_PER_VALUE = 1e6, 1e3

#: Rankings see a stratified sample of so many training rows.
RANKED_ROWS = 20_000
#: A model that takes more operations per subset does not vote itself on the features.
MOST_PROXY_OPERATIONS = 1e7
#: A model votes for itself where no more than this share of the folds of so many random candidates
#: must be trained: nearest neighbours on dummies, for instance, are often equally near.
MOST_DOUBTED, DOUBTED = 0.02, 40
#: Discriminant analysis that would have to be trained more often does not vote for other models.
MOST_TRAINED = 0.2

#: The note where racing has no effect.
NO_RACE = "Racing has no effect here: nothing is trained, all folds are scored at once."

#: The note where weights count in training only.
UNWEIGHTED = "scoring={} takes no weights: rows count once in the score, whatever they weigh."

#: Said of a number of folds: where rows are sorted, folds in their order differ.
UNSHUFFLED = (
    'cv={} takes the rows in their order, as in scikit-learn; cv="auto" and shuffled splitters '
    "do not depend on it."
)


@dataclass
class CrossValidated(Measure):
    """The score of an estimator on rows it was not trained on, averaged over folds.

    Parameters
    ----------
    estimator : scikit-learn estimator or pipeline
        A clone is trained on the slices of the table that a candidate selects.
    cv : "auto", int, scikit-learn splitter or iterable, default="auto"
        "auto" is stratified ten-fold cross-validation, repeated with other shuffles until
        the standard error of the mean is at most 0.01 (for losses: 1 % of the loss without any
        feature), at most five times. An estimator that must be trained for every subset gets
        five folds without repetition. Folds are plain for a numeric target, and keep groups
        together where ``groups`` are given. A number of folds takes the rows in their order,
        without shuffling, as scikit-learn does.
    scoring : str, callable or None
        As in scikit-learn; None is the estimator's own score.
    fast : bool, default=True
        Whether an estimator that has a fast path is scored by it; False trains every subset.
    racing : bool, default=False
        Whether a search drops a subset after its first folds when it cannot catch up with the
        best subset so far, with a confidence of 99.9 %. Its score is then an estimate, and the
        result says how many were dropped. A fast path scores all folds at once and does not race.

    Notes
    -----
    Inza et al. (2000, section 4). All candidates share the folds, so that their fold scores
    pair up. The value is the mean over all repetitions done; ``folds`` are those of the first.
    The empty subset scores as the class frequencies, or the mean, alone do.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from fewest.data._as_table import as_table
    >>> from fewest.measures import CrossValidated
    >>> table = as_table(*load_iris(return_X_y=True))
    >>> scorer = CrossValidated(GaussianNB(), cv=5).bind(table)
    >>> scorer.score(np.array([[False, False, True, True], [False] * 4])).value.round(3)
    array([0.96 , 0.333])
    """

    name: ClassVar[str] = "cross-validated"
    source: ClassVar[str] = "Inza et al. (2000), section 4"
    needs_classes: ClassVar[bool] = False
    scans: ClassVar[bool] = True

    estimator: Any = estimator_field()
    cv: Any = folds_field()
    scoring: Any = scoring_field()
    fast: bool = flag(True)
    racing: bool = flag(False)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Make the folds, and for an estimator with a fast path its statistics."""
        self.check_parameters()
        if not table.in_memory:
            from .scanned import scanned_scorer

            return scanned_scorer(self.estimator, cast("StoredTable", table), self.cv, self.scoring)
        rng = np.random.default_rng(0) if rng is None else rng
        if isinstance(self.cv, str) and self.cv == "auto":
            trained = not find_path(self.estimator, table, self.scoring).fast
            return RepeatedScorer(self, table, repeated_splits(table, rng, trained))
        given = given_splits(table, self.cv, rng, table.classes is not None)
        return RepeatedScorer(self, table, (given,))

    def bind_for(
        self, table: Table, masks: NDArray[np.bool_], rng: np.random.Generator | None = None
    ) -> tuple[Scorer, NDArray[np.bool_]]:
        """Bind a fast path to the features that some subset holds: others cost as much to bind."""
        used = np.logical_or.reduce(masks)
        fast = self.fast and rule_of(model_of(self.estimator)) is not None
        if fast and table.in_memory and used.any() and not used.all():
            own = narrowed(self.estimator, table.names, used)
            if own is not None:
                some = table.keep(np.flatnonzero(used))
                return replace(self, estimator=own).bind(some, rng), masks[:, used]
        return super().bind_for(table, masks, rng)

    @property
    def title(self) -> str:
        """The name of the estimator."""
        return name_of(self.estimator)

    @property
    def task(self) -> str | None:
        """What kind of target the estimator is for."""
        return "regression" if is_regressor(self.estimator) else None

    def check_metadata(self, names: Collection[str]) -> None:
        """Raise a sentence for metadata that neither the folds nor the estimator read."""
        check_read(names, self.estimator, self.cv)

    def check_scans(self) -> None:
        """Raise a sentence where estimator, folds or score need the rows in memory."""
        from .scanned import check_scanned

        check_scanned(self.estimator, self.cv, self.scoring)

    def check_parameters(self) -> None:
        """Raise a sentence for an estimator or a scheme that is none."""
        super().check_parameters()
        check_scorer(self.scoring)


class RepeatedScorer(Scorer):
    """Adds repetitions of the cross-validation to the candidates that still need one."""

    def __init__(self, measure: CrossValidated, table: Table, parts: Sequence[Splits]) -> None:
        self.measure = measure
        self.table = table = plain_table(measure.estimator, table)
        self.parts = parts
        if isinstance(measure.cv, int):
            self.notes = (UNSHUFFLED.format(measure.cv),)
        _check_task(measure.estimator, table)
        self.path = find_path(measure.estimator, table, measure.scoring, len(parts[0]))
        self.fast = self.path.fast and measure.fast
        self.operations = (
            self.path.operations if self.fast else training_operations(table, len(parts[0]))
        )
        self.scorers: list[Any] = [self._bind(parts[0]), *[None] * (len(parts) - 1)]
        self.batch, self.prefer = self.scorer(0).batch, self.scorer(0).prefer
        self.notes += self.scorer(0).notes
        self._note_weights()
        self.races = measure.racing and not self.fast
        if self.races:
            self.goal_names = (FOLDS_RUN,)
        elif measure.racing:
            self.notes += (NO_RACE,)
        if table.n_rows * table.n_features <= SMALL:
            # Bound here, once, so that workers share them.
            self.scorers[1:] = [self._bind(parts[k]) for k in range(1, len(parts))]

    def _note_weights(self) -> None:
        weighted = {WEIGHT, weight_name(self.measure.estimator)} & set(self.table.metadata)
        routed = get_config()["enable_metadata_routing"]
        if weighted and not routed and not scores_weights(self.referee().scorer):
            self.notes += (UNWEIGHTED.format(self.measure.scoring),)

    def scorer(self, repetition: int) -> Any:
        """Return the scorer of a repetition, bound when it is first needed.

        The mean over the folds of a large table is precise enough without a second one.
        """
        if self.scorers[repetition] is None:
            self.scorers[repetition] = self._bind(self.parts[repetition])
        return self.scorers[repetition]

    def referee(self, repetition: int = 0) -> WrappedScorer:
        """Return the scorer that trains the estimator on the folds of a repetition."""
        scorer = self.scorer(repetition)
        return scorer.referee if isinstance(scorer, LineScorer) else cast(WrappedScorer, scorer)

    @property
    def splits(self) -> Splits:
        """Return the folds of the first repetition."""
        return self.parts[0]

    @cached_property
    def unit(self) -> float:  # type: ignore[override]
        """Return what the score is measured in: 1, or for a loss its value without features."""
        loss = getattr(self.referee().scorer, "_sign", 1) < 0
        empty = self.referee().empty
        alone = abs(float(np.mean([empty(k) for k in range(len(self.splits))]))) if loss else 1.0
        return alone if 0.0 < alone < np.inf else 1.0

    def pooled(self, folds: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return R² of each fold in units of the variance of all rows; other scores as they are."""
        return pooled_r2(folds, self.measure.scoring, self.table, self.splits)

    def score(self, candidates: Candidates | Steps) -> Scores:
        """The mean over the repetitions done, and the folds and goals of the first."""
        if not isinstance(candidates, Steps):
            candidates = np.asarray(candidates, dtype=bool)
        first = self.scorer(0).score(candidates)
        assert first.folds is not None
        return self.completed(candidates, first.folds, first.goals)

    def score_steps(self, steps: Steps) -> Scores:
        """As :meth:`score`, for neighbours of one candidate."""
        return self.score(steps)

    def raced(self, value: float, folds: NDArray[np.float64]) -> Scorer:
        """A scorer that drops candidates which cannot catch up."""
        return RacedScorer(self, value, folds)

    def first_fold(self, candidate: NDArray[np.bool_], fold: int) -> float:
        """The score of one candidate on one fold of the first repetition."""
        return self.referee().folds_of(candidate, [fold])[0]

    def completed(
        self,
        candidates: Candidates | Steps,
        first: NDArray[np.float64],
        goals: Mapping[str, NDArray[np.float64]] | None = None,
    ) -> Scores:
        """The mean over as many repetitions as each candidate needs, from its first one."""
        if self.races:
            goals = {FOLDS_RUN: np.full(len(first), float(first.shape[1]))}
        value = mean_over_repetitions(
            first,
            len(self.parts),
            lambda again, rows: self.folds_of(candidates[rows], again),
            self.unit if len(self.parts) > 1 else 1.0,
        )
        return Scores(value, first, goals or {})

    def folds_of(self, candidates: Candidates | Steps, repetition: int) -> NDArray[np.float64]:
        """Return the fold scores of a repetition."""
        folds: NDArray[np.float64] = self.scorer(repetition).score(candidates).folds
        return folds

    @property
    def counts_rows(self) -> bool:
        """Whether the score is the share of rows that are right: any rows can be left out."""
        plain = self.measure.scoring in (None, "accuracy") and self.table.classes is not None
        return plain and not set(self.table.metadata) - set(FOLDS_ONLY)

    def on_rows(
        self, rows: NDArray[np.bool_], trained: NDArray[np.bool_] | None = None
    ) -> RepeatedScorer | None:
        """The same folds, with these of their test rows and of their training rows."""
        if not self.fast:
            return None
        may = np.ones(self.table.n_rows, dtype=bool) if trained is None else trained
        kept = (tuple((a[may[a]], b[rows[b]]) for a, b in splits) for splits in self.parts)
        parts = tuple(tuple(s for s in splits if len(s[0]) and len(s[1])) for splits in kept)
        return RepeatedScorer(self.measure, self.table, parts)

    def mean_over_rows(self, candidates: Candidates) -> NDArray[np.float64]:
        """The mean over all test rows of all repetitions, however many each fold has."""
        candidates = np.asarray(candidates, dtype=bool)
        means = []
        for repetition, splits in enumerate(self.parts):
            sizes = np.array([len(test) for _, test in splits], dtype=np.float64)
            means.append(self.folds_of(candidates, repetition) @ (sizes / sizes.sum()))
        mean: NDArray[np.float64] = np.mean(means, axis=0)
        return mean

    def audit(self, candidates: NDArray[np.bool_]) -> Audit | None:
        """Compare fast scores with those of the estimator on the folds of the first repetition."""
        scorer = self.scorer(0)
        return scorer.audit(candidates) if isinstance(scorer, LineScorer) else None

    advises: tuple[str, ...] = (IMPORTANCES, L1_PATH, PROXY, PROBES)

    def importances(self, question: Question) -> Importances:
        """Return what the question asks for, on the folds of the first repetition."""
        from .._probes import knockoff_statistics, probe_importances
        from .importances import l1_importances, model_importances

        if question.kind == "score":
            scorer = cast(LineScorer | WrappedScorer, self.scorer(0))
            nothing, fold = np.full(self.table.n_features, np.nan), question.fold
            if not question.subset.any():
                return Importances(nothing, None, self.referee().empty(fold))
            return Importances(nothing, None, scorer.folds_of(question.subset, [fold])[0])
        if question.kind in ("l1", "probes"):
            rank = l1_importances if question.kind == "l1" else probe_importances
            return rank(self.table.take(self._training_rows(question.fold)), question)
        if question.kind == "knockoffs":
            known = self.table.take(self._training_rows(question.fold))
            return Importances(knockoff_statistics(known, question.subset, question.seed))
        splits = self.parts[0]
        if question.kind == "ranking":
            rows = self._training_rows(question.fold)
            splits, question = ((rows, rows[:0]),), replace(question, fold=0)
        return model_importances(
            self.measure.estimator, self.table, splits, self.measure.scoring, question
        )

    def _training_rows(self, fold: int) -> NDArray[np.intp]:
        """Return training rows of a fold, or of -1 rows that folds train on, for a ranking."""
        if fold != ALL_ROWS:
            rows = self.parts[0][fold][0]
        else:
            rows = np.unique(np.concatenate([train for train, _ in self.parts[0]]))
        return self.table.sampled(rows, RANKED_ROWS, fold + 1)

    def proxy(self, fold: int) -> Scorer:
        """Return the model itself where it is cheap, else a linear model, on training rows."""
        from .._probes import few_levels
        from .importances import proxy_measure

        rows = self.table.take(self._training_rows(fold))
        few = few_levels(rows)
        # A model on dummies is not cheap where a label has hundreds of values.
        counts = self.path.rule is not None and self.path.rule.takes_tables
        cheap = self.fast and self.operations <= MOST_PROXY_OPERATIONS and (counts or few is rows)
        if cheap:
            scorer = _proxy_scorer(self.measure, rows)
            if _doubted(scorer) <= MOST_DOUBTED:
                return scorer
        scorer = _proxy_scorer(proxy_measure(rows), few)
        if _doubted(scorer) <= MOST_TRAINED:
            return scorer
        return _proxy_scorer(proxy_measure(rows, singular=True), few)

    def l1_path(self, model: str, most: int) -> NDArray[np.bool_]:
        """The path over the rows that folds train on."""
        from .._probes import l1_subsets

        return l1_subsets(self.table.take(self._training_rows(ALL_ROWS)), model, most)

    def _bind(self, splits: Splits) -> Scorer:
        estimator, scoring = self.measure.estimator, self.measure.scoring
        referee = WrappedScorer(estimator, self.table, splits, scoring)
        return LineScorer(self.path, referee) if self.fast else referee


def _doubted(scorer: RepeatedScorer) -> float:
    """Return the share of the folds of some subsets that would be trained."""
    one = scorer.scorer(0)
    if not isinstance(one, LineScorer):
        return 1.0
    some = np.random.default_rng(0).random((DOUBTED, scorer.table.n_features)) < 0.5
    some[:, 0] |= ~some.any(axis=1)
    return one.doubted(some)


def _proxy_scorer(measure: CrossValidated, table: Table) -> RepeatedScorer:
    table = _with_common_classes(table)
    with warnings.catch_warnings():
        # Small classes were reported when the folds of the run were made.
        warnings.simplefilter("ignore")
        splits = repeated_splits(table, np.random.default_rng(0), trained=True)[0]
    tested = (len(np.unique(table.target[test])) for _, test in splits)
    if table.classes is not None and min(tested) < table.n_classes:
        # Groups and time may leave a part without a class, and it without a log loss.
        measure = replace(measure, scoring=None)
    return RepeatedScorer(measure, table, (splits,))


def _with_common_classes(table: Table) -> Table:
    """Leave out classes with fewer rows than folds: a part that tests none has no log loss."""
    if table.classes is None:
        return table
    common = np.flatnonzero(np.bincount(table.target, minlength=table.n_classes) >= TRAINED_FOLDS)
    if len(common) < 2:
        return table
    some = table.take(np.flatnonzero(np.isin(table.target, common)))
    target = np.searchsorted(common, some.target)
    return replace(some, target=target, classes=table.classes[common])


def training_operations(table: Table, folds: int) -> float:
    """Estimate the number of operations of a candidate that is trained on every fold."""
    each = OPERATIONS_PER_VALUE * table.n_rows * table.n_features
    return folds * (OPERATIONS_PER_TRAINING + each)


def fold_scorer(estimator: Any, table: Table, split: Split, scoring: Any = None) -> RepeatedScorer:
    """The scorer of one training part and one test part; by a fast path where there is one."""
    return RepeatedScorer(CrossValidated(estimator, scoring=scoring), table, ((split,),))


def _check_task(estimator: Any, table: Table) -> None:
    if table.classes is None and table.n_targets == 1 and is_classifier(estimator):
        raise InputError(
            f"`y` must hold classes for {type(estimator).__name__}, but holds numbers "
            "(Unknown label type: continuous); discretise it, or use a regressor."
        )
