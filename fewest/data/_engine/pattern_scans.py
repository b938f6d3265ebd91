"""Counts of the patterns of subsets from scans: many subsets in one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._kernels.subsets.pattern_tables import (
    add_dense,
    add_hashed,
    move_table,
    pattern_keys,
    reduce_patterns,
)
from .encode import CodedScan, Coder, Codes
from .source import Floats, TableSource

#: Most combinations that are counted in a table of all of them.
MOST_DENSE = 1 << 18
#: Hash tables that share the memory of a scan, and how full each may be.
SCAN_TABLES = 16
MOST_LOAD = 0.6
#: A hash table may always have so many slots, as a power of two.
FEWEST_SLOT_BITS = 10


class DenseCounter:
    """Counts the patterns of a subset with few combinations of values."""

    #: Parts of the patterns that a further scan must count: none.
    waiting: tuple[tuple[int, int], ...] = ()

    def __init__(self, members: NDArray[np.intp], sizes: NDArray[np.int64], classes: int) -> None:
        self.members = members
        own = sizes[members]
        self.strides = np.append(np.cumprod(own[::-1])[::-1][1:], 1).astype(np.int64)
        self.counts = np.zeros((int(np.prod(own)), classes))

    def add(self, codes: Codes, target: Codes, weight: Floats) -> None:
        """Count the rows of a batch."""
        strides = self.strides[: len(self.members)]
        add_dense(codes, self.members, strides, target, weight, self.counts)

    def join(self, other: DenseCounter) -> None:
        """Add the counts of other rows."""
        self.counts += other.counts


class HashedCounter:
    """Counts the patterns of a subset with many combinations: those that occur, in a hash table.

    Where they do not fit into ``slots``, only those whose hash begins with certain bits
    (``depth`` of them, with the value ``part``) are counted, and the others wait for further scans.
    """

    def __init__(
        self,
        members: NDArray[np.intp],
        sizes: NDArray[np.int64],
        classes: int,
        slots: int,
        begins: tuple[int, int] = (0, 0),
    ) -> None:
        self.members, self.classes, self.most_slots = members, classes, slots
        self.bits = np.array([max(1, int(s - 1).bit_length()) for s in sizes[members].tolist()])
        #: Parts of the hashes that are still to be counted: how many bits, and which.
        self.waiting: list[tuple[int, int]] = []
        self.depth, self.part = begins
        self.used, self.table = 0, self._empty(min(slots, 1 << 14))

    def _empty(self, slots: int) -> tuple[NDArray[Any], ...]:
        keys = np.zeros((slots, 2), dtype=np.uint64)
        return keys, np.zeros(slots), np.zeros((slots, self.classes))

    @property
    def counts(self) -> Floats:
        """Counts by pattern and class."""
        return self.table[2]

    def add(self, codes: Codes, target: Codes, weight: Floats) -> None:
        """Count the rows of a batch."""
        self._add(pattern_keys(codes, self.members, self.bits), target, weight)

    def join(self, other: HashedCounter) -> None:
        """Add the counts of other rows, for the patterns that both of them still count."""
        while self.depth < other.depth:
            self._halve()
        keys, _, counts = other.table
        for label in range(self.classes):
            some = np.flatnonzero(counts[:, label])
            of = np.full(len(some), label, dtype=np.uint16)
            self._add(keys[some], of, np.ascontiguousarray(counts[some, label]))

    def _add(self, found: NDArray[np.uint64], target: Codes, weight: Floats) -> None:
        row = 0
        while row < len(target):
            most = int(MOST_LOAD * len(self.table[1]))
            of = (row, self.depth, np.uint64(self.part), most, self.used)
            self.used, row = add_hashed(found, target, weight, *of, *self.table)
            if row < len(target):
                if len(self.table[1]) < self.most_slots:
                    self._move(2 * len(self.table[1]))
                else:
                    self._halve()

    def _halve(self) -> None:
        """Count only half of the patterns from now on."""
        self.depth, self.part = self.depth + 1, 2 * self.part
        self.waiting.append((self.depth, self.part + 1))
        self._move(len(self.table[1]))

    def _move(self, slots: int) -> None:
        larger = self._empty(slots)
        self.used = int(move_table(*self.table, self.depth, np.uint64(self.part), *larger))
        self.table = larger


#: A subset to count: its number, and for a hash table how its patterns begin.
Wanted = tuple[int, tuple[int, int] | None]


@dataclass(frozen=True, eq=False)
class PatternScan(CodedScan[list[Any]]):
    """Scan that counts the patterns of some subsets, the hashed ones in ``slots`` each."""

    subsets: NDArray[np.bool_]
    begins: list[tuple[int, int] | None]
    slots: int

    def start(self) -> list[Any]:
        of = (self.coder.sizes, self.coder.n_classes)
        pairs = zip(self.subsets, self.begins, strict=True)
        return [
            DenseCounter(np.flatnonzero(subset), *of)
            if begins is None
            else HashedCounter(np.flatnonzero(subset), *of, self.slots, begins)
            for subset, begins in pairs
        ]

    def add(self, state: list[Any], part: Any) -> list[Any]:
        codes, target, weight = part
        own = np.ones(len(target)) if weight is None else weight
        for counter in state:
            counter.add(codes, target, own)
        return state

    def merge(self, state: list[Any], other: list[Any]) -> list[Any]:
        for counter, more in zip(state, other, strict=True):
            counter.join(more)
        return state


class PatternCounts:
    """Sums over the patterns of subsets of the columns of a coder."""

    def __init__(self, source: TableSource, coder: Coder) -> None:
        self.source, self.coder, self.n_classes = source, coder, coder.n_classes
        self.sizes = coder.sizes
        #: How often the rows were read.
        self.scans = 0

    def sums(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return what ``reduce_patterns`` gives for each subset, shape (m, 3)."""
        subsets, out = np.asarray(subsets, dtype=bool), np.zeros((len(subsets), 3))
        cells = np.where(subsets, self.sizes, 1).astype(float).prod(axis=1) * self.n_classes
        few = cells <= min(MOST_DENSE * self.n_classes, self.source.state_bytes // 16)
        dense: list[Wanted] = [(int(i), None) for i in np.flatnonzero(few)]
        hashed: list[Wanted] = [(int(i), (0, 0)) for i in np.flatnonzero(~few)]
        while dense or hashed:
            most = self.source.state_bytes // (16 if hashed else 8)
            n_dense = max(1, int(np.searchsorted(cells[[i for i, _ in dense]].cumsum(), most)))
            slots = self._slots(min(len(hashed), SCAN_TABLES), shared=bool(dense))
            now = [*dense[:n_dense], *hashed[:SCAN_TABLES]]
            dense, hashed = dense[n_dense:], hashed[SCAN_TABLES:]
            rows = subsets[[i for i, _ in now]]
            scan = PatternScan(self.coder, rows, [begins for _, begins in now], slots)
            self.scans += 1
            counters: list[Any] = self.source.reduce(scan)
            for (i, _), counter in zip(now, counters, strict=True):
                out[i] += reduce_patterns(counter.counts)
                hashed += [(i, begins) for begins in counter.waiting]
        return out

    def _slots(self, tables: int, shared: bool) -> int:
        """Return the slots of each of some hash tables, a power of two.

        A table that is moved has its old slots beside the new ones; each slot has two words of a
        key, a weight and the counts of the classes.
        """
        room = self.source.state_bytes // (2 if shared else 1) // max(1, tables)
        return 1 << max(FEWEST_SLOT_BITS, (room // (16 * (3 + self.n_classes))).bit_length() - 1)
