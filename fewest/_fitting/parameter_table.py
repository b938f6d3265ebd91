"""What every parameter of the estimators may be: one table for the checks and for the manual."""

from __future__ import annotations

import numbers
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._errors import InputError, brief
from .._models.family_scores import Score
from .._parameters import (
    Parameters,
    declared,
    flag,
    folds_field,
    holds,
    is_list,
    is_whole,
    number,
    one_of,
    scoring_field,
    whole,
)
from .._run.stop_rules import Stop
from ..data._discretise import Discretiser
from ..measures._measure import Measure
from ..measures._wrappers.refusals import check_scorer
from ..search._auto import Guidelines
from ..search._search import Search


def _is_estimator(value: object) -> bool:
    return hasattr(value, "fit") and not isinstance(value, type)


def _is_rule(value: object) -> bool:
    return value is None or isinstance(value, Stop) or (isinstance(value, str) and value == "auto")


def _are_rules(value: object) -> bool:
    return _is_rule(value) or (isinstance(value, list | tuple) and all(map(_is_rule, value)))


def _is_path(value: object) -> bool:
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    return isinstance(text, str) and bool(text) and "\x00" not in text


def _is_random(value: object) -> bool:
    return is_whole(value) or isinstance(value, np.random.Generator | np.random.RandomState)


def _are_features(value: object) -> bool:
    single = isinstance(value, str | slice) or is_whole(value) or hasattr(value, "search")
    return single or is_list(value) or (callable(value) and not isinstance(value, type))


def _is_few(n: Any) -> bool:
    return -10_000 <= int(n) <= 10_000


def _is_word_or_number(value: object) -> bool:
    return isinstance(value, str | numbers.Real) and not isinstance(value, bool)


def _is_word_or_list(value: object) -> bool:
    return isinstance(value, str) or is_list(value)


def _is_scheme(value: object) -> bool:
    splits = hasattr(value, "split") and not isinstance(value, type | bytes | bytearray)
    return isinstance(value, str) or is_whole(value) or splits


def _are_named(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(name, str) for name in value)


FEATURES = "features: names, positions, slices, patterns, functions of a name, or a mask"
SCORE = (str, Score, Measure)
#: Each parameter with its default, what it must be in words, and the check of it. What depends on
#: the data (such as the number of features) is checked where the data are.
OPTIONS: dict[str, Any] = {
    "measure": declared(
        "auto", "a Measure, the name of one, or a scikit-learn estimator",
        lambda v: isinstance(v, str | Measure) or _is_estimator(v),
    ),
    "search": declared(
        "auto", "a Search or its name",
        lambda v: isinstance(v, str | Search | Guidelines),
    ),
    "score": declared("bic", "a name, a Score or an InferentialLoss",
                      lambda v: isinstance(v, SCORE)),
    "stop": declared(
        "auto", '"auto", None, a stop rule such as fewest.stop.Seconds(60), or a list of these',
        _are_rules,
    ),
    "choose": declared("fewest", "the name of a rule, a number of features or a tolerance",
                       _is_word_or_number),
    "consensus": declared(
        "auto", '"auto", "archive", "replay" or a number of subsamples',
        lambda v: isinstance(v, str) or is_whole(v), True,
    ),
    "values": declared("auto", '"auto", "levels", "continuous" or a list of weights',
                       lambda v: _is_word_or_list(v) or is_whole(v)),
    "start": declared("filters", "a word, or a list of weights", _is_word_or_list, True),
    "include": declared(None, FEATURES, _are_features, True),
    "exclude": declared(None, FEATURES, _are_features, True),
    "nominal": declared(None, FEATURES, _are_features, True),
    "groups": declared(None, "a list of groups, each a list of features", is_list, True),
    "costs": declared(None, "one number a feature, or a mapping of features to numbers",
                      lambda v: is_list(v) or isinstance(v, Mapping), True),
    "budget": number(None, low=0, optional=True),
    "min_features": whole(0),
    "max_features": declared(
        None, 'a whole number from 1 on, a share of the features between 0 and 1, or "sqrt"',
        _is_word_or_number, True,
    ),
    "task": one_of("auto", "classification", "regression", optional=True),
    "cv": folds_field(),
    "scoring": scoring_field(),
    "estimator": declared(None, "a scikit-learn estimator or the name of one",
                          lambda v: isinstance(v, str) or _is_estimator(v), True),
    "n_jobs": declared(None, "a number of workers (at most 10,000), or the address of a cluster",
                       lambda v: isinstance(v, str) or (is_whole(v) and _is_few(v)), True),
    "journal": declared(None, "the path of a file", _is_path, True),
    "random_state": declared(
        None, "a whole number, a numpy Generator, a RandomState", _is_random, True
    ),
    "verbose": declared(0, "a whole number of at least 0",
                        lambda v: isinstance(v, numbers.Integral) and int(v) >= 0),
    "refit": flag(True),
    "racing": flag(False),
    "audit": flag(True),
    "screen": whole(None, low=1, optional=True),
    "max_parents": whole(4, optional=True),
    "discretiser": declared(
        None, "a Discretiser", lambda v: isinstance(v, Discretiser), True
    ),
    "prior": number(1.0, low=0.0),
    "selector": declared(
        None, "a selector, or a pipeline that holds one, before the data", _is_estimator
    ),
    "selectors": declared(
        None,
        'a mapping of names to selectors, such as {"sfs": SubsetSelector(search="sfs")}',
        _are_named,
    ),
    "classifiers": declared(None, "a mapping of names to classifiers", _are_named),
    "families": declared(
        None, "a mapping of names to lists of classifiers",
        lambda v: _are_named(v) and all(map(is_list, v.values())), True,  # type: ignore[attr-defined]
    ),
    "scheme": declared("auto", '"auto", like "5x2cv", a number of folds or a splitter', _is_scheme),
    "margin": number(None, low=0.0, optional=True),
    "repeats": whole(20),
    "simplify": declared("recover", "a word", lambda v: isinstance(v, str)),
    "subsets": declared(None, "a list of subsets, or one row of True and False per subset",
                        is_list),
}  # fmt: skip


def check_options(given: Mapping[str, Any]) -> None:
    """Raise a sentence for the first of these parameters that is not what it must be.

    Examples
    --------
    >>> check_options({"verbose": "loud"})
    Traceback (most recent call last):
    fewest._errors.InputError: `verbose` must be a whole number of at least 0, but is 'loud'.
    """
    for name, value in given.items():
        option = OPTIONS.get(name)
        if option is None:
            continue
        if not holds(option, value):
            must = option.metadata["must"]
            raise InputError(f"`{name}` must be {must}, but is {brief(value)}.")
        for part in value if isinstance(value, list | tuple) else (value,):
            if isinstance(part, Parameters):
                part.check_parameters()
        if name == "scoring":
            check_scorer(value)
