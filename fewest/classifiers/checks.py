"""What every classifier asks of the table and the target it is given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array, validate_data

from ..data.columns import is_frame
from ..errors import InputError

Floats = NDArray[np.float64]


def checked_table(estimator: Any, X: Any, reset: bool) -> Any:
    """``X`` with its names and dtypes, after scikit-learn's own checks of its shape."""
    if not is_frame(X) and not isinstance(X, (list, tuple)):
        labels = hasattr(X, "dtype") and X.dtype.kind in "OUSTb"
        X = check_array(
            X,
            dtype=None,
            ensure_all_finite=False if labels else "allow-nan",
            estimator=estimator,
            input_name="X",
        )
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return X


def known_target(estimator: Any, y: Any) -> Any:
    """``y``, which must be there."""
    if y is None:
        raise InputError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None."
        )
    return y
