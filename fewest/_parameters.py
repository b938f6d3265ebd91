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
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from ._errors import InputError, brief

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
    """Declare a whole number between ``low`` and ``high``, never beyond what arrays can count.

    Examples
    --------
    >>> whole(100, low=1).default
    100
    """
    most = min(high, MOST)

    def check(v: object) -> bool:
        return isinstance(v, numbers.Integral) and not isinstance(v, bool) and low <= int(v) <= most

    limit = f" (below {MOST:.0e})" if math.isinf(high) else ""
    return declared(default, "a whole number" + _range(low, high) + limit, check, optional)


def number(
    default: float | None, low: float = -math.inf, high: float = math.inf, optional: bool = False
) -> Any:
    """Declare a finite number between ``low`` and ``high``.

    Examples
    --------
    >>> number(0.5, low=0.0, high=1.0).metadata["must"]
    'a number between 0 and 1'
    """

    def check(v: object) -> bool:
        return (
            isinstance(v, numbers.Real)
            and not isinstance(v, bool)
            and math.isfinite(float(v))
            and low <= float(v) <= high
        )

    return declared(default, "a number" + _range(low, high), check, optional)


def one_of(default: str, *others: str, optional: bool = False) -> Any:
    """Declare one of a few words; the first is the default.

    Examples
    --------
    >>> one_of("forward", "backward").metadata["must"]
    '"forward" or "backward"'
    """
    words = (default, *others)
    must = " or ".join(f'"{w}"' for w in words)
    return declared(default, must, lambda v: isinstance(v, str) and v in words, optional)


def flag(default: bool) -> Any:
    """Declare a parameter that is True or False.

    Examples
    --------
    >>> flag(True).default
    True
    """
    return declared(default, "True or False", lambda v: isinstance(v, bool), False)


def is_whole(value: object) -> bool:
    """Return whether it is a whole number, and not a truth value."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_list(value: object) -> bool:
    """Return whether it holds several values, and is not a text."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        return False
    try:
        iter(value)
    except Exception:  # an array of no dimension, or an object that refuses
        return False
    return True


def estimator_field(optional: bool = False) -> Any:
    """Return a field for a scikit-learn estimator."""
    must = "a scikit-learn estimator (an object with fit)"
    return declared(None, must, lambda v: hasattr(v, "fit") and not isinstance(v, type), optional)


def folds_field() -> Any:
    """Return a field for the folds of a cross-validation."""

    def check(v: object) -> bool:
        splits = hasattr(v, "split") and not isinstance(v, type | str | bytes | bytearray)
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


if TYPE_CHECKING:

    class BaseEstimator:
        """Base class of scikit-learn, with types: a wrong parameter is an error."""

        n_features_in_: int

        def __sklearn_tags__(self) -> Any: ...

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """Return the parameters by name."""
            raise NotImplementedError

        def set_params(self, **parameters: Any) -> Self:
            """Set parameters by name."""
            raise NotImplementedError

    class ClassifierMixin:
        """Mix-in of scikit-learn for classifiers."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Return the accuracy on rows."""
            raise NotImplementedError

        def __sklearn_tags__(self) -> Any: ...

    class MetaEstimatorMixin:
        """Mix-in of scikit-learn for estimators that hold another one."""

    class TransformerMixin:
        """Mix-in of scikit-learn for transformers."""

        def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
            """Fit, and return the transformed rows."""

        def set_output(self, *, transform: str | None = None) -> Self:
            """Set the container of transformed rows: "default", "pandas" or "polars"."""
            raise NotImplementedError

        def __sklearn_tags__(self) -> Any: ...

    class SelectorMixin(TransformerMixin):
        """Mix-in of scikit-learn for selectors of features."""

        def get_support(self, indices: bool = False) -> Any:
            """Return which features are chosen, as a mask or as positions."""

        def transform(self, X: Any) -> Any:
            """Return the chosen columns."""

        def inverse_transform(self, X: Any) -> Any:
            """Return the rows with zeros in the columns that were not chosen."""

        def get_feature_names_out(self, input_features: Any = None) -> Any:
            """Return the names of the chosen features."""

else:
    from sklearn.base import BaseEstimator
    from sklearn.base import ClassifierMixin as ClassifierMixin
    from sklearn.base import MetaEstimatorMixin as MetaEstimatorMixin
    from sklearn.base import TransformerMixin as TransformerMixin


class TakesAnyTable(BaseEstimator):
    """Estimator that takes labels, and unknown values unless it says why not."""

    #: Why the method cannot take unknown values; empty where it can.
    refuses_unknown = ""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self.refuses_unknown
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class Parameters(BaseEstimator):
    """Base of everything with parameters: dataclass fields, scikit-learn's get, set and clone.

    Examples
    --------
    >>> from fewest.search import UMDA
    >>> UMDA(population=0).check_parameters()
    Traceback (most recent call last):
    fewest._errors.InputError: `population` of UMDA must be ...
    """

    #: Example for each named subclass in this package without one; ``{name}`` is its class.
    example: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        """Make every field but the first keyword-only, before ``dataclass`` reads them."""
        super().__init_subclass__(**options)
        if cls.__doc__:
            cls.__doc__ = _with_inherited_parts(cls, inspect.cleandoc(cls.__doc__))
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


_PARAMETERS = re.compile(r"\n\nParameters\n-+\n(.*?)(?=\n\n|\Z)", re.S)


def _documented(doc: str) -> dict[str, str]:
    """Return the entries of the section "Parameters" by their names."""
    section = _PARAMETERS.search(doc)
    entries = re.split(r"\n(?=\S)", section[1]) if section else []
    return {entry.split(" : ")[0]: entry for entry in entries}


def _with_inherited_parts(cls: type[Parameters], doc: str) -> str:
    """Add the parameters that the bases document, and the example of the family, to a docstring."""
    own = _documented(doc)
    named = {name for names in own for name in names.split(", ")}
    bases = [base for base in cls.__bases__ if issubclass(base, Parameters)]
    above = [entry for base in bases for entry in _documented(base.__doc__ or "").items()]
    inherited = {names: text for names, text in above if named.isdisjoint(names.split(", "))}
    if inherited:
        before = re.split(r"\n\n(?=\w+\n---)", doc)[0]
        after = _PARAMETERS.sub("", doc)[len(before) :]
        fields = [name for base in reversed(cls.__mro__) for name in inspect.get_annotations(base)]
        entries = inherited | own
        names = sorted(entries, key=lambda n: [*fields, n.split(", ")[0]].index(n.split(", ")[0]))
        listed = "\n".join(entries[n] for n in names)
        doc = f"{before}\n\nParameters\n----------\n{listed}{after}"
    ours = "name" in vars(cls) and cls.__module__.startswith(f"{__package__}.")
    if cls.example and ours and "\n\nExamples\n---" not in doc:
        example = inspect.cleandoc(cls.example).replace("{name}", cls.__name__)
        doc += f"\n\nExamples\n--------\n{example}"
    return doc


def seed_of(random_state: Any) -> int:
    """Return a whole number that repeats the run, from whatever scikit-learn allows."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise InputError(f"`random_state` must be at least 0, but is {random_state}.")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise InputError(
        f"`random_state` must be a whole number, a numpy Generator, a RandomState or None, "
        f"but is {brief(random_state)}."
    )


def streams(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Return the two streams of a run: one for the measure (its folds), one for the search."""
    folds, search = np.random.SeedSequence(seed).spawn(2)
    return np.random.default_rng(folds), np.random.default_rng(search)
