"""Long histories in a file: one list per quantity instead of one object per generation."""

from __future__ import annotations

import json
from typing import Any

from ..errors import InputError

Plain = dict[str, Any]
#: Written only where it changes; null means "as in the generation before".
BEST = "best_features"
#: Shares of features; 0.0 and 1.0, which most of them are, are written as 0 and 1.
SHARES = "frequency"


def columns(history: list[Plain]) -> Plain | list[Plain]:
    """The entries as columns; unchanged where they do not all have the same keys.

    >>> columns([{"best": 0.5, "best_features": [2]}, {"best": 0.6, "best_features": [2]}])
    {'best': [0.5, 0.6], 'best_features': [[2], None]}
    """
    keys = list(history[0]) if history else []
    if not keys or any(list(entry) != keys for entry in history):
        return history
    found: Plain = {key: [entry[key] for entry in history] for key in keys}
    if BEST in found:
        told = found[BEST]
        changes = (a != b for a, b in zip(told[1:], told, strict=False))
        found[BEST] = [told[0], *(t if c else None for t, c in zip(told[1:], changes, strict=True))]
    if SHARES in found and all(isinstance(row, list) for row in found[SHARES]):
        found[SHARES] = [[int(s) if s in (0.0, 1.0) else s for s in row] for row in found[SHARES]]
    return found


def entries(told: Any, where: str) -> Any:
    """The entries behind columns; anything that is not an object of lists stays as it is.

    >>> entries({"best": [0.5, 0.6], "best_features": [[2], None]}, "r.json")[1]
    {'best': 0.6, 'best_features': [2]}
    """
    if not isinstance(told, dict):
        return told
    lists = list(told.values())
    if not all(isinstance(one, list) for one in lists) or len({len(one) for one in lists}) > 1:
        raise InputError(
            f"`history` in {where} must have one list per quantity, all of the same length."
        )
    if BEST in told:
        told = {**told, BEST: _filled(told[BEST])}
    return [dict(zip(told, entry, strict=True)) for entry in zip(*told.values(), strict=True)]


def _filled(changes: list[Any]) -> list[Any]:
    filled, last = [], None
    for change in changes:
        last = last if change is None else change
        filled.append(last)
    return filled


def lines(plain: Plain) -> str:
    """JSON with one line per field: short, and still readable and comparable by lines.

    >>> print(lines({"a": [1, 2], "b": None}), end="")
    {
     "a": [1,2],
     "b": null
    }
    """
    told = (
        f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'), allow_nan=False)}"
        for key, value in plain.items()
    )
    return "{\n" + ",\n".join(told) + "\n}\n"
