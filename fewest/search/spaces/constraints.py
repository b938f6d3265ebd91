"""From what a person says (names, positions, costs by name) to a space of subsets."""

from __future__ import annotations

import math
import numbers
import warnings
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
    max_features: float | str | None = None,
) -> Subsets:
    """The subsets of the features ``names`` under constraints.

    Features are given as :func:`~fewest.data.feature_names.feature_positions` reads them: by
    name, position, slice, pattern or function. ``max_features`` is a number, a share of the
    features between 0 and 1, or ``"sqrt"``; more than there are is all of them, with a warning.
    Features that a mapping ``costs`` does not name cost 1.

    Examples
    --------
    >>> subsets_of(("age", "sex", "dose"), include=["dose"], max_features=2).include
    (2,)
    >>> subsets_of(("age", "sex", "dose"), max_features=0.7).max_features
    2
    """
    if isinstance(min_features, bool) or not isinstance(min_features, numbers.Integral):
        raise InputError(
            f"`min_features` must be a whole number between 0 and {len(names)} (the number of "
            f"features), but is {min_features!r}."
        )
    return Subsets(
        len(names),
        include=feature_positions(include, names, "include"),
        exclude=feature_positions(exclude, names, "exclude"),
        groups=() if groups is None else _groups(groups, names),
        min_features=min_features,
        max_features=None if max_features is None else _largest(max_features, len(names)),
        costs=None if costs is None else _costs(costs, names),
        budget=None if budget is None else _budget(budget),
    )


def _largest(size: Any, n_features: int) -> int:
    """The largest size behind a number, a share of the features or ``"sqrt"``."""
    if isinstance(size, str) and size == "sqrt":
        return max(1, math.isqrt(n_features))
    if isinstance(size, numbers.Integral) and not isinstance(size, bool):
        if int(size) > n_features:
            warnings.warn(
                f"`max_features` is {size}, but there are {n_features} features: all may be "
                "selected.",
                stacklevel=2,
            )
        return min(int(size), n_features)
    whole = isinstance(size, numbers.Integral)
    if isinstance(size, numbers.Real) and not whole and 0 < float(size) <= 1:
        # Shares such as 0.29 of 100 are 28.999... in binary.
        return max(1, math.floor(float(size) * n_features + 1e-9))
    raise InputError(
        "`max_features` must be a whole number from 1 on, a share of the features between 0 and "
        f'1, or "sqrt", but is {size!r}.'
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
        costs = [by_position.get(j, 1.0) for j in range(len(names))]
    try:
        return tuple(float(c) for c in costs)
    except (TypeError, ValueError):
        raise InputError(f"`costs` must hold one number a feature, but is {costs!r}.") from None


def _budget(budget: Any) -> float:
    if isinstance(budget, bool) or not isinstance(budget, numbers.Real) or not float(budget) >= 0:
        raise InputError(f"`budget` must be a number of at least 0, but is {budget!r}.")
    return float(budget)
