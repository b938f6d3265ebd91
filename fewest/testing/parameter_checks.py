"""What holds for everything with parameters: they are declared, copied and checked."""

from __future__ import annotations

import dataclasses
import math

from sklearn.base import clone

from ..errors import InputError
from ..parameters import Parameters

#: No declared parameter may be any of these.
JUNK: tuple[object, ...] = ("no such word", -7.25, math.nan, [1, 2], {"a": 1}, object())


def check_parameters_get_set_clone(thing: Parameters) -> None:
    """``get_params`` gives back every field, ``clone`` an equal object, ``set_params`` sets."""
    names = {field.name for field in dataclasses.fields(thing)}
    params = thing.get_params(deep=False)
    assert set(params) == names, f"get_params gives {set(params)}, the fields are {names}"
    twin = clone(thing)
    assert type(twin) is type(thing)
    assert twin is not thing
    for name, value in params.items():
        twin.set_params(**{name: value})
        assert getattr(twin, name) is value


def check_parameters_refuse_junk(thing: Parameters) -> None:
    """Junk in any declared parameter is an :class:`InputError` that names it."""
    thing.check_parameters()
    for field in dataclasses.fields(thing):
        if field.metadata.get("check") is None:
            continue
        for junk in JUNK:
            _check_refused(thing, field.name, junk)


def _check_refused(thing: Parameters, name: str, junk: object) -> None:
    if _allowed(thing, name, junk):
        return
    broken = clone(thing).set_params(**{name: junk})
    try:
        broken.check_parameters()
    except InputError as error:
        text = str(error)
        assert f"`{name}`" in text and "must be" in text and repr(junk) in text, text
        assert text.endswith("."), f"not a sentence: {text}"
    else:
        raise AssertionError(f"`{name}` of {type(thing).__name__} takes {junk!r} silently")


def _allowed(thing: Parameters, name: str, value: object) -> bool:
    """Whether the declaration of a parameter allows a value (a number may well be -7.25)."""
    (field,) = [f for f in dataclasses.fields(thing) if f.name == name]
    return value == -7.25 and bool(field.metadata["check"](value))
