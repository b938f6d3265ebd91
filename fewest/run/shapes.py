"""Whether plain data from a file have the types that a class declares; what does not is named."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import numpy as np

from ..errors import InputError, brief


def check_fields(
    plain: Mapping[str, Any], hints: Mapping[str, Any], needed: Iterable[str], where: str
) -> None:
    """Refuse data that lack a needed field, or hold a field of another type than declared.

    >>> check_fields({"seed": "x"}, {"seed": int}, ["seed"], "r.json")
    Traceback (most recent call last):
    fewest.errors.InputError: `seed` in r.json must be a whole number, but is 'x'.
    """
    for name in needed:
        if name not in plain:
            raise InputError(f"{where} has no field `{name}`: it is damaged, or not whole.")
    for name, value in plain.items():
        if name in hints and not fits(value, hints[name]):
            raise InputError(
                f"`{name}` in {where} must be {words(hints[name])}, but is {brief(value)}."
            )


def fits(value: Any, hint: Any) -> bool:
    """Whether plain data could be read as this type; null stands for a number that is unknown.

    >>> fits([1, 2.5], list[float]), fits([1, "a"], list[float]), fits(None, int | None)
    (True, False, True)
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin is np.ndarray:
        return isinstance(value, list) and all(_is_cell(one) for one in value)
    if origin is list:
        return isinstance(value, list) and all(fits(one, inner[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(one, inner[1]) for one in value.values())
    return _is_plain(value, hint)


def _is_plain(value: Any, hint: Any) -> bool:
    if hint is float:
        return value is None or _is_number(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
    if isinstance(hint, type) and issubclass(hint, Enum):
        return value in {one.value for one in hint}
    return isinstance(value, hint) if isinstance(hint, type) else value is hint


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _is_cell(value: Any) -> bool:
    """A number, True, False or null, or a row of them."""
    if isinstance(value, list):
        return all(_is_cell(one) for one in value)
    return value is None or isinstance(value, bool) or _is_number(value)


_WORDS = {
    float: "a number",
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    type(None): "null",
    dict: "an object",
}


def words(hint: Any) -> str:
    """A type as people say it.

    >>> words(list[str] | None)
    'a list (of a text each) or null'
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(words(one) for one in inner)
    if origin is list:
        return "a list" if inner[0] is Any else f"a list (of {words(inner[0])} each)"
    if origin is np.ndarray:
        return "a list of numbers"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "one of " + ", ".join(str(one.value) for one in hint)
    return _WORDS.get(origin or hint, str(hint))
