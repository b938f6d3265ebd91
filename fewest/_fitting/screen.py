"""From what a person says (names, positions, costs by name) to a space of subsets."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, brief
from ..data._feature_names import Features, feature_positions
from ..data._table import Table
from ..measures._abilities import Audit
from ..measures._measure import Candidates, Measure, Scorer, Scores
from ..measures._steps import Steps
from ..search._spaces.subsets import Subsets


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
    """Return the subsets of the features ``names`` under constraints.

    Features are given as :func:`~fewest.data._feature_names.feature_positions` reads them: by
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
    inside = feature_positions(include, names, "include")
    outside = feature_positions(exclude, names, "exclude")
    both = ", ".join(repr(names[j]) for j in sorted({*inside} & {*outside}))
    if both:
        raise InputError(f"`include` and `exclude` must not share features, but both name {both}.")
    return Subsets(
        len(names),
        include=inside,
        exclude=outside,
        groups=() if groups is None else _groups(groups, names),
        min_features=min_features,
        max_features=None if max_features is None else _largest(max_features, len(names)),
        costs=None if costs is None else _costs(costs, names),
        budget=None if budget is None else float(budget),
    )


def _largest(size: Any, n_features: int) -> int:
    """Return the largest size behind a number, a share of the features or ``"sqrt"``."""
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
        f'1, or "sqrt", but is {brief(size)}.'
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
        raise InputError(
            f"`costs` must hold one number a feature, but is {brief(costs)}."
        ) from None


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


#: Rows per interval, and the most intervals, into which continuous features are cut.
ROWS_PER_BIN, MOST_BINS = 20, 10


def screen_features(table: Table, space: Subsets, screen: Any) -> tuple[Subsets, list[str]]:
    """Return the subsets of the ``screen`` most promising features, and a note that says so.

    Features that are included or in a group stay in any case.
    """
    most = _checked(screen, table)
    free = np.array([unit[0] for unit in space.units if len(unit) == 1], dtype=np.intp)
    grouped = {feature for group in space.groups for feature in group}
    free = free[[feature not in grouped for feature in free.tolist()]]
    if len(free) <= most:
        return space, []
    worth, what = _worth(table)
    # The largest first; of equal ones the first in the table.
    order = np.lexsort((free, -worth[free]))
    dropped = np.sort(free[order[most:]])
    narrow = replace(space, exclude=tuple(sorted({*space.exclude, *dropped.tolist()})))
    return narrow, [
        f"`screen`: the search saw the {most} of {len(free)} features with the highest {what}, "
        "measured on the training rows alone."
    ]


def bind_narrowed(
    measure: Measure, table: Table, space: Subsets, rng: np.random.Generator
) -> Scorer:
    """Return the measure bound to the columns that the subsets can use."""
    out = np.zeros(table.n_features, dtype=bool)
    out[list(space.exclude)] = True
    kept = np.flatnonzero(~out)
    return Narrowed(measure.bind(table.keep(kept), rng), kept, table.n_features)


def _checked(screen: Any, table: Table) -> int:
    if not table.in_memory:
        raise InputError(
            "`screen` needs the rows in memory, but the table is outside; leave `screen` out, or "
            "load the table."
        )
    return int(screen)


def _worth(table: Table) -> tuple[NDArray[np.float64], str]:
    """Return what each feature alone tells about the target, and its name."""
    if table.classes is None:
        from ..measures._regression.correlations import Pearson

        worth = np.asarray(Pearson().bind(table).worth)  # type: ignore[attr-defined]
        return worth, "correlation with the target"
    bins = int(np.clip(table.n_rows // ROWS_PER_BIN, 2, MOST_BINS))
    found = table.information("frequency", bins).class_uncertainty
    return np.asarray(found), "symmetric uncertainty with the class"


class Narrowed(Scorer):
    """Scores candidates that never use a column outside ``kept`` by a scorer of these columns.

    A measure that is bound to 500 of 20,000 columns needs a fraction of the time and the memory.

    Parameters
    ----------
    inner : Scorer
        Bound to the table of the kept columns.
    kept : int array
        Their positions among all columns, ascending.
    n_features : int
        How many columns there are in all.

    Notes
    -----
    It is not judged on parts of the rows (:meth:`Scorer.on_rows`): the columns were chosen on all
    of them.
    """

    def __init__(self, inner: Scorer, kept: NDArray[np.intp], n_features: int) -> None:
        self.inner, self.kept, self.n_features = inner, kept, n_features
        self.batch, self.prefer, self.operations = inner.batch, inner.prefer, inner.operations
        self.threshold, self.goal_names, self.notes = (
            inner.threshold, inner.goal_names, inner.notes,
        )  # fmt: skip

    def score(self, candidates: Candidates) -> Scores:
        """Score the kept columns of each candidate."""
        return self.inner.score(np.ascontiguousarray(np.asarray(candidates)[:, self.kept]))

    def score_steps(self, steps: Steps) -> Scores:
        """Score neighbours that differ in a kept column."""
        place = np.searchsorted(self.kept, steps.units)
        return self.inner.score_steps(Steps(steps.base[self.kept], place, steps.levels))

    def audit(self, candidates: NDArray[np.bool_]) -> Audit | None:
        """Audit the kept columns of each candidate."""
        return self.inner.audit(np.ascontiguousarray(candidates[:, self.kept]))

    def cuts(self, candidate: NDArray[np.bool_], limit: int = 1) -> NDArray[np.bool_]:
        """Return the cuts of the inner scorer, over all columns."""
        found = self.inner.cuts(candidate[self.kept], limit)
        wide = np.zeros((len(found), self.n_features), dtype=bool)
        wide[:, self.kept] = found
        return wide
