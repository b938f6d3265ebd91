"""Continuous features cut into intervals: by class entropy and MDL, equal width or frequency."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._kernels.counting.cut_points import mdl_cuts, mdl_cuts_of_columns
from .._parameters import Parameters, one_of, whole
from ._table import Table

CutPoints = NDArray[np.float64]
#: Columns that are sorted together, and how many values they may have.
TOGETHER, CELLS = 256, 2**20


@dataclass
class Discretiser(Parameters):
    """Learns where to cut the continuous features of a table.

    Parameters
    ----------
    method : "mdl", "width" or "frequency"
        By class entropy with the minimum description length criterion; into intervals of
        equal width; into intervals with equally many rows.
    bins : int
        Number of intervals for "width" and "frequency".

    Notes
    -----
    "mdl": the boundary T of least class entropy E(T; S) splits S if
    ``Ent(S) - E(T; S) > log2(N - 1)/N + (log2(3^k - 2) - [k Ent(S) - k1 Ent(S1) - k2 Ent(S2)])/N``
    and so on in both parts (Fayyad and Irani, 1993, section 3). Cuts lie in the middle between
    two values that occur. A column without a cut has a single level; unknown stays unknown.

    Examples
    --------
    >>> from fewest.data import as_table
    >>> table = as_table([[1.0], [2.0], [8.0], [9.0]], ["a", "a", "b", "b"])
    >>> cut = Discretiser().fit(table).apply(table)
    >>> cut.levels, cut.values.ravel()
    ((('(-inf, 5]', '(5, inf)'),), array([0., 0., 1., 1.]))
    """

    method: str = one_of("mdl", "width", "frequency")
    bins: int = whole(10, low=2)

    def fit(self, table: Table, weight: NDArray[np.float64] | None = None) -> Discretisation:
        """Return the cut points learned from the rows of this table, and from them only.

        ``weight`` says how many rows each row stands for.
        """
        self.check_parameters()
        if self.method == "mdl" and table.classes is None:
            raise InputError(
                '`method` of Discretiser must be "width" or "frequency" for a numeric target '
                '(there are no classes to tell apart), but is "mdl".'
            )
        found = _mdl_together(table) if self.method == "mdl" and weight is None else {}
        for j in np.flatnonzero(~table.nominal).tolist():
            if j not in found:
                found[j] = self._cuts(table.column(j), table, weight)
        return Discretisation(tuple(found.get(j) for j in range(table.n_features)))

    def _cuts(
        self, values: NDArray[np.float64], table: Table, weight: NDArray[np.float64] | None
    ) -> CutPoints:
        known = ~np.isnan(values) if weight is None else ~np.isnan(values) & (weight > 0.0)
        own = None if weight is None else weight[known]
        if self.method == "mdl":
            return _mdl(values[known], table.target[known], table.n_classes, own)
        place = np.argsort(values[known], kind="stable")
        ordered = values[known][place]
        if len(ordered) == 0 or ordered[0] == ordered[-1]:
            return np.empty(0)
        if self.method == "width":
            return _width(ordered, self.bins)
        return _frequency(ordered, self.bins, None if own is None else own[place])


@dataclass(frozen=True, eq=False)
class Discretisation:
    """Learned cut points, for each feature ascending; None where it is nominal already."""

    cuts: tuple[CutPoints | None, ...]

    def apply(self, table: Table) -> Table:
        """Return the table with nominal features only; a value on a cut belongs to its left."""
        if len(self.cuts) != table.n_features:
            raise InputError(
                f"`table` must have the {len(self.cuts)} features that the cut points were "
                f"learned from, but has {table.n_features}."
            )
        values = table.values.copy()
        levels = list(table.levels)
        uncut = [j for j, cuts in enumerate(self.cuts) if cuts is not None and len(cuts) == 0]
        values[:, uncut] = np.where(np.isnan(values[:, uncut]), np.nan, 0.0)
        for j in uncut:
            levels[j] = _labels(np.empty(0))
        for j, cuts in enumerate(self.cuts):
            if cuts is not None and len(cuts) > 0:
                own = table.column(j)
                codes = np.searchsorted(cuts, own, side="left")
                values[:, j] = np.where(np.isnan(own), np.nan, codes)
                levels[j] = _labels(cuts)
        return replace(table, values=values, levels=tuple(levels))

    def leaves_whole(self, j: int) -> bool:
        """Return whether a column has no cut, so that all its known values are one."""
        cuts = self.cuts[j]
        return cuts is not None and len(cuts) == 0

    def codes(self, table: Table, j: int) -> NDArray[np.int64]:
        """Return the codes of one column, -1 for unknown values."""
        values, cuts = table.column(j), self.cuts[j]
        known = ~np.isnan(values)
        own = values if cuts is None else np.searchsorted(cuts, values, side="left")
        return np.where(known, np.where(known, own, 0), -1).astype(np.int64)


def _mdl(
    values: NDArray[np.float64],
    target: NDArray[Any],
    n_classes: int,
    weight: NDArray[np.float64] | None,
) -> CutPoints:
    if len(values) == 0:
        return np.empty(0)
    distinct, block = np.unique(values, return_inverse=True)
    cells = block.ravel() * n_classes + target
    whole = None if weight is None else _exact(weight)
    counts = np.bincount(cells, whole, minlength=len(distinct) * n_classes)
    return _mdl_from_counts(distinct, counts.reshape(-1, n_classes))


def _mdl_together(table: Table) -> dict[int, CutPoints]:
    """Return the cuts of the continuous columns without unknown values, some columns at a time."""
    known = np.flatnonzero(~table.nominal & ~table.incomplete)
    found: dict[int, CutPoints] = {}
    none: CutPoints = np.empty(0)
    together = max(1, min(TOGETHER, CELLS // table.n_rows))
    for low in range(0, len(known), together):
        columns = known[low : low + together]
        values = np.ascontiguousarray(table.values[:, columns].T, dtype=np.float64)
        order = np.argsort(values, axis=1)
        values = np.take_along_axis(values, order, axis=1)
        at = np.zeros(values.shape, dtype=bool)
        mdl_cuts_of_columns(values, table.target[order], table.n_classes, at)
        for k in np.flatnonzero(at.any(axis=1)).tolist():
            high = np.flatnonzero(at[k])
            found[int(columns[k])] = _between(values[k, high - 1], values[k, high])
    return {j: found.get(j, none) for j in known.tolist()}


def _mdl_from_counts(distinct: NDArray[np.float64], counts: NDArray[Any]) -> CutPoints:
    prefix = np.zeros((len(distinct) + 1, counts.shape[1]), dtype=counts.dtype)
    np.cumsum(counts, axis=0, out=prefix[1:])
    at = np.flatnonzero(mdl_cuts(prefix))
    return _between(distinct[at - 1], distinct[at])


def cuts_from_counts(
    distinct: NDArray[np.float64], counts: NDArray[np.float64], method: str, bins: int
) -> CutPoints:
    """Return the cuts of a column from its distinct values, ascending, and their counts by class.

    >>> cuts_from_counts(np.array([1.0, 2.0]), np.array([[40.0, 0.0], [0.0, 40.0]]), "mdl", 10)
    array([1.5])
    """
    if method == "mdl":
        # Whole counts are integers, as they are for rows in memory: one compiled version.
        whole = (counts % 1.0 == 0.0).all()
        return _mdl_from_counts(distinct, counts.astype(np.int64) if whole else counts)
    if len(distinct) < 2:
        return np.empty(0)
    return _frequency(distinct, bins, counts.sum(axis=1))


def cuts_between(lowest: float, highest: float, bins: int) -> CutPoints:
    """Return the cuts of equal width between two ends."""
    if not lowest < highest:
        return np.empty(0)
    return _width(np.array([lowest, highest]), bins)


def _width(ordered: NDArray[np.float64], bins: int) -> CutPoints:
    cuts: CutPoints = np.unique(np.linspace(ordered[0], ordered[-1], bins + 1)[1:-1])
    return np.asarray(cuts[cuts < ordered[-1]])


def _exact(weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights to a millionth of the largest, so that their sums and differences are
    exact.
    """
    unit = 2.0 ** (np.floor(np.log2(weight.max())) - 20.0)
    return np.asarray(np.round(weight / unit) * unit)


def _frequency(
    ordered: NDArray[np.float64], bins: int, weight: NDArray[np.float64] | None
) -> CutPoints:
    ends = np.arange(1.0, len(ordered) + 1.0) if weight is None else np.cumsum(weight)
    wanted = np.arange(1, bins) * ends[-1] / bins
    if (ends == np.round(ends)).all():
        wanted = np.round(wanted)
    wanted = wanted[(wanted > 0.0) & (wanted < ends[-1])]
    low, high = (ordered[np.searchsorted(ends, wanted, side=s)] for s in ("left", "right"))
    # Equal values stay together, on the left of the cut that would part them.
    cuts: CutPoints = np.unique(_between(low, high))
    return np.asarray(cuts[cuts < ordered[-1]])


def _between(low: NDArray[np.float64], high: NDArray[np.float64]) -> CutPoints:
    middle = low / 2 + high / 2
    # Between neighbours there may be no number: the lower one then keeps them apart.
    return np.where((middle >= low) & (middle < high), middle, low)


def _labels(cuts: CutPoints) -> tuple[str, ...]:
    if len(cuts) == 0:
        return ("all",)
    short = [f"{cut:g}" for cut in cuts]
    ends = short if len(set(short)) == len(short) else [repr(float(cut)) for cut in cuts]
    inner = [f"({a}, {b}]" for a, b in zip(ends[:-1], ends[1:], strict=True)]
    return (f"(-inf, {ends[0]}]", *inner, f"({ends[-1]}, inf)")


def uncut(table: Table) -> Discretisation:
    """For a table whose features are all nominal."""
    return Discretisation((None,) * table.n_features)


def as_nominal(
    table: Table,
    method: str = "mdl",
    bins: int = 10,
    weight: NDArray[np.float64] | None = None,
) -> Table:
    """Return the table itself where all features are nominal, else with continuous ones
    discretised.
    """
    if table.nominal.all():
        return table
    return Discretiser(method=method, bins=bins).fit(table, weight).apply(table)
