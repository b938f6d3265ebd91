"""Which estimators can be scored by scans, and the scorer of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from ....classifiers.bayes.naive_bayes import NaiveBayes
from ....errors import InputError
from ...base import Scorer
from ..sources.pipelines import model_of

if TYPE_CHECKING:
    from ....data.engine.stored import StoredTable

#: Folds of ``cv="auto"``.
FOLDS = 10
CLASSIFIERS = (NaiveBayes, GaussianNB, LinearDiscriminantAnalysis)
REGRESSORS = (LinearRegression, Ridge)
SQUARES = (None, "r2", "neg_mean_squared_error", "neg_root_mean_squared_error")


def check_scanned(estimator: Any, cv: Any, scoring: Any) -> None:
    """Raise a sentence for an estimator, folds or a score that need the rows in memory."""
    model, scaled = model_of(estimator), estimator is not model_of(estimator)
    scans = type(model) in (*CLASSIFIERS, *REGRESSORS)
    if not scans or (scaled and (type(model) is NaiveBayes or not _is_scaled(estimator))):
        raise InputError(
            f"The estimator {type(estimator).__name__} needs the rows in memory, but they stay "
            "where they are; use naive-bayes, gaussian-nb, lda, linear-regression or ridge, or "
            "load a sample."
        )
    if cv != "auto" and (not isinstance(cv, int) or isinstance(cv, bool) or cv < 2):
        raise InputError(
            '`cv` must be "auto" or a number of folds from 2 on for a table that stays where it '
            f"is (or name a column: `folds`), but is {cv!r}."
        )
    known = SQUARES if type(model) in REGRESSORS else (None, "accuracy")
    if scoring not in known:
        listed = ", ".join(str(name) for name in known[1:])
        raise InputError(
            f"`scoring` must be {listed} for a table that stays where it is, but is {scoring!r}."
        )


def scanned_scorer(estimator: Any, table: StoredTable, cv: Any, scoring: Any) -> Scorer:
    """The scorer, after one scan for its sums."""
    from ....data.engine.rows import FoldedRows
    from .bayes import scanned_bayes
    from .discriminant import scanned_discriminant
    from .regression import scanned_regression

    n_folds = FOLDS if cv == "auto" else int(cv)
    if table.folds is not None:
        n_folds = len(table.tally.found[table.folds])
    rows = FoldedRows(table, n_folds)
    model = model_of(estimator)
    scaled = model is not estimator
    classes = type(model) in CLASSIFIERS
    if classes != (table.classes is not None):
        kind, found = ("classes", "numbers") if classes else ("numbers", "classes")
        raise InputError(f"`y` must hold {kind} for {type(model).__name__}, but holds {found}.")
    if type(model) in REGRESSORS:
        return scanned_regression(rows, model, scaled, scoring)
    if type(model) is LinearDiscriminantAnalysis:
        return scanned_discriminant(rows, model)
    return scanned_bayes(rows, model)


def _is_scaled(estimator: Any) -> bool:
    """Return whether it is a pipeline of a StandardScaler with its defaults and a model."""
    scaler = estimator.steps[0][1]
    plain = type(scaler) is StandardScaler and scaler.with_mean and scaler.with_std
    return bool(plain and len(estimator.steps) == 2)
