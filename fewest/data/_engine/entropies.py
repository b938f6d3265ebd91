"""Cut points and entropies of a stored table, from scans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..._kernels.counting.counts import (
    add_tables,
    add_weighted_tables,
    dense_entropies,
    dense_weighted_entropies,
    join_columns,
)
from .._discretise import cuts_between, cuts_from_counts
from .batches import numbers_of, prefetched
from .encode import Coder, Coding
from .learn import Floats, weighed
from .pattern_scans import PatternCounts
from .source import TableSource, changed

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
        if len(known) == 0:
            return
        self.lowest = min(self.lowest, float(known.min()))
        self.highest = max(self.highest, float(known.max()))
        near = known[hashed(known) <= np.uint64(self.threshold)]
        values = np.union1d(self.values, near)
        if len(values) > self.most:
            order = np.argsort(hashed(values), kind="stable")[: self.most]
            self.threshold = int(hashed(values)[order[-1]])
            values, self.complete = np.sort(values[order]), False
        self.values = values


def hashed(values: Floats) -> NDArray[np.uint64]:
    """Return a fixed 64-bit hash of every number (SplitMix64 of its bits)."""
    bits = np.ascontiguousarray(values).view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


def sketch_columns(source: TableSource, columns: Sequence[str], weight: str | None) -> list[Sketch]:
    """Scan continuous columns once."""
    sketches = [Sketch(np.empty(0)) for _ in columns]
    needed = [*columns, *([weight] if weight else [])]
    for batch, _ in weighed(prefetched(source.scan(needed)), weight):
        for name, sketch in zip(columns, sketches, strict=True):
            sketch.add(numbers_of(batch.column(name), name))
    return sketches


def learn_cuts(
    source: TableSource,
    columns: Sequence[str],
    target: Coding | None,
    weight: str | None,
    method: str,
    bins: int,
) -> list[Coding]:
    """Return how each of these continuous columns is coded by ``method``, in at most two scans."""
    sketches = sketch_columns(source, columns, weight)
    if method == "width":
        found = [cuts_between(s.lowest, s.highest, bins) for s in sketches]
    else:
        found = _from_histograms(source, columns, sketches, target, weight, method, bins)
    return [
        Coding(name, None, cuts, sketch.unknown)
        for name, cuts, sketch in zip(columns, found, sketches, strict=True)
    ]


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
    n_classes = 1 if target is None else target.size
    counts = [np.zeros(coding.size * n_classes) for coding in fine]
    for codes, of, own in Coder(source, fine, target, weight).batches():
        for j, sums in enumerate(counts):
            cells = codes[j].astype(np.int64) * n_classes + of
            sums += np.bincount(cells, own, minlength=len(sums))
    return [
        _cuts(sketch, sums.reshape(-1, n_classes)[int(sketch.unknown) :], method, bins)
        for sketch, sums in zip(sketches, counts, strict=True)
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
#: Counts kept during one scan, about; more tables than that take further scans.
COUNTS_PER_SCAN = 1 << 25


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

    >>> [(g.first, g.end) for g in join_groups(np.array([2, 3, 4, 100, 2]), 64)]
    [(0, 3), (3, 4), (4, 5)]
    """
    starts, cells = [0], 1
    for j, size in enumerate(sizes.tolist()):
        if j > starts[-1] and cells * size > most:
            starts.append(j)
            cells = 1
        cells *= size
    ends = [*starts, len(sizes)]
    return [Group(a, b, tuple(sizes[a:b].tolist())) for a, b in pairwise(ends)]


class PairCounts:
    """Counts of columns and pairs of columns with the class, scan after scan."""

    def __init__(self, coder: Coder, n_classes: int) -> None:
        self.coder, self.n_classes = coder, n_classes
        self.sizes = np.array([coding.size for coding in coder.features], dtype=np.int64)
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
        if self.coder.counted_there:
            yield from zip(wanted, self._count_there(wanted, shapes), strict=True)
            return
        offsets = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
        first = np.array([a for a, _ in wanted])
        last = len(self.groups)  # a row of zeros, for tables of one group
        second = np.array([last if a == b else b for a, b in wanted])
        plan = (np.array([shape[1] for shape in shapes]), first, second, offsets)
        counts = self._count(plan, int(offsets[-1]))
        for pair, shape, at in zip(wanted, shapes, offsets.tolist(), strict=False):
            yield pair, counts[at : at + int(np.prod(shape))].reshape(shape)

    def _count_there(
        self, wanted: list[tuple[int, int]], shapes: list[tuple[int, int, int]]
    ) -> list[NDArray[np.generic]]:
        """Return the same tables, counted by the engine."""
        kind = np.int64 if self.coder.weight is None else np.float64
        tables = [np.zeros(shape, dtype=kind).ravel() for shape in shapes]
        codings = []
        for a, b in wanted:
            features = (self.coder.features[j] for j in self._columns(a, b))
            codings.append([*features, self.coder.target])
        codes = {c.name: c.of_text() for group in codings for c in group if c is not None}
        names = [[c.name for c in group if c is not None] for group in codings]
        for place, values, _, n in self.coder.source.count_groups(names, self.coder.weight):
            cell = 0
            for name, coding, value in zip(names[place], codings[place], values, strict=True):
                assert coding is not None
                if value not in codes[name]:
                    raise changed(
                        f"column {name!r} now holds {value!r}, which was not there before"
                    )
                cell = cell * coding.size + codes[name][value]
            tables[place][cell] += n
        return [table.reshape(shape) for table, shape in zip(tables, shapes, strict=True)]

    def _count(self, plan: tuple[NDArray[np.int64], ...], cells: int) -> NDArray[np.generic]:
        self.scans += 1
        starts = np.array([*(g.first for g in self.groups), len(self.sizes)])
        weighted = self.coder.weight is not None
        counts = np.zeros(cells, dtype=np.float64 if weighted else np.int64)
        for codes, target, weight in self.coder.batches():
            joined = join_columns(codes, self.sizes, starts)
            if weight is None:
                add_tables(joined, *plan, target, self.n_classes, counts)
            else:
                add_weighted_tables(joined, *plan, target, self.n_classes, weight, counts)
        return counts

    def _shape(self, a: int, b: int) -> tuple[int, int, int]:
        return self.groups[a].size, 1 if a == b else self.groups[b].size, self.n_classes

    def _columns(self, a: int, b: int) -> list[int]:
        one, other = self.groups[a], self.groups[b]
        return [*range(one.first, one.end), *(range(other.first, other.end) if a != b else ())]

    def _parts(self, wanted: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        part: list[tuple[int, int]] = []
        cells = 0
        for pair in wanted:
            own = int(np.prod(self._shape(*pair)))
            if part and cells + own > COUNTS_PER_SCAN:
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
    coder : Coder
    n_classes : int
    total : float
        Number of rows, or the sum of their weights.
    alone : float64 array of shape (2, d), or None
        H(A_i) and H(A_i, C) where they are known from an earlier scan.
    """

    def __init__(self, coder: Coder, n_classes: int, total: float, alone: Floats | None) -> None:
        self.counts, self.patterns = PairCounts(coder, n_classes), PatternCounts(coder, n_classes)
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
