"""Why an estimator refused a slice of the table: one sentence with the columns and the remedy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names

from ..._errors import InputError, did_you_mean
from ...data._table import Table

_ABOUT_NAN = re.compile(r"\bnan\b|missing|null", re.IGNORECASE)
_ABOUT_LABELS = re.compile(
    r"string|convert|literal|dtype|numeric|object|categor|'<' not supported|unsupported operand"
)

#: Boosters that take columns of categories as they are.
TAKES_CATEGORIES = ("LGBM", "XGB", "HistGradientBoosting", "CatBoost")


class TrainingError(InputError):
    """An estimator that could not be trained, for a reason that may lie in the subset."""


def check_scorer(scoring: Any) -> None:
    """Refuse a name that is no scorer of scikit-learn.

    >>> check_scorer("acuracy")
    Traceback (most recent call last):
    fewest._errors.InputError: `scoring` must be a scorer of scikit-learn, but is 'acuracy'. Did you
    mean accuracy or top_k_accuracy?
    """
    known = get_scorer_names() if isinstance(scoring, str) else []
    if isinstance(scoring, str) and scoring not in known:
        hint = did_you_mean(scoring, known, " One of them is balanced_accuracy.")
        raise InputError(f"`scoring` must be a scorer of scikit-learn, but is {scoring!r}.{hint}")


def explain_failure(
    error: Exception, estimator: Any, table: Table, candidate: NDArray[np.bool_]
) -> InputError:
    """Return the sentence for a training that failed."""
    known = explain_refusal(error, estimator, table, candidate)
    if known is not None:
        return known
    names = _listed(table, np.flatnonzero(candidate))
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    return TrainingError(
        f"{type(estimator).__name__} could not be trained on {names}; it says "
        f"({type(error).__name__}): {first}"
    )


def explain_score(error: Exception, table: Table) -> InputError | None:
    """Return the sentence for a score that does not go with the classes, or None."""
    message, classes = str(error), [] if table.classes is None else table.classes.tolist()
    if classes and ("pos_label=1" in message or "average='binary'" in message):
        return InputError(
            f"`scoring` must go with the classes, but this one is for the classes 0 and 1, and "
            f'`y` holds {classes[0]!r}; use one of all classes, such as scoring="f1_macro".'
        )
    if "string to float" in message and any(repr(str(label)) in message for label in classes):
        return InputError(
            f"`scoring` must be a score of classes, because `y` holds {classes[0]!r}, but this "
            'one is for numbers; use another, such as scoring="balanced_accuracy".'
        )
    return None


def explain_refusal(
    error: Exception, estimator: Any, table: Table, candidate: NDArray[np.bool_]
) -> InputError | None:
    """The sentence for values that the estimator does not take, or None if it is not that."""
    message, who = str(error), type(estimator).__name__
    if "Invalid classes inferred" in message and table.classes is not None:
        return InputError(
            f"{who} must be given classes that are numbers from 0 on, but `y` holds "
            f"{table.classes.tolist()[0]!r}; number them (LabelEncoder), or use another booster, "
            'such as measure="lightgbm".'
        )
    labels = [j for j in np.flatnonzero(candidate) if _holds_labels(table, j)]
    if labels and isinstance(error, (TypeError, ValueError)) and _ABOUT_LABELS.search(message):
        kinds = {table.names[j]: "category" for j in labels[:3]}
        remedy = (
            f"make them categories (X.astype({kinds}))"
            if who.startswith(TAKES_CATEGORIES)
            else "encode them in a Pipeline (OneHotEncoder, OrdinalEncoder)"
        )
        return InputError(
            f"{who} must be given numbers, but {_listed(table, labels)} hold{_s(labels)} labels; "
            f"{remedy}, exclude them, or use an estimator that takes them, such as "
            'measure="naive-bayes".'
        )
    missing = np.flatnonzero(candidate & table.incomplete)
    if len(missing) and _ABOUT_NAN.search(message):
        return InputError(
            f"{who} must be given known values, but {_listed(table, missing)} "
            f"ha{'s' if len(missing) == 1 else 've'} missing ones (NaN); fill them in a Pipeline "
            "(SimpleImputer), exclude them, or use an estimator that takes NaN, such as "
            'measure="naive-bayes".'
        )
    return None


def _holds_labels(table: Table, j: Any) -> bool:
    levels = table.levels[j]
    return levels is not None and any(isinstance(v, (str, bytes)) for v in levels)


def _listed(table: Table, columns: Any, most: int = 5) -> str:
    names = [repr(table.names[j]) for j in columns]
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _s(columns: Any) -> str:
    return "s" if len(columns) == 1 else ""
