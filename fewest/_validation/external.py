"""validate: what a selection is really worth, on rows that it has not seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from warnings import catch_warnings, simplefilter

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import check_scoring
from sklearn.pipeline import Pipeline

from .._errors import InputError, RowsWarning, brief
from .._feature_weighter import FeatureWeighter, neighbors_measure
from .._fitting.parameter_table import check_options
from .._fitting.plan import Problem, make_problem, with_metric
from .._interrupts import whole_runs_only
from .._parameters import seed_of
from .._run.events import counted
from .._run.execute import check_workers
from .._subset_selector import SubsetSelector
from .._workers import THREADED_ROWS, one_thread
from ..classifiers._nearest_neighbor import NearestNeighbor
from ..data._dataset import features_and_target
from ..data._engine.open import is_stored
from ..data._feature_names import Features
from ..data._rows import take_rows
from ..data._table import Table
from ..measures._default import default_estimator
from ..measures._models_by_name import named_estimator
from ..measures._wrappers.cross_validated import fold_scorer
from ..measures._wrappers.row_data import FOLDS_ONLY
from ..measures._wrappers.splits import pooled_r2, warn_of_small_classes
from ..measures._wrappers.wrapped import WrappedScorer
from . import selections
from .held_out import HeldOutRows, fold_predictions, is_wanted, summarise
from .schemes import (
    AUTO,
    LEAST_REPETITIONS,
    MOST_REPETITIONS,
    auto_folds,
    default_margin,
    external_splits,
    guess_of,
    metric_name,
    own_scoring,
    scheme_shape,
    settings_of,
)
from .selections import judge_weights
from .significance import Overlap, Split, difference_test, is_steady
from .validation import Validation, score_generations, stabilities_of

#: A table outside memory is validated in at most so many folds.
MOST_STORED_FOLDS = 100


def validate(
    selector: Any,
    X: Any,
    y: Any = None,
    *,
    estimator: Any = None,
    scheme: Any = AUTO,
    scoring: Any = None,
    margin: float | None = None,
    nominal: Features | None = None,
    task: str | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    verbose: int = 0,
    **metadata: Any,
) -> Validation:
    """Select inside every training part, score on the part left out.

    Parameters
    ----------
    selector : SubsetSelector, any scikit-learn selector, or a Pipeline that holds one
        Selectors of mlxtend and Boruta work too. A Pipeline that ends in an estimator is
        judged as a whole; one that ends in a selector gets ``estimator`` at its end. All
        features then means the same pipeline without its selectors.
    X, y : the data
        ``y`` may be the name of a column of ``X``; a data set of fewest brings its own.
    estimator : the classifier or regressor to be judged
        By default the one that the selector wraps, else naive Bayes (linear regression for
        numbers).
    scheme : str or splitter, default="auto"
        ``"auto"`` is 10-fold cross-validation, repeated until the verdict on the difference from
        all features would be the same without any one of the repetitions, three to ten times.
        ``"5x2cv"`` is five times two stratified folds; ``"1x10cv"`` one time ten; ...
    scoring : scikit-learn scorer
        By default the selector's own ``scoring``; without one, accuracy for classifiers and R²
        for regressors.
    margin : float or None
        The region of equivalence: how small a difference does not matter. By default 0.01 for
        scores between 0 and 1 (one percentage point), else one standard error of the score with
        all features.
    nominal, task : as for ``SubsetSelector.fit``
    n_jobs : external folds at once; the answer does not depend on it
    random_state : draws the splits and a seed for each selection
    verbose : int
        1 shows a progress bar with the time left.
    **metadata : ``groups``, ``time``, ``sample_weight``, ...
        As for ``SubsetSelector.fit``. Rows of a group are never on both sides of a split; with
        ``time``, the splits are windows, and training rows are earlier than test rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import fewest
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = fewest.SubsetSelector("naive-bayes", search="sfs")
    >>> v = fewest.validate(selector, X, y, random_state=0)
    >>> round(v.score, 2), len(v.scores)
    (0.94, 30)
    """
    check_options(locals())
    check_workers(n_jobs)
    _check_judge(selector, estimator)
    X, y = features_and_target(X, y)
    inner = selections.selectors_in(selector)[-1]
    problem = _problem_of(inner, X, y, nominal=nominal, metadata=metadata, task=task)
    if isinstance(inner, SubsetSelector):
        problem = with_metric(problem, inner.measure, inner.scoring)
        selector = selections.scored_by(selector, own_scoring(inner, problem.measure))
    table, estimator = problem.table, judged(problem, estimator, inner)
    own = own_scoring(inner, problem.measure)
    asked = own if scoring is None else scoring
    seed = seed_of(random_state)
    for_splits, for_folds = np.random.SeedSequence(seed).spawn(2)
    rng = np.random.default_rng(for_splits)
    fold = joblib.delayed(_pipeline_fold if isinstance(selector, Pipeline) else _external_fold)

    def judge(splits: list[Split]) -> list[_Fold]:
        """Select and judge on these splits; the seeds go on from call to call."""
        seeds = [int(s.generate_state(1)[0]) for s in for_folds.spawn(len(splits))]
        alone = table.n_rows < THREADED_ROWS or joblib.effective_n_jobs(n_jobs) > 1
        with one_thread(alone), whole_runs_only(), catch_warnings():
            # Every training part would warn again, with other numbers.
            simplefilter("ignore", RowsWarning)
            parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
            folds = parallel(
                fold(selector, estimator, table, split, s, asked, nominal)
                for split, s in zip(splits, seeds, strict=True)
            )
            done = list(counted(folds, "validating", len(splits), bool(verbose)))
        return _pooled(done, asked, table, splits)

    if table.classes is not None and table.in_memory:
        warn_of_small_classes(table)
    in_time = "time" in table.metadata
    steady = isinstance(scheme, str) and scheme == AUTO and not in_time
    if not table.in_memory:
        seeds = for_folds.generate_state(1 + MOST_STORED_FOLDS).tolist()
        done, name = _scanned_folds(selector, estimator, table, scheme, asked, seeds, verbose)
        overlap = Overlap.named(name, len(done))
    elif steady:
        metric = metric_name(asked, table)
        done, overlap, name = _until_steady(judge, table, rng, metric, margin)
    else:
        splits = external_splits(scheme, table, rng)
        done, overlap = judge(splits), Overlap.of(splits)
        name = scheme if isinstance(scheme, str) else repr(scheme)
    told = [fold.predictions for fold in done if fold.predictions is not None]
    if in_time:
        name = f"{len(done)} windows in time, each after its training rows"
    metric, selected_by = metric_name(asked, table), metric_name(own, table)
    validation = replace(
        _gather(done, overlap),
        scheme=name,
        seed=seed,
        metric=metric,
        selection_metric=None if metric == selected_by else selected_by,
        settings=settings_of(selector, done[0].selection.settings, estimator, asked, table),
        held_out=summarise(told, table) if told else None,
    )
    return replace(validation, margin=default_margin(validation) if margin is None else margin)


def _problem_of(inner: Any, X: Any, y: Any, **given: Any) -> Problem:
    """Return the table with the measure of the selector, read as the selector reads it."""
    return make_problem(
        X.on(getattr(inner, "n_jobs", None)) if is_stored(X) else X,
        y,
        getattr(inner, "measure", "auto"),
        read_elsewhere=FOLDS_ONLY,
        rows=getattr(inner, "_needs_rows", False),
        **given,
    )


def _until_steady(
    judge: Callable[[list[Split]], list[_Fold]],
    table: Table,
    rng: np.random.Generator,
    metric: str,
    margin: float | None,
) -> tuple[list[_Fold], Overlap, str]:
    """Repeat a cross-validation until no single repetition decides the verdict."""
    folds = auto_folds(table)
    done: list[_Fold] = []
    splits: list[Split] = []
    for repetition in range(1, MOST_REPETITIONS + 1):
        new = external_splits(f"1x{folds}cv", table, rng)
        splits, done = [*splits, *new], [*done, *judge(new)]
        if repetition < LEAST_REPETITIONS:
            continue
        overlap = replace(Overlap.of(splits), halves=False)
        found = replace(_gather(done, overlap), metric=metric)
        region = default_margin(found) if margin is None else margin
        if is_steady(found.scores, found.baseline_scores, found.splits_overlap, region, folds):
            break
    return done, overlap, f"{repetition}x{folds}cv"


def _scanned_folds(
    selector: Any,
    estimator: Any,
    table: Any,
    scheme: Any,
    scoring: Any,
    seeds: list[int],
    verbose: int,
) -> tuple[list[_Fold], str]:
    """Select without the rows of each fold of a table outside memory, and judge on them.

    A row is in the fold that a hash of its content gives, other folds than those of the selection;
    or in that of the column ``folds``.
    """
    from ..data._engine.fold_sums import TrainingRows
    from ..data._engine.frame import StoredFrame
    from ..measures._wrappers.scanned import check_scanned, folded, has_sums, scorer_of

    repetitions, folds = scheme_shape(scheme)
    if scheme != AUTO and (repetitions > 1 or folds > MOST_STORED_FOLDS):
        raise InputError(
            f'`scheme` must be "auto" or once 2 to {MOST_STORED_FOLDS} folds, such as "1x10cv", '
            f"for a table that stays where it is, but is {brief(scheme)}."
        )
    if not isinstance(selector, SubsetSelector) or not has_sums(estimator):
        raise InputError(
            "A table that stays where it is can be validated for a SubsetSelector whose estimator "
            "is trained from sums, such as naive-bayes or ridge; load a sample of the rows."
        )
    check_scanned(estimator, "auto", scoring)
    rows = folded(table, folds, salt=seeds[-1])
    judge = scorer_of(rows, estimator, scoring)
    named = {"sample_weight": table.weight, "folds": table.folds}
    found = []
    with whole_runs_only():
        for fold in counted(range(rows.n_folds), "validating", rows.n_folds, bool(verbose)):
            part = StoredFrame(TrainingRows(rows, fold), table.names)
            own = selections.seeded(selector, seeds[fold]).set_params(refit=False)
            found.append(own.fit(part, target=table.target_name, **named))
    masks = [(one.support_, one.allowed_, np.zeros_like(one.support_)) for one in found]
    scores = np.asarray(judge.score(np.concatenate(masks)).folds).reshape(len(found), 3, -1)
    done = []
    for f, one in enumerate(found):
        own, everything, none = scores[f, :, f].tolist()
        chosen = selections.selection_of(one, list(table.names))
        done.append(_Fold(own, everything, none, chosen, []))
    return done, f"1x{len(done)}cv"


def judged(problem: Problem, estimator: Any, selector: Any = None) -> Any:
    """Find the estimator to judge with: given, wrapped, naive Bayes or linear regression."""
    if isinstance(estimator, str):
        return named_estimator(estimator)
    if estimator is not None:
        return estimator
    if isinstance(selector, FeatureWeighter):
        measure: Any = neighbors_measure(selector.measure, selector.cv)
        return NearestNeighbor(measure.k, prototypes=measure.prototypes)
    for holder in (problem.measure if hasattr(selector, "measure") else selector, problem.measure):
        wrapped = getattr(holder, "estimator", None)
        if hasattr(wrapped, "predict"):
            return wrapped
    return default_estimator(problem.table)


def _check_judge(selector: Any, estimator: Any) -> None:
    if isinstance(selector, FeatureWeighter) and estimator is not None:
        raise InputError(
            "`estimator` must be None for a FeatureWeighter, which is judged by nearest neighbours "
            f"under its weights, but is {brief(estimator)}; to judge "
            "another model, validate a pipeline of the weighter and that model."
        )


@dataclass
class _Fold:
    score: float
    baseline: float
    guessing: float
    selection: selections.Selection
    history: list[dict[str, Any]]
    predictions: HeldOutRows | None = None


def _external_fold(
    selector: Any,
    estimator: Any,
    table: Table,
    split: Split,
    seed: int,
    scoring: Any,
    nominal: Features | None,
) -> _Fold:
    """Select on the training rows; judge the subset, all features and none on the others."""
    selector = selections.fit_selector(selector, table.take(split[0]), seed, nominal)
    found = selections.selection_of(selector, list(table.names))
    if isinstance(selector, FeatureWeighter):
        own, equal, none = judge_weights(selector.nearest_neighbor(), table, split)
        return _Fold(float(own), float(equal), float(none), found, [])
    support = found.support
    judge = fold_scorer(estimator, table, split, scoring)
    allowed = getattr(selector, "allowed_", np.ones_like(support))
    scores = judge.score(np.array([support, allowed, np.zeros_like(support)])).value
    history = score_generations(found.history, table.n_features, lambda m: judge.score(m).value)
    told = None
    if is_wanted(table):
        told = fold_predictions(WrappedScorer(estimator, table, (split,), scoring), support, 0)
    return _Fold(float(scores[0]), float(scores[1]), float(scores[2]), found, history, told)


def _pipeline_fold(
    selector: Pipeline,
    estimator: Any,
    table: Table,
    split: Split,
    seed: int,
    scoring: Any,
    nominal: Features | None,
) -> _Fold:
    """Do the same for a pipeline, which is trained and judged as a whole."""
    train = table.take(split[0])
    whole = selections.with_estimator(selections.seeded(selector, seed), estimator)
    fitted = selections.fit_pipeline(whole, train)
    plain = selections.fit_pipeline(selections.without_selectors(whole), train)
    scorer = check_scoring(fitted, scoring=scoring)
    judge = WrappedScorer(estimator, table, (split,), scoring)
    told = None
    if is_wanted(table):
        told = HeldOutRows.of(fitted, take_rows(table.X, split[1]), table, split)
    return _Fold(
        selections.score_pipeline(fitted, scorer, table, split[1]),
        selections.score_pipeline(plain, scorer, table, split[1]),
        judge.empty(0),
        selections.selection_in(fitted, list(table.names)),
        [],
        told,
    )


def _pooled(done: list[_Fold], scoring: Any, table: Table, splits: list[Split]) -> list[_Fold]:
    """Return the folds with R² in units of the variance of all rows, and no feature's worth."""
    scores = np.array([[f.score, f.baseline, f.guessing] for f in done])
    guess = guess_of(table, metric_name(scoring, table))
    if guess is not None:
        empty = [not f.selection.support.any() for f in done]
        excess = scores[:, 2].mean() - guess
        scores[empty, 0] -= excess
        scores[:, 2] -= excess
    columns = pooled_r2(scores.T, scoring, table, splits).T.tolist()
    return [
        replace(fold, score=own, baseline=everything, guessing=none)
        for fold, (own, everything, none) in zip(done, columns, strict=True)
    ]


def _gather(folds: list[_Fold], overlap: Overlap) -> Validation:
    scores = np.array([f.score for f in folds])
    baseline = np.array([f.baseline for f in folds])
    names, supports = _together([f.selection for f in folds])
    inner = [f.selection.score for f in folds if f.selection.score is not None]
    p_value, test = difference_test(scores, baseline, overlap)
    stabilities = stabilities_of(supports)
    return Validation(
        score=float(scores.mean()),
        std=float(scores.std(ddof=1)),
        scores=scores,
        selection_score=float(np.mean(inner)) if inner else None,
        baseline=float(baseline.mean()),
        baseline_std=float(baseline.std(ddof=1)),
        baseline_scores=baseline,
        guessing=float(np.mean([f.guessing for f in folds])),
        p_value=p_value,
        sizes=supports.sum(axis=1).tolist(),
        supports=supports,
        stability=stabilities["nogueira"],
        stabilities=stabilities,
        scheme="",
        test=test,
        names=names,
        history=[f.history for f in folds],
        overlap=overlap,
    )


def _together(found: list[selections.Selection]) -> tuple[list[str], NDArray[np.bool_]]:
    """Return the supports over the features of all folds: a pipeline may make others in each."""
    names = list(dict.fromkeys(name for f in found for name in f.names))
    place = {name: j for j, name in enumerate(names)}
    supports = np.zeros((len(found), len(names)), dtype=bool)
    for row, f in enumerate(found):
        supports[row, [place[f.names[j]] for j in np.flatnonzero(f.support)]] = True
    return names, supports
