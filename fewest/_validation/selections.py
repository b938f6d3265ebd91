"""One selection on one training part, whatever selects: fewest, scikit-learn, or others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from .._errors import InputError, brief
from .._fitting.estimator import SearchVerb
from .._run.stop_rules import StopKind
from ..classifiers._nearest_neighbor import NearestNeighbor
from ..data._feature_names import Features
from ..data._rows import take_rows
from ..data._table import Table
from ..measures._measure import Measure
from ..measures._wrappers.row_data import FOLDS_ONLY, WEIGHT, scores_weights, weight_name
from ..measures._wrappers.weighted_neighbors import NeighborScorer
from .significance import Split


def judge_weights(model: NearestNeighbor, table: Table, split: Split) -> NDArray[np.float64]:
    """Accuracy of a model on test rows with its weights, equal ones, and none.

    Ranges and neighbours come from the training rows only.
    """
    equal = np.ones(table.n_features)
    batch = np.array([equal if model.weights is None else model.weights, equal, 0.0 * equal])
    scorer = NeighborScorer(model.k, table, ((split,),), prototypes=model.prototypes)
    return scorer.score(batch).value


#: Attributes in which selectors of other libraries keep their answer.
ANSWERS = ("support_", "k_feature_idx_")


@dataclass
class Selection:
    """Choice of one fitted selector."""

    support: NDArray[np.bool_]
    names: list[str]
    score: float | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)


def selects(step: Any) -> bool:
    """Return whether an object is a selector, as in scikit-learn, mlxtend or Boruta."""
    if not hasattr(step, "fit"):
        return False
    kind = f"{type(step).__module__}.{type(step).__name__}".lower()
    return hasattr(step, "get_support") or "boruta" in kind or "feature_selection" in kind


def selectors_in(selector: Any) -> list[Any]:
    """Return the selector itself, or those that a pipeline holds; a sentence if there is none."""
    steps = [step for _, step in selector.steps] if isinstance(selector, Pipeline) else [selector]
    found = [step for step in steps if selects(step)]
    if not found:
        raise InputError(
            "`selector` must be a selector (an object with fit and get_support) or a Pipeline that "
            f"holds one, but is {brief(selector)}."
        )
    if any(getattr(step, "journal", None) is not None for step in found):
        raise InputError("`journal` must be None in `validate`: it runs many times, not once.")
    return found


def fit_selector(selector: Any, train: Table, seed: int, nominal: Features | None) -> Any:
    """Return a clone of the selector, fitted to the training rows."""
    selector = seeded(selector, seed)
    if isinstance(selector, SearchVerb):
        selector.fit_table(train)
        _check_complete(selector)
        return selector
    given = dict(train.metadata)
    if nominal is not None and has_fit_parameter(selector, "nominal"):
        given["nominal"] = nominal
    X, y = train.X, train.y
    if "boruta" in type(selector).__module__.lower():
        X, y = np.asarray(X), np.asarray(y)
    selector.fit(X, y, **given)
    _check_complete(selector)
    return selector


def _check_complete(selector: Any) -> None:
    """Refuse a selection that was cut short."""
    result = getattr(selector, "result_", None)
    if result is None:
        return
    if result.stop_kind is StopKind.INTERRUPT:
        raise KeyboardInterrupt
    if result.stop_kind is StopKind.WORKER:
        raise InputError(
            "The validation cannot go on: a worker process died (out of memory?). Use fewer "
            "workers (`n_jobs`)."
        )


def seeded(selector: Any, seed: int) -> Any:
    """Return a clone whose own random parts start from ``seed``."""
    copy = clone(selector)
    for step in selectors_in(copy):
        if "random_state" in step.get_params(deep=False):
            step.set_params(random_state=seed)
    return copy


def scored_by(selector: Any, scoring: Any) -> Any:
    """Fix the scoring of a selector: training parts must not choose each for itself."""
    if not isinstance(selector, SearchVerb) or selector.scoring is not None or scoring is None:
        return selector
    if isinstance(selector.measure, Measure):
        return selector
    return clone(selector).set_params(scoring=scoring)


def support_of(selector: Any, n_features: int) -> NDArray[np.bool_]:
    """Return which features a fitted selector chose."""
    if hasattr(selector, "get_support"):
        return np.asarray(selector.get_support(), dtype=bool)
    for name in ANSWERS:
        found = getattr(selector, name, None)
        if found is not None:
            found = np.asarray(found)
            mask = np.zeros(n_features, dtype=bool)
            mask[np.flatnonzero(found) if found.dtype == bool else found.astype(np.intp)] = True
            return mask
    raise InputError(
        f"{type(selector).__name__} must have get_support, support_ or k_feature_idx_ after fit, "
        "but has none of them."
    )


def score_of(selector: Any) -> float | None:
    """Return the score that guided a fitted selector, where it says so."""
    result = getattr(selector, "result_", None)
    if result is not None:
        return None if result.folds is None else float(result.score)
    if hasattr(selector, "cv_results_") and hasattr(selector, "n_features_"):
        scores = selector.cv_results_.get("mean_test_score")
        return None if scores is None else float(np.max(scores))
    score = getattr(selector, "k_score_", None)
    return None if score is None else float(score)


def selection_of(selector: Any, names: list[str]) -> Selection:
    """Return what a fitted selector chose among features of these names."""
    result = getattr(selector, "result_", None)
    return Selection(
        support_of(selector, len(names)),
        names,
        score_of(selector),
        [] if result is None else result.history,
        {} if result is None else result.settings,
    )


def with_estimator(pipeline: Pipeline, estimator: Any) -> Pipeline:
    """Return the pipeline with the judged estimator at its end, where a selector ends it."""
    if not selects(pipeline.steps[-1][1]):
        return pipeline
    return Pipeline([*pipeline.steps, ("judged", estimator)])


def without_selectors(pipeline: Pipeline) -> Pipeline:
    """Return the same pipeline that keeps all features."""
    steps = [(name, "passthrough" if selects(step) else step) for name, step in pipeline.steps]
    return Pipeline(
        [(name, step if step == "passthrough" else clone(step)) for name, step in steps]
    )


def fit_pipeline(pipeline: Pipeline, train: Table) -> Pipeline:
    """Fit a pipeline to training rows; metadata go by names such as ``model__sample_weight``."""
    given = {name: rows for name, rows in train.metadata.items() if name not in FOLDS_ONLY}
    pipeline.fit(train.X, train.y, **given)
    for _, step in pipeline.steps:
        _check_complete(step)
    return pipeline


def selection_in(pipeline: Pipeline, names: list[str]) -> Selection:
    """Return what the selectors of a fitted pipeline chose together of the features they get.

    Between two selectors, only steps that keep the number of features can be followed.
    """
    places = [i for i, (_, step) in enumerate(pipeline.steps) if selects(step)]
    first = pipeline.steps[places[0]][1]
    entering = _entering(pipeline, places[0], first, names)
    chosen = np.ones(len(entering), dtype=bool)
    for place in places:
        step = pipeline.steps[place][1]
        own = support_of(step, int(chosen.sum()))
        if len(own) != chosen.sum():
            raise InputError(
                f"The pipeline's step `{pipeline.steps[place][0]}` must see the features that the "
                f"selector before it chose ({int(chosen.sum())}), but sees {len(own)}; leave out "
                "the step between them that changes the features."
            )
        chosen[np.flatnonzero(chosen)[~own]] = False
    last = selection_of(pipeline.steps[places[-1]][1], entering)
    return Selection(chosen, entering, last.score, [], last.settings)


def _entering(pipeline: Pipeline, place: int, selector: Any, names: list[str]) -> list[str]:
    """Return the names of the features that reach the first selector."""
    if place:
        try:
            return [str(n) for n in pipeline[:place].get_feature_names_out(names)]
        except (AttributeError, ValueError):
            pass
    count = getattr(selector, "n_features_in_", len(names))
    return names if count == len(names) else [f"x{j}" for j in range(count)]


def score_pipeline(pipeline: Pipeline, scorer: Any, table: Table, rows: NDArray[np.intp]) -> float:
    """Return the score of a fitted pipeline on the rows left out."""
    weight = table.metadata.get(weight_name(pipeline))
    given = (
        {} if weight is None or not scores_weights(scorer) else {WEIGHT: take_rows(weight, rows)}
    )
    return float(scorer(pipeline, take_rows(table.X, rows), take_rows(table.y, rows), **given))
