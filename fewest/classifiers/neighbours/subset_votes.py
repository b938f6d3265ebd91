"""What the nearest rows vote for under many subsets of plain numbers, by sums of whole numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...kernels.neighbours.terms import WIDTH
from ...kernels.neighbours.whole_sums import FAR, nearest_rows_of_subsets
from .blocks import EQUAL, FEW, Blocks, Neighbours, Queries

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Subsets whose widest features differ by more than this factor have units of their own.
APART = 4.0


def summable(laid: Blocks, queries: Queries, weights: Floats) -> bool:
    """Whether :func:`find_votes` can be asked: known numbers, as they are, and many subsets."""
    return (
        len(weights) >= FEW
        and not laid.overlap.any()
        and bool((queries.scale == 1.0).all())
        and bool(np.isfinite(laid.values).all() and np.isfinite(queries.values).all())
        and bool(((weights == 0.0) | (weights == 1.0)).all())
    )


def find_votes(
    laid: Blocks,
    queries: Queries,
    weights: Floats,
    k: int,
    *,
    group: Ints,
    target: Ints,
    squared: bool,
    whole: bool,
    absolute: Floats,
    lowest: NDArray[np.bool_],
    fills: bool,
    begin: Ints | None = None,
) -> Neighbours:
    """The votes of :func:`~fewest.classifiers.neighbours.blocks.find_neighbours` for subsets.

    With ``begin``, rows stand in their order, and where ``lowest`` is set ties of more than one
    neighbour are settled as scikit-learn does that compares with all rows in parts: those of
    queries of group g begin at ``begin[g]``.
    """
    found = Neighbours.room(len(weights), len(queries.values), 0)
    span = _spans(laid, queries)
    parts = np.zeros((1, 2), dtype=np.int64) if begin is None else begin
    widest = (weights * span).max(axis=1)
    for part, unit in _units(widest, weights.shape[1], squared, whole):
        masks, own = weights[part], Neighbours.room(len(part), len(queries.values), 0)
        per_group = _features_in_a_group(*masks.shape)
        margin = np.zeros(len(part)) if whole else masks.sum(axis=1) + 2 + unit * absolute[part]
        nearest_rows_of_subsets(
            laid.blocks, laid.low, laid.high, laid.values, squared,
            group.reshape(len(laid.blocks), WIDTH), queries.values, queries.own, queries.home,
            unit, per_group, _places(masks > 0, per_group),
            np.minimum(np.ceil(margin), FAR - 1).astype(np.int32), masks, k, EQUAL,
            absolute[part], target, queries.rank, laid.row, lowest[part],
            lowest[part] & (begin is not None), parts, fills, own.predicted, own.open_ties,
        )  # fmt: skip
        found.predicted[part], found.open_ties[part] = own.predicted, own.open_ties
    return found


def _spans(laid: Blocks, queries: Queries) -> Floats:
    every = np.concatenate([laid.values, queries.values])
    spans: Floats = every.max(axis=0) - every.min(axis=0)
    return spans


def _units(
    widest: Floats, n_features: int, squared: bool, whole: bool
) -> list[tuple[NDArray[np.intp], float]]:
    """Subsets of about the same width, and the unit in which their sums are whole numbers."""
    if whole:
        return [(np.arange(len(widest)), 1.0)]
    parts = []
    left = np.argsort(-widest, kind="stable")
    while len(left):
        most = widest[left[0]]
        own = widest[left] > most / APART if most > 0 else np.ones(len(left), dtype=bool)
        largest = most * most if squared else most
        unit = (int(FAR) - 1) / n_features / largest if largest > 0 else 1.0
        parts.append((left[own], float(unit)))
        left = left[~own]
    return parts


def _features_in_a_group(m: int, d: int) -> int:
    """The size of groups with the least work: sums of all groups, then one per subset and group."""

    def work(size: int) -> int:
        groups = -(-d // size)
        return (groups << size) + m * (groups + groups % 2)

    return min(range(2, 8), key=work)


def _places(masks: NDArray[np.bool_], per_group: int) -> NDArray[np.uint64]:
    """Which of the sums of each group a subset needs; an even number of groups, two at least."""
    m, d = masks.shape
    groups = max(2, -(-d // per_group))
    groups += groups % 2
    padded = np.zeros((m, groups * per_group), dtype=np.int64)
    padded[:, :d] = masks
    codes = padded.reshape(m, groups, per_group) @ (1 << np.arange(per_group))
    places: NDArray[np.uint64] = (codes + (np.arange(groups) << per_group)).astype(np.uint64)
    return places
