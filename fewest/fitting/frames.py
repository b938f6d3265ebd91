"""What scikit-learn asks of X before anything else: shape, names, number of features."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from ..data.columns import column_names, is_frame, is_structured, unique_names
from ..data.engine.open import is_stored
from ..data.table import Table
from ..errors import InputError


def checked_frame(estimator: Any, X: Any, y: Any, *, needs_target: bool = True) -> Any:
    """``X`` as it is if it is a frame, else as an array; its names and width are remembered."""
    if y is None and needs_target:
        raise InputError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    if is_stored(X):
        return X
    if is_structured(X):
        estimator.feature_names_in_ = np.array(X.dtype.names, dtype=object)
        estimator.n_features_in_ = len(X.dtype.names)
        return X
    if is_frame(X):
        unique_names(column_names(X))
    try:
        return _validated(estimator, X)
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        # The rest of the message prints the data.
        reason = str(error).splitlines()[0].rstrip(":.")
        raise InputError(f"`X` must be a table of numbers or labels: {reason}.") from error


def remember_names(estimator: Any, table: Table) -> None:
    """The names of a table outside memory, which are known after its first scan."""
    if not table.in_memory:
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
        estimator.n_features_in_ = table.n_features


def checked_again(estimator: Any, X: Any) -> Any:
    """``X`` after ``fit``: the features must be those that ``fit`` has seen."""
    if not is_structured(X):
        # As in `transform`: arrays must be finite in all columns if the estimator needs it.
        finite = not get_tags(estimator).input_tags.allow_nan
        return _validated(estimator, X, reset=False, finite=finite)
    if list(X.dtype.names) != list(getattr(estimator, "feature_names_in_", X.dtype.names)):
        raise InputError(
            f"`X` must have the columns that {type(estimator).__name__} was fitted with, in the "
            "same order, but has others."
        )
    return X


def _validated(estimator: Any, X: Any, reset: bool = True, finite: bool = False) -> Any:
    if is_frame(X):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return X
    kind = getattr(X, "dtype", None)
    # Objects and strings are labels here, so they are not pressed into numbers.
    return validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=("csr", "csc") if get_tags(estimator).input_tags.sparse else False,
        dtype=None if kind is None or np.dtype(kind).kind not in "c" else "numeric",
        ensure_all_finite=finite,
    )
