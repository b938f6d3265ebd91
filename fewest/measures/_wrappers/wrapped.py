"""The score of any scikit-learn estimator or pipeline on the slices of a table."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from ..._errors import InputError
from ..._parameters import TakesAnyTable
from ..._workers import THREADED_ROWS, one_thread
from ...data._columns import one_block
from ...data._rows import take_columns, take_rows
from ...data._sparse_values import dense_part
from ...data._table import Table
from .._measure import Candidates, Scorer, Scores
from .feature_slices import narrowed
from .refusals import (
    TrainingError,
    check_scorer,
    explain_failure,
    explain_refusal,
    explain_score,
)
from .row_data import route, weight_name
from .splits import Splits

#: Boosters that stop early need rows beside those they train on: so large a share of them.
STOPS_EARLY = ("early_stopping_rounds", "early_stopping_round", "n_iter_no_change")
STOPPING_SHARE = 0.1


class WrappedScorer(Scorer):
    """Trains a clone of the estimator on every fold of every candidate.

    The estimator gets slices of the frame or array as it was given: names, dtypes and missing
    values are untouched, and what it cannot take is for it to say.
    """

    batch = 1
    prefer = "processes"

    def __init__(self, estimator: Any, table: Table, splits: Splits, scoring: Any = None) -> None:
        self.estimator = _quiet(estimator)
        self.table = table
        self.splits = splits
        self.scoring = scoring
        self._empties: dict[int, float] = {}
        check_scorer(scoring)
        self.scorer = check_scoring(estimator, scoring=scoring)
        self.fit_params, self.score_params = route(estimator, self.scorer, table.metadata)
        X: Any = table.values if table.X is None else table.X
        # Columns are sliced for every candidate: by columns that costs what is stored in them.
        self.X = X.tocsc() if sparse.issparse(X) else X
        self.dense = sparse.issparse(X) and not takes_sparse(estimator)
        self.y = _labels(table) if table.y is None else table.y
        self.nominal = nominal_parameter(estimator) if table.nominal.any() else None

    def score(self, candidates: Candidates) -> Scores:
        """The fold scores of every candidate, and their mean."""
        every, count = range(len(self.splits)), len(candidates)
        # One by one: steps are not written out as a whole.
        rows = (np.asarray(candidates[i], dtype=bool) for i in range(count))
        folds = np.array([self.folds_of(row, every) for row in rows]).reshape(count, len(every))
        return Scores(folds.mean(axis=1), folds)

    def folds_of(self, candidate: NDArray[np.bool_], folds: Iterable[int]) -> list[float]:
        """The scores of one candidate on some folds."""
        if not candidate.any():
            return [self.empty(fold) for fold in folds]
        X = self.columns(candidate)
        return [self.fold(X, candidate, fold) for fold in folds]

    def columns(self, candidate: NDArray[np.bool_]) -> Any:
        """The columns of a candidate, as the estimator takes them."""
        return chosen_columns(self.X, candidate, self.dense)

    def fold(self, X: Any, candidate: NDArray[np.bool_], fold: int) -> float:
        """Train on one fold's slice and score its test rows; NaN where that fails.

        It raises where the estimator cannot be trained on other features either.
        """
        try:
            model = self._trained(X, candidate, fold)
        except TrainingError:
            if not self._trains_otherwise(candidate, fold):
                raise
            return float("nan")
        if model is None:
            return self.empty(fold)
        return self._scored(model, X, self.splits[fold][1], candidate)

    def _trains_otherwise(self, candidate: NDArray[np.bool_], fold: int) -> bool:
        """Return whether the estimator can be trained on this fold with other features.

        Then it is the candidate that it cannot take, such as a constant column alone, and not
        the parameters or the rows.
        """
        half = np.arange(len(candidate)) < len(candidate) // 2
        for other in (np.ones_like(half), half, ~half):
            if other.any() and not np.array_equal(other, candidate):
                try:
                    self._trained(self.columns(other), other, fold)
                except InputError:
                    continue
                return True
        return False

    def _trained(self, X: Any, candidate: NDArray[np.bool_], fold: int) -> Any:
        """A clone trained on the rows of a fold; None where it would see no column."""
        return self._fitted(X, candidate, self.splits[fold][0])

    def _fitted(self, X: Any, candidate: NDArray[np.bool_], train: Any) -> Any:
        """A clone trained on some rows, all of them for None."""
        model = narrowed(self.estimator, self.table.names, candidate)
        if model is None:
            return None
        stopping: dict[str, Any] = {}
        if _stops_early(model):
            train, held = self._inner_part(train)
            stopping = _eval_set(model, take_rows(X, held), take_rows(self.y, held))
        given = stopping | {k: _some(v, train) for k, v in self.fit_params.items()}
        if self.nominal is not None:
            given[self.nominal] = np.flatnonzero(self.table.nominal[candidate]).tolist()
        try:
            with one_thread(self.table.n_rows < THREADED_ROWS), warnings.catch_warnings():
                # LightGBM's new way with such rows takes no labels of classes yet.
                warnings.filterwarnings("ignore", "The argument 'eval_set' is deprecated")
                model.fit(_some(X, train), _some(self.y, train), **given)
        except InputError:
            raise
        except Exception as error:
            raise explain_failure(error, self.estimator, self.table, candidate) from error
        return model

    def _inner_part(self, train: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the rows to train on, and a stratified tenth that tells when to stop."""
        rows = np.arange(self.table.n_rows) if train is None else np.asarray(train)
        held = self.table.sampled(rows, -(-len(rows) // round(1 / STOPPING_SHARE)), 0)
        return np.setdiff1d(rows, held), held

    def _scored(self, model: Any, X: Any, test: NDArray[Any], candidate: NDArray[Any]) -> float:
        given = {k: take_rows(v, test) for k, v in self.score_params.items()}
        try:
            with one_thread(self.table.n_rows < THREADED_ROWS):
                found = self.scorer(model, take_rows(X, test), take_rows(self.y, test), **given)
            return float(found)
        except Exception as error:
            refusal = explain_score(error, self.table) or explain_refusal(
                error, self.estimator, self.table, candidate
            )
            if refusal is not None:
                raise refusal from error
            # What cross_val_score does: a level unseen in training, for example, has no score.
            return float("nan")

    def model(self, candidate: NDArray[np.bool_], fold: int) -> tuple[Any, Any]:
        """Return a clone trained on the rows of a fold, and the columns that it predicts from.

        Without features it predicts the class frequencies, or the mean.
        """
        X = self.columns(candidate)
        model = self._trained(X, candidate, fold) if candidate.any() else None
        return self._without_features(fold) if model is None else (model, X)

    def _without_features(self, fold: int) -> tuple[Any, Any]:
        train = self.splits[fold][0]
        model, X = _dummy(self.estimator, self.table), np.zeros((self.table.n_rows, 1))
        weight = self.fit_params.get(weight_name(self.estimator))
        weight = None if weight is None else take_rows(weight, train)
        return model.fit(X[train], take_rows(self.y, train), sample_weight=weight), X

    def empty(self, fold: int) -> float:
        """The score without any feature: the class frequencies, or the mean, alone."""
        if fold not in self._empties:
            model, X = self._without_features(fold)
            test = self.splits[fold][1]
            given = {k: take_rows(v, test) for k, v in self.score_params.items()}
            scorer = check_scoring(model, scoring=self.scoring)
            try:
                self._empties[fold] = float(
                    scorer(model, X[test], take_rows(self.y, test), **given)
                )
            except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
                raise explain_score(error, self.table) or InputError(
                    "`scoring` must return a number for an estimator, X and y, but raises "
                    f"{type(error).__name__}: {' '.join(str(error).split())}."
                ) from error
        return self._empties[fold]


def plain_table(estimator: Any, table: Table) -> Table:
    """Return the table without its frame, where that is one block of numbers for the model.

    The built-in encoder and classifiers read an array to the same numbers, in less time.
    """
    first = estimator.steps[0][1] if isinstance(estimator, Pipeline) else estimator
    plain = isinstance(first, TakesAnyTable) and not table.nominal.any()
    return replace(table, X=None) if plain and one_block(table.X) is not None else table


def _quiet(estimator: Any) -> Any:
    """Return the estimator; LightGBM writes lines about every training unless it is told not to."""
    parts = {"": estimator, **estimator.get_params()} if hasattr(estimator, "get_params") else {}
    loud = {
        f"{name}__verbose".removeprefix("__"): -1
        for name, part in parts.items()
        if type(part).__module__.startswith("lightgbm.")
        and not {"verbose", "verbosity"} & set(part.get_params())
    }
    return clone(estimator).set_params(**loud) if loud else estimator


def _stops_early(model: Any) -> bool:
    """Return whether a booster is to stop early on rows that it gets beside the training rows."""
    if not has_fit_parameter(model, "eval_set"):
        return False
    given = model.get_params(deep=False)
    return any(given.get(name) for name in STOPS_EARLY)


def _eval_set(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """Return the parameters of ``fit`` that give a booster the rows on which it stops."""
    quiet = {"verbose": False} if has_fit_parameter(model, "verbose") else {}
    return {"eval_set": [(X, y)], **quiet}


def _some(values: Any, rows: NDArray[Any] | None) -> Any:
    """Some rows, or all of them without a copy."""
    return values if rows is None else take_rows(values, rows)


def nominal_parameter(estimator: Any) -> str | None:
    """Return the parameter of ``fit`` that says which columns are nominal; None without one.

    Of a pipeline, that of its first step.
    """
    if not isinstance(estimator, Pipeline):
        return "nominal" if has_fit_parameter(estimator, "nominal") else None
    name, step = estimator.steps[0]
    inner = nominal_parameter(step)
    if inner is None or get_config()["enable_metadata_routing"]:
        return inner
    return f"{name}__{inner}"


def takes_sparse(estimator: Any) -> bool:
    """Whether an estimator says that it can be trained on sparse data."""
    return bool(get_tags(estimator).input_tags.sparse)


def chosen_columns(X: Any, support: NDArray[np.bool_], dense: bool) -> Any:
    """Some columns of ``X``; of a sparse matrix as an array if ``dense``."""
    columns = take_columns(X, support)
    return dense_part(columns) if dense and sparse.issparse(columns) else columns


def fitted_on(estimator: Any, table: Table, subset: NDArray[np.bool_], scoring: Any = None) -> Any:
    """A clone trained on all rows of a subset, with the metadata that folds would get.

    Without any feature it is a dummy: the class frequencies, or the mean.
    """
    scorer = WrappedScorer(estimator, table, (), scoring)
    X = scorer.columns(subset)
    model = scorer._fitted(X, subset, None) if subset.any() else None
    if model is not None:
        return model
    dummy = _dummy(estimator, table)
    return dummy.fit(X, scorer.y, sample_weight=scorer.fit_params.get(weight_name(estimator)))


def _labels(table: Table) -> NDArray[Any]:
    return table.target if table.classes is None else table.classes[table.target]


def _dummy(estimator: Any, table: Table) -> Any:
    """What predicts without features: the class frequencies, or the mean."""
    classes = table.classes is not None or (table.n_targets > 1 and is_classifier(estimator))
    return DummyClassifier(strategy="prior") if classes else DummyRegressor()
