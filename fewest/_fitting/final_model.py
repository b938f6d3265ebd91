"""The selector as a model: its estimator, fitted on the chosen features, predicts."""

from __future__ import annotations

import html
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.metrics import check_scoring
from sklearn.utils import ClassifierTags, Tags, estimator_html_repr, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .._errors import InputError, brief
from .._run.result import Result
from ..data._columns import column_names, is_frame
from ..data._dataset import features_and_target
from ..data._engine.open import is_stored, open_source
from ..measures._default import FOR_CLASSES
from ..measures._measure import Measure
from ..measures._models_by_name import is_estimator_name, named_estimator
from ..measures._wrappers.wrapped import chosen_columns, fitted_on, takes_sparse
from .plan import Problem
from .requests import checked_again

#: The diagram names no more features than this.
NAMED = 30
#: Said of a model that is not trained from sums.
FROM_SAMPLE = "The final model was fitted on a stratified sample: {:,} of the {:,} rows."


def wrapped_estimator(measure: Any) -> Any:
    """Find the estimator whose score a measure is; None if there is none before the data.

    >>> wrapped_estimator("gaussian-nb")
    GaussianNB()
    >>> wrapped_estimator("mrmr")
    """
    if isinstance(measure, Measure):
        return measure.estimator
    if not isinstance(measure, str):
        return measure if hasattr(measure, "fit") and not isinstance(measure, type) else None
    try:
        return named_estimator(measure) if is_estimator_name(measure) else None
    except InputError:
        # A wrong parameter, or a package that is not installed: `fit` says so.
        return None


def _delegates(method: str) -> Callable[[Any], bool]:
    """Return whether the estimator has a method, as far as one can tell at this time."""

    def check(selector: Any) -> bool:
        if not selector.refit:
            return False
        if hasattr(selector, "result_"):
            return hasattr(getattr(selector, "estimator_", None), method)
        if isinstance(selector.measure, str) and selector.measure == "auto":
            return all(hasattr(named_estimator(name), method) for name in FOR_CLASSES)
        return hasattr(wrapped_estimator(selector.measure), method)

    return check


class SelectedModel:
    """Attributes of a selector after ``fit`` beside the features.

    The class it is mixed into has the parameters ``measure``, ``n_jobs`` and ``refit``, and after
    ``fit`` ``result_``, ``support_`` and ``measure_``.
    """

    measure: Any
    refit: bool
    n_jobs: int | str | None
    result_: Result
    support_: NDArray[np.bool_]
    measure_: Measure
    estimator_: Any

    def _refit(self, problem: Problem) -> None:
        """Fit the estimator on all rows of the chosen features, if there is one.

        Of a table outside memory it is trained from sums, or on a sample and judged on other rows.
        """
        if hasattr(self, "estimator_"):
            del self.estimator_
        estimator, table = self.measure_.estimator, problem.table
        if not self.refit or estimator is None:
            return
        if not table.in_memory:
            from ..data._engine.samples import draw_sample
            from .outside import trained_from_sums

            stored: Any = table
            model = trained_from_sums(estimator, stored, self.support_)
            if model is not None:
                self.estimator_ = model
                return
            table = draw_sample(stored)
            problem = replace(problem, table=table, stored=stored)
            self.result_.notes.append(FROM_SAMPLE.format(table.n_rows, stored.n_rows))
        scoring = getattr(self.measure_, "scoring", None)
        self.estimator_ = fitted_on(estimator, table, self.support_, scoring)
        if problem.stored is not None:
            self._judge_outside(problem)

    def _judge_outside(self, problem: Problem) -> None:
        """Add the score of ``estimator_`` on the rows of the table outside its sample."""
        from .outside import outside_score

        found = outside_score(self.estimator_, self.support_, problem.stored, problem.table)
        if found is not None:
            self.result_.extra["outside"] = found
            self.result_.notes.append(
                f"On {found['rows']:,.0f} rows outside the sample, the model fitted on the sample "
                f"has {found['metric']} {found['score']:.4f}."
            )

    def transform(self, X: Any) -> Any:
        """Return the chosen features; those of a table outside memory stay where they are.

        Parameters
        ----------
        X : frame, array, or table outside memory
            Of the last, the returned table has a method ``to_parquet`` that writes it in batches.
        """
        if not is_stored(X):
            return super().transform(self._features_of(X))  # type: ignore[misc]
        check_is_fitted(self, "support_")
        return self._stored(X, self.support_)

    def _stored(self, X: Any, chosen: Any = slice(None)) -> Any:
        """Return the features of a table outside memory, all or some that were chosen."""
        from ..data._engine.frame import StoredFrame

        source = open_source(X)
        names = self.feature_names_in_[chosen].tolist()  # type: ignore[attr-defined]
        lost = [name for name in names if name not in source.schema.names]
        if lost:
            raise InputError(
                f"{source.title} must have the columns that {type(self).__name__} was fitted with, "
                f"but has no {', '.join(map(repr, lost[:5]))}."
            )
        return StoredFrame(source, tuple(names))

    def _asked(self, method: str, X: Any, **parameters: Any) -> NDArray[Any]:
        """Return what a method of ``estimator_`` says of the rows, in batches where it must be."""
        check_is_fitted(self, "estimator_")
        if is_stored(X):
            from .outside import predicted

            stored = self._stored(X)
            found = predicted(self.estimator_, method, self.support_, stored.source, stored.columns)
            return np.concatenate(list(found))
        answered: NDArray[Any] = getattr(self.estimator_, method)(self._chosen(X), **parameters)
        return answered

    @available_if(_delegates("predict"))
    def predict(self, X: Any, **parameters: Any) -> NDArray[Any]:
        """Return what ``estimator_`` predicts from the chosen features.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or table outside memory
            All features; those that were not chosen are ignored. The rows of a table outside
            memory are read in batches, and answered in that order.
        **parameters : given to the estimator
        """
        return self._asked("predict", X, **parameters)

    @available_if(_delegates("predict_proba"))
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return the class probabilities of ``estimator_``, as for ``predict``."""
        return self._asked("predict_proba", X)

    @available_if(_delegates("predict_log_proba"))
    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Return the logarithms of the class probabilities, as for ``predict``."""
        return self._asked("predict_log_proba", X)

    @available_if(_delegates("decision_function"))
    def decision_function(self, X: Any) -> NDArray[Any]:
        """Return the decision function of ``estimator_``, as for ``predict``."""
        return self._asked("decision_function", X)

    @available_if(_delegates("score"))
    def score(self, X: Any, y: Any = None, **parameters: Any) -> float:
        """Return the score of ``estimator_`` on these rows, by ``scoring`` where it is given.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        y : array of shape (n_samples,), or as for ``fit``
            Of a table outside memory ``y`` names a column; its rows are read in batches.
        **parameters : given to the scorer, such as ``sample_weight``
        """
        X, y = features_and_target(X, y)
        scoring = getattr(self.measure_, "scoring", None)
        if is_stored(X):
            return self._stored_score(X, y.name, scoring, parameters)
        chosen = self._chosen(X)
        scorer = check_scoring(self.estimator_, scoring=scoring)
        return float(scorer(self.estimator_, chosen, y, **parameters))

    def _stored_score(self, X: Any, target: str, scoring: Any, named: dict[str, Any]) -> float:
        from .outside import outside_score

        check_is_fitted(self, "estimator_")
        table = self._stored(X).on(self.n_jobs).table(target, metadata=named)
        if is_regressor(self.estimator_) != (table.classes is None):
            wanted = "classes" if table.classes is None else "numbers"
            raise InputError(
                f"`y` must hold {wanted} for {type(self.estimator_).__name__}, but the column "
                f"{target!r} does not."
            )
        known = "r2" if table.classes is None else "accuracy"
        if scoring not in (None, known):
            raise InputError(
                f"`scoring` must be {known} for the score on a table that stays where it is, but "
                f"is {brief(scoring)}; load a sample of the rows."
            )
        found = outside_score(self.estimator_, self.support_, table)
        return float("nan") if found is None else float(found["score"])

    def _chosen(self, X: Any) -> Any:
        """Return the chosen columns, in the type in which the estimator was given them."""
        check_is_fitted(self, "estimator_")
        dense = not takes_sparse(self.estimator_)
        return chosen_columns(checked_again(self, self._features_of(X)), self.support_, dense)

    def _features_of(self, X: Any) -> Any:
        """Leave out the column that ``fit`` took as the target, where a frame has it."""
        name = getattr(self, "_target_column", None)
        if name is None or not is_frame(X) or name not in column_names(X):
            return X
        return features_and_target(X, target=name)[0]

    def _html_repr(self) -> str:
        """Return the diagram of scikit-learn, and below it the features that were kept."""
        diagram = str(estimator_html_repr(self))
        if not hasattr(self, "result_"):
            return diagram
        kept = self.result_.features
        more = f" and {len(kept) - NAMED} more" if len(kept) > NAMED else ""
        names = html.escape(", ".join(kept[:NAMED]) + more)
        count = f"{len(kept)} of {self.result_.n_features_in} features are kept"
        return f"{diagram}<p><b>{count}:</b> {names}</p>"

    @property
    def classes_(self) -> NDArray[Any]:
        """Return the classes that ``estimator_`` knows."""
        classes: NDArray[Any] = self.estimator_.classes_
        return classes

    @property
    def n_features_(self) -> int:
        """Return the number of chosen features."""
        return self.result_.n_features

    @property
    def ranking_(self) -> NDArray[np.int64]:
        """1 for the chosen features, then by the best kept subset that contains the feature."""
        return ranking(self.result_)

    @property
    def cv_results_(self) -> dict[str, NDArray[Any]]:
        """Return columns for a frame: a row per scored subset, best first, at most 1000."""
        return scored_subsets(self.result_)


def ranking(result: Result) -> NDArray[np.int64]:
    """Return a rank for every feature: 1 if it is chosen, else by the best subset that contains it.

    Features with the same best score share a rank; those in no subset of the archive come last.
    """
    best = np.full(result.n_features_in, -np.inf)
    for entry in result.archive:
        features = entry["features"]
        best[features] = np.fmax(best[features], entry["value"])
    others = ~result.support
    ranks = np.ones(result.n_features_in, dtype=np.int64)
    ranks[others] = 2 + np.unique(-best[others], return_inverse=True)[1]
    return ranks


def scored_subsets(result: Result) -> dict[str, NDArray[Any]]:
    """Return the archive of a result in columns, named as in scikit-learn where it has the same."""
    archive = result.archive
    features = np.empty(len(archive), dtype=object)
    features[:] = [tuple(result.names[j] for j in entry["features"]) for entry in archive]
    values = np.array([entry["value"] for entry in archive], dtype=np.float64)
    columns = {
        "features": features,
        "n_features": np.array([entry["size"] for entry in archive], dtype=np.int64),
        "mean_test_score": values,
        "rank_test_score": 1 + np.searchsorted(np.sort(-values), -values).astype(np.int64),
        "cost": np.array([entry["cost"] for entry in archive], dtype=np.float64),
        "generation": np.array([entry["generation"] for entry in archive], dtype=np.int64),
    }
    if all("std" in entry for entry in archive):
        columns["std_test_score"] = np.array([entry["std"] for entry in archive], np.float64)
    return columns


def model_tags(tags: Tags, measure: Any, refit: bool) -> Tags:
    """Return the tags of a selector that predicts as the estimator of its measure does."""
    estimator = wrapped_estimator(measure)
    if isinstance(measure, str) and measure == "auto" and refit:
        # It may turn out to predict classes: what reads the probabilities then reads this.
        tags.classifier_tags = ClassifierTags(poor_score=True)
    if estimator is None or not refit:
        return tags
    inner = get_tags(estimator)
    tags.estimator_type = inner.estimator_type
    tags.classifier_tags = deepcopy(inner.classifier_tags)
    tags.regressor_tags = deepcopy(inner.regressor_tags)
    # Of few features, and after few evaluations, a model may be a poor one.
    if tags.classifier_tags is not None:
        tags.classifier_tags.poor_score = True
    if tags.regressor_tags is not None:
        tags.regressor_tags.poor_score = True
    return tags
