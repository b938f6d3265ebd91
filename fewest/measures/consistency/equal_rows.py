"""The rows of a packed table that are equal where it counts, in time linear in the rows.

Rows are spread by hash into buckets whose tables fit into the cache, a quarter of the rows at a
time, so that the copies stay small beside the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.subsets.buckets import bucket_sizes, emit_mixed, spread, weigh_first
from ...kernels.subsets.chains import chains, outside_majority, workspace
from .packing import no_class

Words = NDArray[np.uint64]
Rows = NDArray[np.int32]
#: About so many rows in a bucket: its tables then fit into the second cache.
BUCKET = 8192
NOTHING = np.empty(0, dtype=np.int32)
NO_CLASSES = np.empty(0, dtype=np.uint8)


class Bucket(NamedTuple):
    """Rows chained by equal keys; see ``kernels.chains`` for ``work``."""

    rows: Rows
    classes: NDArray[Any]
    weights: Rows
    n_chains: int
    work: Any


def count_outside(
    words: Words, mask: Words, classes: NDArray[Any], weights: Rows, n_classes: int
) -> int:
    """The weight outside the heaviest class of each group of rows equal under ``mask``."""
    found = _buckets(words, mask, classes, weights, n_classes)
    return sum(int(outside_majority(b.classes, b.weights, b.n_chains, b.work)) for b in found)


def mixed_groups(words: Words, mask: Words, classes: NDArray[Any]) -> tuple[Rows, Rows]:
    """The rows equal to one of another class under ``mask``, and where each group starts."""
    groups, starts = [NOTHING], [np.zeros(1, dtype=np.int32)]
    end = 0
    for b in _buckets(words, mask, classes, NOTHING, 1):
        rows = np.empty(len(b.rows), dtype=np.int32)
        begins = np.zeros(len(b.rows) // 2 + 1, dtype=np.int32)
        n_groups = emit_mixed(b.rows, b.classes, b.n_chains, b.work, rows, begins)
        if n_groups:
            groups.append(rows[: begins[n_groups]].copy())
            starts.append(begins[1 : n_groups + 1] + np.int32(end))
            end += int(begins[n_groups])
    return np.concatenate(groups), np.concatenate(starts)


def repeated(words: Words, weights: Rows | None = None) -> Rows:
    """The weight of all rows equal to a row, where it occurs first; 0 elsewhere.

    Without ``weights`` every row counts once.
    """
    weights = np.ones(len(words), dtype=np.int32) if weights is None else weights.copy()
    everything = np.full(words.shape[1], np.iinfo(np.uint64).max, dtype=np.uint64)
    for b in _buckets(words, everything, NO_CLASSES, NOTHING, 1):
        weigh_first(b.rows, b.n_chains, b.work, weights)
    return weights


def _buckets(
    words: Words, mask: Words, classes: NDArray[Any], weights: Rows, n_classes: int
) -> Iterator[Bucket]:
    active = np.flatnonzero(mask)
    bits = max(0, (len(words) // BUCKET).bit_length())
    sizes = bucket_sizes(words, active, mask, bits)
    quarter = max(len(words) // 4 + 1, int(sizes.max())) if bits else len(words)
    several = no_class(classes)
    work = workspace(int(sizes.max()), classes, n_classes)
    out = (
        np.empty((quarter, len(active)), dtype=np.uint64),
        np.empty(quarter, dtype=np.int32),
        np.empty(quarter if len(classes) else 0, dtype=classes.dtype),
        np.empty(quarter if len(weights) else 0, dtype=np.int32),
    )
    keys, ids, of, weight = out
    low = 0
    while low < len(sizes):
        ends = np.cumsum(sizes[low:])
        high = low + max(1, int(np.searchsorted(ends, quarter, side="right")))
        place = ends[: high - low] - sizes[low:high]
        spread(words, active, mask, classes, weights, bits, low, place, out)
        for end, n in zip(place.tolist(), sizes[low:high].tolist(), strict=True):
            part = slice(end - n, end)
            n_chains = chains(keys[part], of[part], n, np.uint64(bits), several, work)
            yield Bucket(ids[part], of[part], weight[part], int(n_chains), work)
        low = high
