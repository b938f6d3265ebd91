"""What all detectors look at: a sample of the rows by columns, sorted, cut, and hashed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..blocks import row_blocks
from ..table import Table

#: A sample has at most so many values, and never fewer rows than this where there are as many.
MOST_VALUES, FEWEST_ROWS = 4_000_000, 1000
#: Rows that are cut into bins, and into how many; the last bin is that of unknown values.
CUT_ROWS, BINS = 4000, 33

Floats = NDArray[np.float64]


class Look:
    """A table with what several detectors need of it, each computed once."""

    def __init__(self, table: Table) -> None:
        self.table, self.names = table, table.names
        self.n_rows, self.n_features = table.n_rows, table.n_features

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The rows of the sample, in order: all, or so many drawn at random from seed 0."""
        most = max(FEWEST_ROWS, MOST_VALUES // self.n_features)
        return _sample(self.n_rows, most)

    @cached_property
    def across(self) -> Floats:
        """The values of the sample, one row per feature."""
        return np.ascontiguousarray(self.table.block(self.rows).T)

    @cached_property
    def ordered(self) -> Floats:
        """The same, sorted within each feature; unknown values are last."""
        return np.sort(self.across, axis=1)

    @cached_property
    def known(self) -> NDArray[np.intp]:
        """How many values of each feature are known in the sample."""
        counts = np.empty(self.n_features, dtype=np.intp)
        for part in row_blocks(self.n_features, 256):
            counts[part] = (~np.isnan(self.across[part])).sum(axis=1)
        return counts

    @cached_property
    def distinct(self) -> NDArray[np.intp]:
        """How many different values each feature has in the sample."""
        counts = np.empty(self.n_features, dtype=np.intp)
        for part in row_blocks(self.n_features, 256):
            # Differences with unknown values are not above 0.
            counts[part] = (np.diff(self.ordered[part], axis=1) > 0).sum(axis=1)
        return counts + (self.known > 0)

    @cached_property
    def whole(self) -> NDArray[np.bool_]:
        """Which features are continuous and hold whole numbers only."""
        found = ~self.table.nominal
        likely = np.flatnonzero(found)
        head = self.across[likely, :64]
        likely = likely[(np.isnan(head) | (head % 1 == 0)).all(axis=1)]
        found[:] = False
        for j in likely:
            values = self.ordered[j, : self.known[j]]
            found[j] = len(values) > 0 and bool((values % 1 == 0).all())
        return found

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """A hash of the features of every row of the table."""
        rng = np.random.default_rng(0)
        factors = rng.integers(1, 2**63, self.n_features, dtype=np.uint64) * np.uint64(2)
        keys = np.empty(self.n_rows, dtype=np.uint64)
        size = max(1, 300_000 // self.n_features)
        for part in row_blocks(self.n_rows, size):
            bits = (self.table.block(part) + 0.0).view(np.uint64)
            bits ^= bits >> np.uint64(29)
            bits *= factors + np.uint64(1)
            bits ^= bits >> np.uint64(32)
            keys[part] = bits.sum(axis=1, dtype=np.uint64)
        return keys

    @cached_property
    def first(self) -> NDArray[np.intp]:
        """The rows that are no duplicates of an earlier one."""
        return np.sort(np.unique(self.keys, return_index=True)[1])

    @cached_property
    def target(self) -> NDArray[Any]:
        """The target in the rows that are cut: codes of classes, or ranks from -1 to 1."""
        own = self.table.target[self.rows[self.cut_rows]]
        if self.table.classes is not None:
            return np.asarray(own)
        return _ranks(own)

    @cached_property
    def cut_rows(self) -> NDArray[np.intp]:
        """Positions in the sample of the rows that are cut into bins."""
        return _sample(len(self.rows), CUT_ROWS)

    @cached_property
    def bins(self) -> NDArray[np.int16]:
        """The values of these rows in bins, one row per feature.

        Continuous features are cut at quantiles; of categories the 31 largest have their own bin.
        """
        cut = np.zeros((self.n_features, len(self.cut_rows)), dtype=np.int16)
        for part in row_blocks(self.n_features, 256):
            values = self.across[part][:, self.cut_rows]
            cut[part] = _cut(values, self.ordered[part], self.known[part])
            cut[part][np.isnan(values)] = BINS - 1
        for j in np.flatnonzero(self.table.nominal):
            cut[j] = _largest(self.across[j, self.cut_rows])
        return cut


def _sample(n: int, most: int) -> NDArray[np.intp]:
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, most, replace=False))


def _ranks(values: NDArray[Any]) -> Floats:
    order = np.argsort(values, kind="stable")
    ranks = np.empty(len(values))
    ranks[order] = np.linspace(-1.0, 1.0, len(values))
    # Equal values have the mean of their ranks.
    codes = np.unique(values, return_inverse=True)[1]
    return np.asarray((np.bincount(codes, ranks) / np.bincount(codes))[codes])


def _cut(values: Floats, ordered: Floats, known: NDArray[np.intp]) -> NDArray[np.int16]:
    bins = np.zeros(values.shape, dtype=np.int16)
    at = np.arange(len(values))
    for i in range(1, BINS - 1):
        edge = ordered[at, np.maximum(known * i // (BINS - 1) - 1, 0)]
        bins += values > edge[:, None]
    return bins


def _largest(codes: Floats) -> NDArray[np.int16]:
    known = ~np.isnan(codes)
    whole = np.where(known, codes, 0).astype(np.intp)
    counts = np.bincount(whole[known]) if known.any() else np.zeros(1, dtype=np.intp)
    order = np.argsort(-counts, kind="stable")
    place = np.full(len(counts), BINS - 2, dtype=np.int16)
    place[order[: BINS - 2]] = np.arange(min(len(order), BINS - 2))
    return np.where(known, place[np.minimum(whole, len(place) - 1)], BINS - 1).astype(np.int16)
