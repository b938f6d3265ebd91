"""Weights of rows: how many rows each row stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from .._errors import InputError
from ._table import Table

Floats = NDArray[np.float64]


def checked_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Return the weights as numbers, one per row and not all 0; ones where there are none."""
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weight: Floats = check_array(
            sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
        )
    except Exception as error:  # objects of a stranger may raise anything
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"`sample_weight` must hold one number per row: {reason}") from None
    if weight.shape != (n_rows,) or (weight < 0.0).any():
        raise InputError(
            f"`sample_weight` must hold {n_rows} numbers of at least 0 (one per row), but has "
            f"the shape {weight.shape} and the smallest entry {weight.min():g}."
        )
    if not weight.any():
        raise InputError(
            "`sample_weight` must be above 0 somewhere (Sample weights must contain at least "
            "one non-zero number), but is 0 in every row."
        )
    return weight


def weighted_rows(table: Table) -> tuple[Table, Floats | None]:
    """Return the rows with a weight above 0, and their weights; None where every weight is 1."""
    given = table.metadata.get("sample_weight")
    if given is None:
        return table, None
    weight = checked_weights(given, table.n_rows)
    if (weight == 1.0).all():
        return table, None
    if not weight.all():
        table, weight = table.take(weight > 0.0), weight[weight > 0.0]
    return table, weight


def whole_weights(weight: Floats, measure: str) -> NDArray[np.int32]:
    """Return the weights as whole numbers, for a measure that counts rows."""
    if (weight % 1.0).any() or weight.sum() >= 2.0**31:
        odd = float(weight[int(np.argmax(weight % 1.0))])
        raise InputError(
            f"`sample_weight` must hold whole numbers for the measure `{measure}`, which counts "
            f"rows (below 2^31 in all), but holds {odd:g}; round the weights, or use a measure "
            "such as mdl-fs."
        )
    return weight.astype(np.int32)
