"""Parameters that know what they may be: declared beside their default, checked in one place.

A search or a measure is a dataclass; each field says what it may hold::

    @dataclass
    class Walk(Parameters):
        steps: int = whole(100, low=1)
        bias: float = number(0.5, low=0.0, high=1.0)
        order: str = one_of("forward", "backward")

``walk.check_parameters()`` raises one sentence for the first field that holds something else. Only
the first field can be given by position.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sklearn.base import BaseEstimator

from .errors import InputError, brief

Check = Callable[[object], bool]
#: No run can use more of anything; larger numbers only overflow later, without a sentence.
MOST = 10**12


def declared(default: object, must: str, check: Check, optional: bool = False) -> Any:
    """Return a field that must be what ``check`` accepts and ``must`` says."""
    if optional:
        must += ", or None"
    return dataclasses.field(
        default=default,
        metadata={"must": must, "check": lambda v: (optional and v is None) or check(v)},
    )


def _range(low: float, high: float) -> str:
    if math.isfinite(low) and math.isfinite(high):
        return f" between {low:g} and {high:g}"
    if math.isfinite(low):
        return f" of at least {low:g}"
    return f" of at most {high:g}" if math.isfinite(high) else ""


def whole(
    default: int | None, low: float = 0, high: float = math.inf, optional: bool = False
) -> Any:
    """A whole number between ``low`` and ``high``; never beyond what arrays can count."""
    most = min(high, MOST)

    def check(v: object) -> bool:
        return isinstance(v, numbers.Integral) and not isinstance(v, bool) and low <= int(v) <= most

    limit = f" (below {MOST:.0e})" if math.isinf(high) else ""
    return declared(default, "a whole number" + _range(low, high) + limit, check, optional)


def number(
    default: float | None, low: float = -math.inf, high: float = math.inf, optional: bool = False
) -> Any:
    """A finite number between ``low`` and ``high``."""

    def check(v: object) -> bool:
        return (
            isinstance(v, numbers.Real)
            and not isinstance(v, bool)
            and math.isfinite(float(v))
            and low <= float(v) <= high
        )

    return declared(default, "a number" + _range(low, high), check, optional)


def one_of(default: str, *others: str, optional: bool = False) -> Any:
    """One of a few words; the first is the default."""
    words = (default, *others)
    must = " or ".join(f'"{w}"' for w in words)
    return declared(default, must, lambda v: isinstance(v, str) and v in words, optional)


def flag(default: bool) -> Any:
    """True or False."""
    return declared(default, "True or False", lambda v: isinstance(v, bool), False)


def is_whole(value: object) -> bool:
    """Return whether it is a whole number, and not a truth value."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_list(value: object) -> bool:
    """Return whether it holds several values, and is not a text."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        return False
    iter(value)  # an odd object refuses here, and not in the middle of the work
    return bool(getattr(value, "ndim", 1) > 0)


def estimator_field(optional: bool = False) -> Any:
    """Return a field for a scikit-learn estimator."""
    must = "a scikit-learn estimator (an object with fit)"
    return declared(None, must, lambda v: hasattr(v, "fit") and not isinstance(v, type), optional)


def folds_field() -> Any:
    """Return a field for the folds of a cross-validation."""

    def check(v: object) -> bool:
        splits = hasattr(v, "split") and not isinstance(v, type | str | bytes)
        known = isinstance(v, str) and v == "auto"
        if isinstance(v, list | tuple):
            return all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in v)
        return known or is_whole(v) or splits or (is_list(v) and not isinstance(v, Mapping))

    must = (
        '"auto", a number of folds from 2 on, a scikit-learn splitter or an iterable of (training '
        "rows, test rows)"
    )
    return declared("auto", must, check, optional=True)


def scoring_field() -> Any:
    """Return a field for one scorer."""
    must = "one scorer (the name of one, or a function of estimator, X and y)"
    return declared(
        None, must, lambda v: isinstance(v, str) or (callable(v) and not isinstance(v, type)), True
    )


def holds(field: Any, value: object) -> bool:
    """Return whether a value is what a field must hold; an odd object may refuse any question."""
    try:
        return bool(field.metadata["check"](value))
    except Exception:
        return False


class Parameters(BaseEstimator):
    """Base of everything with parameters: dataclass fields, scikit-learn's get, set and clone."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Make every field but the first keyword-only, before ``dataclass`` reads them."""
        super().__init_subclass__(**options)
        inherited = any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
        own = [n for n, kind in inspect.get_annotations(cls).items() if "ClassVar" not in str(kind)]
        for name in own if inherited else own[1:]:
            default = vars(cls).get(name, dataclasses.MISSING)
            if isinstance(default, dataclasses.Field):
                default.kw_only = True
            elif default is not dataclasses.MISSING:
                setattr(cls, name, dataclasses.field(default=default, kw_only=True))

    def check_parameters(self) -> None:
        """Raise :class:`InputError` for the first parameter that is not what it must be."""
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if "check" in field.metadata and not holds(field, value):
                raise InputError(
                    f"`{field.name}` of {type(self).__name__} must be "
                    f"{field.metadata['must']}, but is {brief(value)}."
                )
