"""Plain data for JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from ..data.loaders.source import refuse_special
from ..errors import InputError


def read_json(path: str | os.PathLike[str], what: str) -> Any:
    """The data in a JSON file, or a sentence that says why it cannot be read."""
    refuse_special(path)
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_refuse)
    except OSError as error:
        raise InputError(f"The {what} {path} cannot be read ({error.strerror}).") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a {what} of fewest: it is not JSON.") from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def finite(value: Any) -> Any:
    """Plain data without NaN and infinity, which JSON does not have: they become None.

    >>> finite({"a": (1.0, float("nan"))})
    {'a': [1.0, None]}
    """
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        # Lists of numbers are long: they are not worth a call for each number.
        return [
            (v if v - v == 0.0 else None) if type(v) is float
            else v if type(v) is int
            else finite(v)
            for v in value
        ]  # fmt: skip
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
