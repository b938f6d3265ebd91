"""Format of a saved result; anything else is named with its field."""

import dataclasses
import functools
import types
import typing
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, NotRequired, Required, TypedDict, get_type_hints

import numpy as np

from .._errors import InputError, brief

#: How the note begins that says why the metric is not accuracy.
METRIC_NOTE = "Subsets are scored by"


def check_fields(
    plain: Mapping[str, Any], hints: Mapping[str, Any], needed: Iterable[str], where: str
) -> None:
    """Refuse data that lack a needed field, or hold a field of another type than declared.

    >>> check_fields({"seed": "x"}, {"seed": int}, ["seed"], "r.json")
    Traceback (most recent call last):
    fewest._errors.InputError: `seed` in r.json must be a whole number, but is 'x'.
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
    """Return whether plain data could be read as this type; null stands for an unknown number.

    >>> fits([1, 2.5], list[float]), fits([1, "a"], list[float]), fits(None, int | None)
    (True, False, True)
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if typing.is_typeddict(hint):
        return isinstance(value, dict)
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
    """Return whether it is a number, True, False or null, or a row of them."""
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
    """Describe a type in words.

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
    if typing.is_typeddict(hint):
        return "an object"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "one of " + ", ".join(str(one.value) for one in hint)
    return _WORDS.get(origin or hint, str(hint))


Plain = dict[str, Any]
#: What the predictions of held-out rows show, of classes and of numbers.
RECALLS: Plain = {"recalls": list[dict[str, Any]], "threshold": dict[str, Any] | None}
RECALL: Plain = {"label": str, "rows": int, "recall": float}
THRESHOLD: Plain = {
    "label": str, "other": str, "value": float, "probability": bool, "recall": float,
    "recall_of_other": float, "precision": float,
}  # fmt: skip
ROBUST: Plain = dict.fromkeys(
    ("median_absolute_error", "median_absolute_error_of_median", "rank_correlation", "tail_share"),
    float,
)


class GenerationFigures(TypedDict):
    """Generation of a run; numbers are None where no candidate had a score."""

    generation: int
    evaluations: int
    best: float | None
    mean: float | None
    std: float | None
    mean_size: float
    best_so_far: float | None
    best_size: int
    candidates: NotRequired[int]
    best_features: NotRequired[list[int] | None]
    frequency: NotRequired[list[float]]
    seconds: NotRequired[float]
    scoring_seconds: NotRequired[float]
    search_seconds: NotRequired[float]


class ScoredSubset(TypedDict):
    """Subset of the archive: the positions of its features, and its scores."""

    features: list[int]
    value: float
    size: int
    cost: float
    generation: int
    std: NotRequired[float]
    goals: NotRequired[dict[str, float]]


class NetworkFigures(TypedDict):
    """Graph that a search learned: arcs are pairs of positions in ``names``."""

    names: list[str]
    arcs: list[list[int]]
    rows: int
    parameters: NotRequired[int]


class HonestFigures(TypedDict):
    """Plain data of a validation; see :class:`fewest.Validation` for their meaning."""

    score: float
    std: float
    scores: list[float]
    baseline: float
    baseline_std: float
    baseline_scores: list[float]
    p_value: float
    sizes: list[int]
    supports: list[list[bool]]
    stability: float
    stabilities: dict[str, float]
    scheme: str
    test: str
    metric: str
    accuracy: NotRequired[float]
    selection_score: NotRequired[float | None]
    selection_metric: NotRequired[str | None]
    guessing: NotRequired[float | None]
    names: NotRequired[list[str]]
    seed: NotRequired[int]
    settings: NotRequired[dict[str, Any]]
    overlap: NotRequired[dict[str, Any] | None]
    margin: NotRequired[float]
    interval: NotRequired[list[float]]
    difference: NotRequired[dict[str, Any]]
    optimism: NotRequired[float | None]
    held_out: NotRequired[dict[str, Any] | None]
    warning: NotRequired[str | None]
    worthless: NotRequired[bool]
    by_generation: NotRequired[list[list[dict[str, Any]]]]


class CorrectedFigures(TypedDict, total=False):
    """Plain data of a replayed search; see :func:`fewest.corrected_score`."""

    score: Required[float]
    scores: list[float]
    optimism: float
    replayed: str
    share: float
    all_scores: list[float] | None
    metric: str | None
    rows: int | None
    interval: list[float]


class StandIn(TypedDict):
    """Feature that could replace a chosen one, and what the score would change."""

    feature: str
    by: str
    difference: float
    redundancy: float


class Extra(TypedDict, total=False):
    """Fields that only some runs have."""

    audit: dict[str, Any]
    best_ordering: list[str]
    bound_of: str
    check: dict[str, Any]
    consensus: dict[str, Any]
    curve: dict[str, Any]
    costs: list[float]
    cuts: dict[str, list[float]]
    evidence: dict[str, Any]
    excluded: list[int]
    goals: list[dict[str, Any]]
    in_all_optima: list[str]
    learning_curve: list[dict[str, Any]]
    missing: dict[str, int]
    models: dict[str, Any]
    network: NetworkFigures
    operations: float
    ordering: list[str]
    outside: dict[str, Any]
    permutation: dict[str, Any]
    phase_seconds: dict[str, float]
    ranking: list[int]
    sizes: list[dict[str, Any]]
    stand_ins: list[StandIn]
    votes_set_aside: bool
    weights: list[float]
    k: int


def check_shape(plain: Mapping[str, Any], shape: Any, where: str) -> None:
    """Refuse data that do not have the fields of this typed dictionary."""
    hints = _hints(shape)
    needed = [name for name in hints if name in shape.__required_keys__]
    check_fields(plain, hints, needed, where)


_hints = functools.cache(get_type_hints)


def check_format(plain: Plain, newest: int, where: str) -> None:
    """Refuse a format that this version does not know."""
    found = plain.get("format")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise InputError(f"`format` in {where} must be a whole number, but is {brief(found)}.")
    if found > newest:
        raise InputError(
            f"{where} was written by a newer fewest ({plain.get('version')}): upgrade to read it."
        )


def check_result(plain: Plain, cls: type, where: str) -> None:
    """Refuse the plain data of a result that do not have the fields of ``cls``."""
    fields = [f for f in dataclasses.fields(cls) if f.name in plain or _is_needed(f)]
    check_fields(plain, get_type_hints(cls), [f.name for f in fields], where)
    names, support = plain["names"], plain["support"]
    if len(support) != len(names) or not all(isinstance(bit, bool) for bit in support):
        raise InputError(f"`support` in {where} must be true or false for each of its names.")
    if plain["features"] != [name for name, bit in zip(names, support, strict=True) if bit]:
        raise InputError(f"`features` in {where} must be the names that `support` marks.")
    for name, shape in (
        ("history", GenerationFigures), ("archive", ScoredSubset), ("front", ScoredSubset)
    ):  # fmt: skip
        for i, entry in enumerate(plain.get(name, [])):
            check_shape(entry, shape, f"`{name}[{i}]` of {where}")
    for entry in [*plain["archive"], *plain.get("front", [])]:
        if not all(0 <= j < len(names) for j in entry["features"]):
            raise InputError(f"`archive` in {where} must point to its {len(names)} names.")
    _check_shares(plain["history"], len(names), where)
    _check_honest(plain.get("honest"), len(names), where)
    _check_extra(plain.get("extra", {}), where)


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _check_shares(history: list[Plain], n: int, where: str) -> None:
    for i, entry in enumerate(history):
        shares = entry.get("frequency", [0.0] * n)
        check_fields({"frequency": shares}, {"frequency": list[float]}, (), where)
        if len(shares) != n or None in shares:
            raise InputError(f"`history[{i}].frequency` in {where} must have {n} numbers.")


def _check_honest(honest: Plain | None, n: int, where: str) -> None:
    if honest is None:
        return
    check_shape(honest, HonestFigures, f"`honest` of {where}")
    folds = len(honest["scores"])
    rows = honest["supports"]
    same = {folds, len(honest["baseline_scores"]), len(honest["sizes"]), len(rows)} == {folds}
    if folds < 2 or not same or any(len(row) != n for row in rows):
        raise InputError(f"`honest` in {where} must have one entry per fold in all its lists.")
    _check_held_out(honest.get("held_out"), f"`honest.held_out` of {where}")


def _check_held_out(told: Plain | None, where: str) -> None:
    if told is None:
        return
    check_fields({"held_out": told}, {"held_out": dict[str, Any]}, (), where)
    if "recalls" not in told:
        _check_numbers(told, ROBUST, where)
        return
    check_fields(told, RECALLS, RECALLS, where)
    for one in told["recalls"]:
        _check_numbers(one, RECALL, where)
    if told["threshold"] is not None:
        _check_numbers(told["threshold"], THRESHOLD, where)


def _check_numbers(plain: Plain, shape: Plain, where: str) -> None:
    check_fields(plain, shape, shape, where)
    if None in plain.values():
        raise InputError(f"{where} must have a value for each of its names, but one is null.")


def _check_extra(extra: Plain, where: str) -> None:
    network = extra.get("network")
    if network is None:
        return
    inside = f"`extra.network` of {where}"
    check_fields({"network": network}, {"network": dict[str, Any]}, (), inside)
    check_shape(network, NetworkFigures, inside)
    ends = [end for arc in network["arcs"] for end in arc]
    if any(len(arc) != 2 for arc in network["arcs"]) or not all(
        0 <= end < len(network["names"]) for end in ends
    ):
        raise InputError(f"`arcs` in {inside} must be pairs that point to its names.")
