"""Which features are meant: names, positions, slices, patterns, functions or a mask."""

from __future__ import annotations

import numbers
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .._errors import InputError, brief, did_you_mean

#: What may stand for one feature or several; an iterable of these too.
Features = str | int | slice | re.Pattern[str] | Callable[[str], bool] | Iterable[Any]


def feature_positions(
    features: Features | None, names: Iterable[str], parameter: str
) -> tuple[int, ...]:
    """Return the sorted positions of the features that are meant.

    features: a name; a position (negative ones count from the end); a slice of
        positions, or of names with the last one inside, as in pandas; a compiled regular expression
        that is searched in the names; a function from a name to True or False; a mask with one bool
        per feature; or an iterable of these. None means no feature.
    names: the names of all features.
    parameter: how errors call it.
    """
    names = tuple(names)
    if features is None:
        return ()
    if isinstance(features, (str, numbers.Integral, slice, re.Pattern)) or callable(features):
        return tuple(sorted(_positions(features, names, parameter)))
    if not isinstance(features, Iterable) or getattr(features, "ndim", 1) == 0:
        raise InputError(
            f"`{parameter}` must hold names or positions of features, but is {brief(features)}."
        )
    listed = list(features)
    if listed and all(isinstance(f, (bool, np.bool_)) for f in listed):
        return _from_mask(listed, names, parameter)
    return tuple(sorted({p for f in listed for p in _positions(f, names, parameter)}))


def feature_position(feature: Any, names: Iterable[str], parameter: str) -> int:
    """Return the position of one feature."""
    found = feature_positions(feature, names, parameter)
    if len(found) != 1:
        raise InputError(
            f"`{parameter}` must be one feature, but {feature!r} stands for {len(found)}."
        )
    return found[0]


def _from_mask(mask: list[Any], names: tuple[str, ...], parameter: str) -> tuple[int, ...]:
    if len(mask) != len(names):
        raise InputError(
            f"`{parameter}` as a mask must have {len(names)} entries (the number of features), "
            f"but has {len(mask)}."
        )
    return tuple(int(j) for j in np.flatnonzero(mask))


def _positions(feature: Any, names: tuple[str, ...], parameter: str) -> list[int]:
    """Return the positions that one choice stands for."""
    if isinstance(feature, str):
        return [_of_name(feature, names, parameter)]
    if isinstance(feature, numbers.Integral) and not isinstance(feature, bool):
        return [_of_number(int(feature), names, parameter)]
    if isinstance(feature, slice):
        return _of_slice(feature, names, parameter)
    if isinstance(feature, re.Pattern):
        found = [j for j, name in enumerate(names) if feature.search(name)]
        return _some(found, f"the pattern {feature.pattern!r} matches", parameter)
    if callable(feature):
        found = _accepted(feature, names, parameter)
        return _some(found, "the function accepts", parameter)
    raise InputError(
        f"`{parameter}` must hold names or positions of features, but holds {brief(feature)}."
    )


def _accepted(accepts: Callable[[str], Any], names: tuple[str, ...], parameter: str) -> list[int]:
    try:
        return [j for j, name in enumerate(names) if accepts(name)]
    except Exception as error:  # the function is the user's
        raise InputError(
            f"`{parameter}` must be a function that says True or False for a name, but it raises "
            f"{type(error).__name__}: {error}."
        ) from error


def _of_name(name: str, names: tuple[str, ...], parameter: str) -> int:
    if name in names:
        return names.index(name)
    hint = did_you_mean(name, names)
    raise InputError(f"`{parameter}` names {name!r}, but there is no such feature.{hint}")


def _of_number(position: int, names: tuple[str, ...], parameter: str) -> int:
    if -len(names) <= position < len(names):
        return position % len(names)
    if str(position) in names:
        # A frame whose columns are called by numbers.
        return names.index(str(position))
    raise InputError(
        f"`{parameter}` holds the position {position}, but positions run from 0 to "
        f"{len(names) - 1}."
    )


def _of_slice(part: slice, names: tuple[str, ...], parameter: str) -> list[int]:
    start, stop = part.start, part.stop
    if isinstance(start, str):
        start = _of_name(start, names, parameter)
    if isinstance(stop, str):
        stop = _of_name(stop, names, parameter) + 1
    try:
        found = list(range(len(names))[slice(start, stop, part.step)])
    except TypeError:
        raise InputError(
            f"`{parameter}` must have slices of names or positions, but has {part!r}."
        ) from None
    return _some(found, f"{part!r} covers", parameter)


def _some(found: list[int], what: str, parameter: str) -> list[int]:
    if not found:
        raise InputError(f"`{parameter}` must stand for some features, but {what} none.")
    return found
