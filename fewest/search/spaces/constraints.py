"""From what a person says (names, positions, costs by name) to a space of subsets."""

from __future__ import annotations

import difflib
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import InputError
from .subsets import Subsets


def subsets_of(
    names: tuple[str, ...],
    *,
    include: Iterable[Any] | None = None,
    exclude: Iterable[Any] | None = None,
    groups: Iterable[Iterable[Any]] | None = None,
    costs: Mapping[Any, float] | Sequence[float] | None = None,
    budget: float | None = None,
    min_features: int = 1,
    max_features: int | None = None,
) -> Subsets:
    """The subsets of the features ``names`` under constraints given by name or position.

    Examples
    --------
    >>> subsets_of(("age", "sex", "dose"), include=["dose"], max_features=2).include
    (2,)
    """
    for what, size in (("min_features", min_features), ("max_features", max_features)):
        optional = what == "max_features" and size is None
        if not optional and (isinstance(size, bool) or not isinstance(size, numbers.Integral)):
            raise InputError(
                f"`{what}` must be a whole number between 1 and {len(names)} (the number of "
                f"features), but is {size!r}."
            )
    return Subsets(
        len(names),
        include=positions(include, names, "include"),
        exclude=positions(exclude, names, "exclude"),
        groups=tuple(positions(group, names, "groups") for group in groups or ()),
        min_features=min_features,
        max_features=max_features,
        costs=_costs(costs, names),
        budget=_budget(budget),
    )


def positions(features: Any, names: tuple[str, ...], parameter: str) -> tuple[int, ...]:
    """The sorted positions of features given by name, by position, or as a bool mask."""
    if features is None:
        return ()
    if isinstance(features, str):
        raise InputError(
            f"`{parameter}` must be a list of features, but is the string {features!r}; "
            f"write [{features!r}]."
        )
    listed = list(features)
    if len(listed) == len(names) and all(isinstance(f, bool | np.bool_) for f in listed):
        listed = np.flatnonzero(listed).tolist()
    return tuple(sorted({_position(f, names, parameter) for f in listed}))


def _position(feature: Any, names: tuple[str, ...], parameter: str) -> int:
    if isinstance(feature, str):
        if feature in names:
            return names.index(feature)
        near = difflib.get_close_matches(feature, names, n=3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise InputError(f"`{parameter}` names {feature!r}, but there is no such feature.{hint}")
    if isinstance(feature, numbers.Integral) and not isinstance(feature, bool):
        if -len(names) <= int(feature) < len(names):
            return int(feature) % len(names)
        raise InputError(
            f"`{parameter}` holds the position {feature}, but positions run from 0 to "
            f"{len(names) - 1}."
        )
    raise InputError(f"`{parameter}` must hold names or positions, but holds {feature!r}.")


def _costs(costs: Any, names: tuple[str, ...]) -> tuple[float, ...] | None:
    if costs is None:
        return None
    if isinstance(costs, Mapping):
        by_position = {_position(f, names, "costs"): cost for f, cost in costs.items()}
        missing = [names[j] for j in range(len(names)) if j not in by_position]
        if missing:
            raise InputError(f"`costs` must name every feature, but {missing[0]!r} has no cost.")
        costs = [by_position[j] for j in range(len(names))]
    try:
        return tuple(float(c) for c in costs)
    except (TypeError, ValueError):
        raise InputError(f"`costs` must hold one number a feature, but is {costs!r}.") from None


def _budget(budget: Any) -> float | None:
    if budget is None:
        return None
    if isinstance(budget, bool) or not isinstance(budget, numbers.Real) or not float(budget) >= 0:
        raise InputError(f"`budget` must be a number of at least 0, but is {budget!r}.")
    return float(budget)
