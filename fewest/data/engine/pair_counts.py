"""Entropies of pairs of columns from scans: many tables of counts in one pass over the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...kernels.counting.counts import dense_entropies
from ...kernels.counting.joint import add_tables, add_weighted_tables, join_columns
from ...kernels.counting.weighted_counts import dense_weighted_entropies
from .encode import Coder
from .learn import Floats
from .source import changed

#: Columns are joined while their combinations stay below this: tables then fit into the cache.
JOINED = 64
#: About so many counts are kept during one scan; more tables than that take further scans.
CELLS = 1 << 25


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


def join_groups(sizes: NDArray[np.int64], most: int = JOINED) -> list[Group]:
    """Consecutive columns in groups of at most ``most`` combinations.

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
    """Counts of columns and pairs of columns with the class, scan after scan.

    Parameters
    ----------
    coder : Coder
    n_classes : int
    """

    def __init__(self, coder: Coder, n_classes: int) -> None:
        self.coder, self.n_classes = coder, n_classes
        self.sizes = np.array([coding.size for coding in coder.features], dtype=np.int64)
        self.groups = join_groups(self.sizes)
        #: How often the rows were read.
        self.scans = 0

    def pairs(self) -> tuple[Floats, Floats]:
        """H(A_i, A_j) and H(A_i, A_j, C) of all pairs; on the diagonal H(A_i) and H(A_i, C)."""
        n = len(self.groups)
        d = len(self.sizes)
        out = np.zeros((2, d, d))
        wanted = [(a, b) for a in range(n) for b in range(a, n)]
        for i, j, both in self.entropies(wanted):
            out[:, i, j] = out[:, j, i] = both
        return out[0], out[1]

    def column(self, j: int) -> Floats:
        """The entropies of every column with column j, shape (2, d); with itself for -1."""
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
        """For all columns i <= j of these pairs of groups: i, j, H(A_i, A_j), H(A_i, A_j, C)."""
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
        """The same tables, counted by the engine."""
        kind = np.int64 if self.coder.weight is None else np.float64
        tables = [np.zeros(shape, dtype=kind).ravel() for shape in shapes]
        codings = []
        for a, b in wanted:
            one, other = self.groups[a], self.groups[b]
            columns = [
                *range(one.first, one.end),
                *(range(other.first, other.end) if a != b else ()),
            ]
            codings.append([*(self.coder.features[j] for j in columns), self.coder.target])
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

    def _parts(self, wanted: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        part: list[tuple[int, int]] = []
        cells = 0
        for pair in wanted:
            own = int(np.prod(self._shape(*pair)))
            if part and cells + own > CELLS:
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
        columns = [*range(one.first, one.end), *(range(other.first, other.end) if a != b else ())]
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
