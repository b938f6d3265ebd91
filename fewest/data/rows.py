"""Rows and columns of whatever holds them: arrays, frames, lists."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def take_rows(values: Any, rows: NDArray[Any]) -> Any:
    """These rows of an array, a frame, a series or a list, in its own type."""
    from sklearn.utils import _safe_indexing

    return _safe_indexing(values, np.asarray(rows), axis=0)
