"""From what a person says (names, positions, costs by name) to a space of subsets."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...data.feature_names import Features, feature_positions
from ...errors import InputError
from .subsets import Subsets


def subsets_of(
    names: tuple[str, ...],
    *,
    include: Features | None = None,
    exclude: Features | None = None,
    groups: Iterable[Features] | None = None,
    costs: Mapping[Any, float] | Sequence[float] | None = None,
    budget: float | None = None,
    min_features: int = 1,
    max_features: int | None = None,
) -> Subsets:
    """The subsets of the features ``names`` under constraints.

    Features are given as :func:`~fewest.data.feature_names.feature_positions` reads them: by
    name, position, slice, pattern or function.

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
        include=feature_positions(include, names, "include"),
        exclude=feature_positions(exclude, names, "exclude"),
        groups=() if groups is None else _groups(groups, names),
        min_features=min_features,
        max_features=max_features,
        costs=None if costs is None else _costs(costs, names),
        budget=None if budget is None else _budget(budget),
    )


def _groups(groups: Any, names: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    whole = isinstance(groups, str) or not isinstance(groups, Iterable)
    listed = [groups] if whole else list(groups)
    for group in listed:
        if whole or isinstance(group, str | numbers.Integral):
            raise InputError(
                "`groups` must be a list of groups, each a list of features such as "
                f"{list(names[:2])!r}, but {'is' if whole else 'holds'} {group!r}."
            )
    return tuple(feature_positions(group, names, "groups") for group in listed)


def _costs(costs: Any, names: tuple[str, ...]) -> tuple[float, ...]:
    if isinstance(costs, Mapping):
        by_position: dict[int, float] = {}
        for features, cost in costs.items():
            for j in feature_positions(features, names, "costs"):
                if by_position.setdefault(j, cost) != cost:
                    raise InputError(
                        f"`costs` must give each feature one cost, but gives {names[j]!r} two."
                    )
        missing = [names[j] for j in range(len(names)) if j not in by_position]
        if missing:
            raise InputError(f"`costs` must name every feature, but {missing[0]!r} has no cost.")
        costs = [by_position[j] for j in range(len(names))]
    try:
        return tuple(float(c) for c in costs)
    except (TypeError, ValueError):
        raise InputError(f"`costs` must hold one number a feature, but is {costs!r}.") from None


def _budget(budget: Any) -> float:
    if isinstance(budget, bool) or not isinstance(budget, numbers.Real) or not float(budget) >= 0:
        raise InputError(f"`budget` must be a number of at least 0, but is {budget!r}.")
    return float(budget)
