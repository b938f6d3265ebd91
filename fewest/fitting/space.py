"""The subsets that a selector searches: the user's constraints, and what screening leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..data.table import Table
from ..errors import InputError
from ..search.spaces.constraints import subsets_of
from ..search.spaces.subsets import Subsets


def screened_subsets(table: Table, constraints: Mapping[str, Any]) -> Subsets:
    """Return the subsets under the constraints.

    Identifiers and free text are left out unless ``include`` or ``groups`` name them, or too few
    features would be left.
    """
    space = subsets_of(table.names, **constraints)
    if len(space.exclude) == table.n_features:
        raise InputError("`exclude` leaves only 0 features: nothing is left to select from.")
    named = {*space.include, *space.exclude, *(j for group in space.groups for j in group)}
    left_out = tuple(j for j in table.set_aside() if j not in named)
    rest = table.n_features - len(space.exclude) - len(left_out)
    if rest < max(1, space.min_features):
        left_out = ()
    if left_out:
        space = replace(space, exclude=tuple(sorted([*space.exclude, *left_out])))
    return space
