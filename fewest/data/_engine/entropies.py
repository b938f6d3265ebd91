"""Cut points and entropies of a stored table, from scans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..._kernels.counting.counts import (
    add_tables,
    add_weighted_tables,
    dense_entropies,
    dense_weighted_entropies,
    join_columns,
)
from .._discretise import cuts_between, cuts_from_counts
from .batches import numbers_of
from .encode import CodedScan, Coder, Coding
from .pattern_scans import PatternCounts
from .source import Floats, Scan, TableSource

#: Number of bins of the histogram.
HISTOGRAM_BINS = 8192


@dataclass(eq=False)
class Sketch:
    """Distinct values of a column with the smallest hashes, and its two ends."""

    values: Floats
    most: int = HISTOGRAM_BINS
    threshold: int = 2**64 - 1
    complete: bool = True
    unknown: bool = False
    lowest: float = np.inf
    highest: float = -np.inf

    def add(self, column: Floats) -> None:
        """Take in the values of a batch."""
        known = column[~np.isnan(column)] + 0.0  # no negative zero
        self.unknown |= len(known) < len(column)
        if len(known):
            self.lowest = min(self.lowest, float(known.min()))
            self.highest = max(self.highest, float(known.max()))
            self._keep(known)

    def join(self, other: Sketch) -> None:
        """Take in the rows of another sketch."""
        self.unknown |= other.unknown
        self.complete &= other.complete
        self.threshold = min(self.threshold, other.threshold)
        self.lowest = min(self.lowest, other.lowest)
        self.highest = max(self.highest, other.highest)
        self.values = self.values[hashed(self.values) <= np.uint64(self.threshold)]
        self._keep(other.values)

    def _keep(self, known: Floats) -> None:
        near = known[hashed(known) <= np.uint64(self.threshold)]
        values = np.union1d(self.values, near)
        if len(values) > self.most:
            order = np.argsort(hashed(values), kind="stable")[: self.most]
            self.threshold = int(hashed(values)[order[-1]])
            values, self.complete = np.sort(values[order]), False
        self.values = values


def hashed(values: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a fixed 64-bit hash of every 64-bit number (SplitMix64 of its bits)."""
    bits = np.ascontiguousarray(values).view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


@dataclass(frozen=True)
class Sketching(Scan[list[Sketch]]):
    """Scan of continuous columns for their sketches."""

    columns: Sequence[str]
    weight: str | None = None

    def start(self) -> list[Sketch]:
        return [Sketch(np.empty(0)) for _ in self.columns]

    def read(self, batch: pa.RecordBatch, weight: Floats | None) -> list[Floats]:
        return [numbers_of(batch.column(name), name) for name in self.columns]

    def add(self, state: list[Sketch], part: list[Floats]) -> list[Sketch]:
        for sketch, values in zip(state, part, strict=True):
            sketch.add(values)
        return state

    def merge(self, state: list[Sketch], other: list[Sketch]) -> list[Sketch]:
        for sketch, more in zip(state, other, strict=True):
            sketch.join(more)
        return state


@dataclass(frozen=True, eq=False)
class Histograms(CodedScan[Floats]):
    """Scan that counts the classes in every bin; columns after one another."""

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.cumsum([0, *(self.coder.sizes * self.coder.n_classes)])

    def start(self) -> Floats:
        return np.zeros(int(self._starts[-1]))

    def add(self, state: Floats, part: Any) -> Floats:
        codes, of, own = part
        for j, (first, end) in enumerate(pairwise(self._starts.tolist())):
            cells = codes[j].astype(np.int64) * self.coder.n_classes + of
            state[first:end] += np.bincount(cells, own, minlength=end - first)
        return state

    def tables(self, state: Floats) -> list[Floats]:
        """Return the counts of each column, shape (bins, classes)."""
        return [
            part.reshape(-1, self.coder.n_classes) for part in np.split(state, self._starts[1:-1])
        ]


def learn_cuts(
    source: TableSource,
    columns: Sequence[str],
    target: Coding | None,
    weight: str | None,
    method: str,
    bins: int,
) -> list[Coding]:
    """Return how each of these continuous columns is coded by ``method``.

    Two scans count as many columns as fit into the memory of the source.
    """
    histogram = 8 * (HISTOGRAM_BINS + 2) * (1 + (target.size if target else 1))
    most = max(1, source.state_bytes // histogram)
    found: list[Coding] = []
    for first in range(0, len(columns), most):
        some = columns[first : first + most]
        sketches = source.reduce(Sketching(some, weight))
        if method == "width":
            cuts = [cuts_between(s.lowest, s.highest, bins) for s in sketches]
        else:
            cuts = _from_histograms(source, some, sketches, target, weight, method, bins)
        parts = zip(some, cuts, sketches, strict=True)
        found += [Coding(name, None, own, sketch.unknown) for name, own, sketch in parts]
    return found


def _from_histograms(
    source: TableSource,
    columns: Sequence[str],
    sketches: list[Sketch],
    target: Coding | None,
    weight: str | None,
    method: str,
    bins: int,
) -> list[Floats]:
    fine = tuple(
        Coding(name, None, sketch.values, sketch.unknown)
        for name, sketch in zip(columns, sketches, strict=True)
    )
    scan = Histograms(Coder(fine, target, weight))
    return [
        _cuts(sketch, counts[int(sketch.unknown) :], method, bins)
        for sketch, counts in zip(sketches, scan.tables(source.reduce(scan)), strict=True)
    ]


def _cuts(sketch: Sketch, counts: Floats, method: str, bins: int) -> Floats:
    if len(sketch.values) == 0:
        return np.empty(0)
    if sketch.complete:
        return cuts_from_counts(sketch.values, counts[:-1], method, bins)
    # What is above the last end gets an end of its own; a cut lies on the end to its left.
    ends = np.append(sketch.values, sketch.highest)
    kept = counts.any(axis=1)
    middle = cuts_from_counts(ends[kept], counts[kept], method, bins)
    return np.asarray(ends[kept][np.searchsorted(ends[kept], middle, side="right") - 1])


#: Columns are joined while their combinations stay below this: tables then fit into the cache.
MOST_JOINED_VALUES = 64


@dataclass(frozen=True)
class Group:
    """Consecutive columns, from ``first`` up to ``end``, that are counted as one."""

    first: int
    end: int
    sizes: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of combinations."""
        return int(np.prod(self.sizes))


def join_groups(sizes: NDArray[np.int64], most: int = MOST_JOINED_VALUES) -> list[Group]:
    """Join consecutive columns in groups of at most ``most`` combinations.

    A column of one value counts as two, since an array has few axes.

    >>> [(g.first, g.end) for g in join_groups(np.array([2, 3, 4, 100, 2]), 64)]
    [(0, 3), (3, 4), (4, 5)]
    """
    starts, cells = [0], 1
    for j, size in enumerate(sizes.tolist()):
        if j > starts[-1] and cells * max(2, size) > most:
            starts.append(j)
            cells = 1
        cells *= max(2, size)
    ends = [*starts, len(sizes)]
    return [Group(a, b, tuple(sizes[a:b].tolist())) for a, b in pairwise(ends)]


@dataclass(frozen=True, eq=False)
class PairScan(CodedScan[NDArray[Any]]):
    """Scan that counts tables of pairs of groups of columns, one after another.

    ``plan`` has the width, the two groups and the start of every table; ``starts`` the first
    column of each group.
    """

    starts: NDArray[np.int64]
    plan: tuple[NDArray[np.int64], ...]

    def start(self) -> NDArray[Any]:
        whole = self.coder.weight is None
        return np.zeros(int(self.plan[-1][-1]), dtype=np.int64 if whole else np.float64)

    def add(self, state: NDArray[Any], part: Any) -> NDArray[Any]:
        codes, target, weight = part
        joined, k = join_columns(codes, self.coder.sizes, self.starts), self.coder.n_classes
        if weight is None:
            add_tables(joined, *self.plan, target, k, state)
        else:
            add_weighted_tables(joined, *self.plan, target, k, weight, state)
        return state


class PairCounts:
    """Counts of columns and pairs of columns with the class, scan after scan."""

    def __init__(self, source: TableSource, coder: Coder) -> None:
        self.source, self.coder, self.n_classes = source, coder, coder.n_classes
        self.sizes = coder.sizes
        self.groups = join_groups(self.sizes)
        #: How often the rows were read.
        self.scans = 0

    def pairs(self) -> tuple[Floats, Floats]:
        """Return H(A_i, A_j), H(A_i, A_j, C) of all pairs; on the diagonal H(A_i), H(A_i, C)."""
        n = len(self.groups)
        d = len(self.sizes)
        out = np.zeros((2, d, d))
        wanted = [(a, b) for a in range(n) for b in range(a, n)]
        for i, j, both in self.entropies(wanted):
            out[:, i, j] = out[:, j, i] = both
        return out[0], out[1]

    def column(self, j: int) -> Floats:
        """Return the entropies of every column with column j, shape (2, d); with itself for -1."""
        groups = range(len(self.groups))
        own = next((g for g in groups if self.groups[g].first <= j < self.groups[g].end), None)
        wanted = [(g, g) if own is None else (min(g, own), max(g, own)) for g in groups]
        out = np.zeros((2, len(self.sizes)))
        for a, b, both in self.entropies(wanted):
            if j in (a, b) or (j < 0 and a == b):
                out[:, a if b == j else b] = both
        return out

    def entropies(
        self, wanted: list[tuple[int, int]]
    ) -> Iterator[tuple[int, int, tuple[float, float]]]:
        """Yield i, j, H(A_i, A_j), H(A_i, A_j, C) for columns i <= j of these pairs of groups."""
        for part in self._parts(wanted):
            for (a, b), counts in self.tables(part):
                yield from self._margins(a, b, counts)

    def tables(
        self, wanted: list[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, int], NDArray[np.generic]]]:
        """Count pairs of groups in one scan; the tables have shape (a, b, classes)."""
        shapes = [self._shape(a, b) for a, b in wanted]
        offsets = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
        first = np.array([a for a, _ in wanted])
        last = len(self.groups)  # a row of zeros, for tables of one group
        second = np.array([last if a == b else b for a, b in wanted])
        plan = (np.array([shape[1] for shape in shapes]), first, second, offsets)
        starts = np.array([*(g.first for g in self.groups), len(self.sizes)])
        self.scans += 1
        counts = self.source.reduce(PairScan(self.coder, starts, plan))
        for pair, shape, at in zip(wanted, shapes, offsets.tolist(), strict=False):
            yield pair, counts[at : at + int(np.prod(shape))].reshape(shape)

    def _shape(self, a: int, b: int) -> tuple[int, int, int]:
        return self.groups[a].size, 1 if a == b else self.groups[b].size, self.n_classes

    def _columns(self, a: int, b: int) -> list[int]:
        one, other = self.groups[a], self.groups[b]
        return [*range(one.first, one.end), *(range(other.first, other.end) if a != b else ())]

    def _parts(self, wanted: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        part: list[tuple[int, int]] = []
        cells, most = 0, self.source.state_bytes // 8
        for pair in wanted:
            own = int(np.prod(self._shape(*pair)))
            if part and cells + own > most:
                yield part
                part, cells = [], 0
            part.append(pair)
            cells += own
        if part:
            yield part

    def _margins(
        self, a: int, b: int, counts: NDArray[np.generic]
    ) -> Iterator[tuple[int, int, tuple[float, float]]]:
        one, other = self.groups[a], self.groups[b]
        axes = one.sizes if a == b else one.sizes + other.sizes
        columns = self._columns(a, b)
        cube = counts.reshape(*axes, self.n_classes)
        for p, i in enumerate(columns):
            for q, j in enumerate(columns[p:], p):
                # Between two groups only pairs across are new.
                if a == b or (p < len(one.sizes) <= q):
                    yield i, j, self._entropies(_margin(cube, p, q))

    def _entropies(self, counts: NDArray[np.generic]) -> tuple[float, float]:
        if counts.dtype == np.int64:
            return dense_entropies(counts, int(counts.sum()))  # type: ignore[no-any-return]
        return dense_weighted_entropies(counts, float(counts.sum()))  # type: ignore[no-any-return]


def _margin(cube: NDArray[np.generic], p: int, q: int) -> NDArray[np.generic]:
    last = cube.ndim - 1
    others = tuple(axis for axis in range(last) if axis not in (p, q))
    margin = cube.sum(axis=others) if others else cube
    return np.ascontiguousarray(margin[:, None, :] if p == q else margin)


#: Up to this many columns all pairs are counted in the same scans.
ALL_PAIRS_UP_TO = 500


class ScannedEntropies:
    """Entropies from counts that are made by scans, the same numbers as for rows in memory.

    Parameters
    ----------
    source : TableSource
    coder : Coder
    total : float
        Number of rows, or the sum of their weights.
    alone : float64 array of shape (2, d), or None
        H(A_i) and H(A_i, C) where they are known from an earlier scan.
    """

    def __init__(
        self, source: TableSource, coder: Coder, total: float, alone: Floats | None
    ) -> None:
        self.counts, self.patterns = PairCounts(source, coder), PatternCounts(source, coder)
        self.total = total
        self._alone = alone

    @cached_property
    def _pairs(self) -> tuple[Floats, Floats]:
        return self.counts.pairs()

    def pairs(self) -> tuple[Floats, Floats]:
        """Return H(A_i, A_j) and H(A_i, A_j, C) of all pairs, each of shape (d, d)."""
        return self._pairs

    def column(self, j: int) -> Floats:
        """Return H(A_i, A_j) and H(A_i, A_j, C) of all i; for j = -1 H(A_i) and H(A_i, C)."""
        if j < 0:
            if self._alone is None:
                self._alone = self.counts.column(-1)
            return self._alone
        if len(self.counts.sizes) <= ALL_PAIRS_UP_TO:
            return np.array([entropies[:, j] for entropies in self.pairs()])
        return self.counts.column(j)

    def subsets(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return H(S) and H(S, C) of each subset, shape (m, 2)."""
        sums = self.patterns.sums(subsets)
        total = self.total
        return np.asarray(np.maximum(0.0, np.log2(total) - sums[:, 1:] / total))
