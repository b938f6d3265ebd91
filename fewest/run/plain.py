"""Plain data for JSON."""

from __future__ import annotations

from typing import Any

import numpy as np


def finite(value: Any) -> Any:
    """Plain data without NaN and infinity, which JSON does not have: they become None.

    >>> finite({"a": (1.0, float("nan"))})
    {'a': [1.0, None]}
    """
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
