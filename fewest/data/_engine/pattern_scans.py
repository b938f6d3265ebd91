"""Counts of the patterns of subsets from scans: many subsets in one pass over the rows."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..._kernels.subsets.pattern_tables import (
    add_dense,
    add_hashed,
    move_table,
    pattern_keys,
    reduce_patterns,
)
from .encode import Coder, Codes
from .learn import Floats

#: Most combinations that are counted in a table of all of them.
MOST_DENSE = 1 << 18
#: Counts of dense tables kept during one scan.
SCAN_COUNTS = 1 << 25
#: Slots of hash tables kept during one scan; each has 16 bytes and 8 per class.
SCAN_SLOTS = 1 << 24
#: Hash tables that share these slots, and how full each may be.
SCAN_TABLES = 16
MOST_LOAD = 0.6


class Counter(Protocol):
    """Counts the patterns of one subset."""

    def add(self, codes: Codes, target: Codes, weight: Floats) -> None:
        """Count the rows of a batch."""

    def finish(self) -> bool:
        """Add up what this scan counted; return whether no further scan is needed."""

    @property
    def sums(self) -> Floats:
        """Result of ``reduce_patterns`` over all scans."""


class DenseCounter:
    """For subsets with few combinations of values."""

    def __init__(self, members: NDArray[np.intp], sizes: NDArray[np.int64], classes: int) -> None:
        self.members = members
        own = sizes[members]
        self.strides = np.append(np.cumprod(own[::-1])[::-1][1:], 1).astype(np.int64)
        self.counts = np.zeros((int(np.prod(own)), classes))
        self.sums = np.zeros(3)

    def add(self, codes: Codes, target: Codes, weight: Floats) -> None:
        """Count the rows of a batch."""
        add_dense(
            codes, self.members, self.strides[: len(self.members)], target, weight, self.counts
        )

    def finish(self) -> bool:
        """Add up what was counted; one scan is enough."""
        self.sums = np.array(reduce_patterns(self.counts))
        self.counts = self.counts[:0]
        return True


class HashedCounter:
    """For subsets with many combinations: patterns that occur, in a hash table.

    Where they do not fit into ``slots``, only those whose hash begins with certain bits are
    counted, and the others in further scans.
    """

    def __init__(
        self, members: NDArray[np.intp], sizes: NDArray[np.int64], classes: int, slots: int
    ) -> None:
        self.members, self.classes, self.most_slots = members, classes, slots
        self.bits = np.array([max(1, int(s - 1).bit_length()) for s in sizes[members].tolist()])
        self.sums = np.zeros(3)
        #: Parts of the hashes that are still to be counted: how many bits, and which.
        self.waiting: list[tuple[int, int]] = []
        self._begin(0, 0)

    def _begin(self, depth: int, part: int) -> None:
        self.depth, self.part, self.used = depth, part, 0
        self.table = self._empty(min(self.most_slots, 1 << 14))

    def _empty(self, slots: int) -> tuple[NDArray[Any], ...]:
        keys = np.zeros((slots, 2), dtype=np.uint64)
        return keys, np.zeros(slots), np.zeros((slots, self.classes))

    def add(self, codes: Codes, target: Codes, weight: Floats) -> None:
        """Count the rows of a batch."""
        found = pattern_keys(codes, self.members, self.bits)
        row = 0
        while row < len(target):
            most = int(MOST_LOAD * len(self.table[1]))
            of = (row, self.depth, np.uint64(self.part), most, self.used)
            self.used, row = add_hashed(found, target, weight, *of, *self.table)
            if row < len(target):
                self._make_room()

    def _make_room(self) -> None:
        slots = len(self.table[1])
        if slots < self.most_slots:
            slots *= 2
        else:
            self.depth, self.part = self.depth + 1, 2 * self.part
            self.waiting.append((self.depth, self.part + 1))
        larger = self._empty(slots)
        self.used = int(move_table(*self.table, self.depth, np.uint64(self.part), *larger))
        self.table = larger

    def finish(self) -> bool:
        """Add up this part of the patterns, and turn to the next one."""
        self.sums = self.sums + np.array(reduce_patterns(self.table[2]))
        if not self.waiting:
            self.table = self._empty(1)
            return True
        self._begin(*self.waiting.pop())
        return False


class PatternCounts:
    """Sums over the patterns of subsets of the columns of a coder."""

    def __init__(self, coder: Coder, n_classes: int) -> None:
        self.coder, self.n_classes = coder, n_classes
        self.sizes = np.array([coding.size for coding in coder.features], dtype=np.int64)
        #: How often the rows were read.
        self.scans = 0

    def sums(self, subsets: NDArray[np.bool_]) -> Floats:
        """Return what ``reduce_patterns`` gives for each subset, shape (m, 3)."""
        out = np.zeros((len(subsets), 3))
        dense, hashed = self._sorted(np.asarray(subsets, dtype=bool))
        while dense or hashed:
            now = self._take_dense(dense, subsets) | self._take_hashed(hashed, subsets)
            for place, counter in self._counted(now).items():
                out[place] = counter.sums
        return out

    def _sorted(self, subsets: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
        few = np.where(subsets, self.sizes, 1).astype(float).prod(axis=1) <= MOST_DENSE
        return np.flatnonzero(few).tolist(), np.flatnonzero(~few).tolist()

    def _take_dense(self, waiting: list[int], subsets: NDArray[np.bool_]) -> dict[int, Counter]:
        taken: dict[int, Counter] = {}
        cells = 0
        while waiting and (not taken or cells < SCAN_COUNTS):
            members = np.flatnonzero(subsets[waiting[0]])
            counter = DenseCounter(members, self.sizes, self.n_classes)
            cells += counter.counts.size
            taken[waiting.pop(0)] = counter
        return taken

    def _take_hashed(self, waiting: list[int], subsets: NDArray[np.bool_]) -> dict[int, Counter]:
        taken: dict[int, Counter] = {}
        slots = SCAN_SLOTS >> max(0, min(len(waiting), SCAN_TABLES) - 1).bit_length()
        while waiting and len(taken) < SCAN_TABLES:
            members = np.flatnonzero(subsets[waiting[0]])
            taken[waiting.pop(0)] = HashedCounter(members, self.sizes, self.n_classes, slots)
        return taken

    def _counted(self, counters: dict[int, Counter]) -> dict[int, Counter]:
        """Scan until all of them are finished."""
        left = list(counters.values())
        while left:
            self.scans += 1
            for codes, target, weight in self.coder.batches():
                own = np.ones(len(target)) if weight is None else weight
                for counter in left:
                    counter.add(codes, target, own)
            left = [counter for counter in left if not counter.finish()]
        return counters
