"""Distinct rows of a nominal table, packed into words and counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._kernels.subsets.inconsistencies import count_cells, count_steps, few_cells, inconsistencies
from ..._kernels.subsets.lattice_walks import chains, outside_majority, workspace
from ..._kernels.subsets.masks import bucket_sizes, emit_mixed, spread, weigh_first
from ...data._table import Table

#: Rows packed at a time, so that nothing as long as the table is made on the way.
ROWS_PER_CHUNK = 65_536


@dataclass(frozen=True, eq=False)
class Packed:
    """Pack each value in as few bits as its column needs, no column across two words.

    ``fields`` holds for each column its word, its lowest bit and its number of bits; ``sizes``
    its number of values, an unknown value being one of its own. The class is packed as
    one more column after the last.
    """

    words: NDArray[np.uint64]
    fields: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def mask(self, subset: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """Return the bits of the columns of ``subset``."""
        return mask_words(self.fields, subset, self.words.shape[1])


def mask_words(
    fields: NDArray[np.int64], subset: NDArray[np.bool_], n_words: int
) -> NDArray[np.uint64]:
    """Return the bits of the columns of ``subset`` in words."""
    mask = [0] * n_words
    for word, shift, bits in fields[np.flatnonzero(subset)].tolist():
        mask[word] |= ((1 << bits) - 1) << shift
    return np.array(mask, dtype=np.uint64)


def pack_table(table: Table) -> Packed:
    """Pack the values and the classes of an all-nominal table."""
    sizes = _sizes(table)
    fields = layout([*sizes.tolist(), max(1, table.n_classes)])
    words = np.zeros((table.n_rows, int(fields[-1, 0]) + 1), dtype=np.uint64)
    for start in range(0, table.n_rows, ROWS_PER_CHUNK):
        part = slice(start, start + ROWS_PER_CHUNK)
        for j, (word, shift, _) in enumerate(fields[:-1]):
            column = table.values[part, j]
            codes = np.where(np.isnan(column), len(table.levels[j] or ()), column)
            words[part, word] |= codes.astype(np.uint64) << np.uint64(shift)
        word, shift, _ = fields[-1]
        words[part, word] |= table.target[part].astype(np.uint64) << np.uint64(shift)
    return Packed(words, fields[:-1], sizes)


def _sizes(table: Table) -> NDArray[np.int64]:
    known = np.array([len(levels or ()) for levels in table.levels], dtype=np.int64)
    unknown = [bool(np.isnan(column.min())) for column in table.values.T]
    return np.maximum(known + unknown, 1)


def layout(sizes: list[int]) -> NDArray[np.int64]:
    """Return word, lowest bit and number of bits of each column, one after the other."""
    fields, word, used = [], 0, 0
    for size in sizes:
        bits = max(1, (size - 1).bit_length())
        if used + bits > 64:
            word, used = word + 1, 0
        fields.append((word, used, bits))
        used += bits
    return np.array(fields, dtype=np.int64)


def narrow_classes(target: NDArray[Any], n_classes: int) -> NDArray[Any]:
    """Copy the classes to one byte each if they fit, with two numbers to spare."""
    return np.array(target, dtype=np.uint8 if n_classes <= 254 else np.int32)


def no_class(classes: NDArray[Any]) -> Any:
    """Return a number of the type of the classes that is no class, nor the one after the last."""
    return classes.dtype.type(np.iinfo(classes.dtype).max)


Words = NDArray[np.uint64]
Rows = NDArray[np.int32]
#: Rows in a bucket, about: its tables then fit into the second cache.
ROWS_PER_BUCKET = 8192
NO_ROWS = np.empty(0, dtype=np.int32)
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
    """Sum the weight outside the heaviest class of each group of rows equal under ``mask``."""
    found = _buckets(words, mask, classes, weights, n_classes)
    return sum(int(outside_majority(b.classes, b.weights, b.n_chains, b.work)) for b in found)


def mixed_groups(words: Words, mask: Words, classes: NDArray[Any]) -> tuple[Rows, Rows]:
    """Find the rows equal to one of another class under ``mask``, and where each group starts."""
    groups, starts = [NO_ROWS], [np.zeros(1, dtype=np.int32)]
    end = 0
    for b in _buckets(words, mask, classes, NO_ROWS, 1):
        rows = np.empty(len(b.rows), dtype=np.int32)
        begins = np.zeros(len(b.rows) // 2 + 1, dtype=np.int32)
        n_groups = emit_mixed(b.rows, b.classes, b.n_chains, b.work, rows, begins)
        if n_groups:
            groups.append(rows[: begins[n_groups]].copy())
            starts.append(begins[1 : n_groups + 1] + np.int32(end))
            end += int(begins[n_groups])
    return np.concatenate(groups), np.concatenate(starts)


def repeated(words: Words, weights: Rows | None = None) -> Rows:
    """Return the weight of all rows equal to a row, where it occurs first; 0 elsewhere.

    Without ``weights`` every row counts once.
    """
    weights = np.ones(len(words), dtype=np.int32) if weights is None else weights.copy()
    everything = np.full(words.shape[1], np.iinfo(np.uint64).max, dtype=np.uint64)
    for b in _buckets(words, everything, NO_CLASSES, NO_ROWS, 1):
        weigh_first(b.rows, b.n_chains, b.work, weights)
    return weights


def _buckets(
    words: Words, mask: Words, classes: NDArray[Any], weights: Rows, n_classes: int
) -> Iterator[Bucket]:
    active = np.flatnonzero(mask)
    bits = max(0, (len(words) // ROWS_PER_BUCKET).bit_length())
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


#: Longer tables are counted one subset after the other: partitions take as much room as rows.
MOST_ROWS_BY_PARTITIONS = 1 << 16
#: A column with more values by classes than this is not counted in a table of cells.
MOST_CELLS = 1 << 20
#: Sorting this few subsets takes longer than what their common prefixes save.
FEW_SUBSETS = 4


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct (row, class) pairs of a table and their weights.

    ``fields`` and ``sizes`` are in ``order``, the columns that leave the fewest inconsistencies
    alone first: most rows then leave a partition after a few columns.
    """

    words: NDArray[np.uint64]
    fields: NDArray[np.int64]
    sizes: NDArray[np.int64]
    classes: NDArray[Any]
    weights: NDArray[np.int32]
    n_classes: int
    order: NDArray[np.intp]

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return int(self.weights.sum(dtype=np.int64))

    @property
    def _packed(self) -> tuple[Any, ...]:
        return self.words, self.fields, self.sizes, self.classes, self.weights, self.n_classes

    def counts(self, subsets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the inconsistency count of each subset."""
        permuted = np.asarray(subsets, dtype=bool)[:, self.order]
        if len(self.words) > MOST_ROWS_BY_PARTITIONS:
            return np.array([self._count_long(subset) for subset in permuted], dtype=np.int64)
        # Neighbours in lexicographic order share the longest prefixes.
        few = len(permuted) <= FEW_SUBSETS
        by_prefix = np.arange(len(permuted)) if few else np.lexsort(permuted.T[::-1])[::-1]
        counts = np.empty(len(permuted), dtype=np.int64)
        counts[by_prefix] = inconsistencies(
            *self._packed, no_class(self.classes), permuted[by_prefix]
        )
        return counts

    def counts_with(self, base: NDArray[np.bool_], columns: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the inconsistency counts of ``base`` with each of some columns outside it.

        Those of :meth:`counts`, from one partition by ``base``.
        """
        cells = int(self.sizes.max()) * self.n_classes
        if len(self.words) > MOST_ROWS_BY_PARTITIONS or cells > MOST_CELLS:
            subsets = np.repeat(base[None], len(columns), axis=0)
            subsets[np.arange(len(columns)), columns] = True
            return self.counts(subsets)
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        found: NDArray[np.int64] = count_steps(
            *self._packed, np.flatnonzero(base[self.order]).astype(np.int64), place[columns]
        )
        return found

    def _count_long(self, subset: NDArray[np.bool_]) -> int:
        n_bits = int(self.fields[subset, 2].sum())
        if few_cells(n_bits, self.n_classes, len(self.words)):
            of = (self.classes, self.weights, self.n_classes)
            return int(count_cells(self.words, self.fields, subset, *of, n_bits))
        mask = mask_words(self.fields, subset, self.words.shape[1])
        return count_outside(self.words, mask, self.classes, self.weights, self.n_classes)

    def mixed(self, inside: NDArray[np.bool_]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the rows of several classes that look the same on ``inside`` (columns in order).

        Returns the rows group after group, and where each group starts.
        """
        mask = mask_words(self.fields, inside, self.words.shape[1])
        return mixed_groups(self.words, mask, self.classes)


def patterns_of(table: Table, weight: NDArray[np.int32] | None = None) -> Patterns:
    """Return the distinct rows of ``table``, all of whose columns are nominal.

    ``weight`` is the number of rows that each row represents.
    """
    packed = pack_table(table)
    words, classes = packed.words, narrow_classes(table.target, table.n_classes)
    weights = repeated(words, weight)
    if not weights.all():
        words, classes, weights = _first_only(weights, words, classes, weights)
    n_words = int(packed.fields[-1, 0]) + 1
    everything = Patterns(
        # The classes may have a word of their own, which is no longer needed.
        np.ascontiguousarray(words[:, :n_words]),
        packed.fields,
        packed.sizes,
        classes,
        weights,
        max(table.n_classes, 1),
        np.arange(table.n_features),
    )
    return best_first(everything)


def _first_only(weights: NDArray[np.int32], *arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Move the rows that have a weight up in place; copy them where many are removed."""
    first, n = weights > 0, len(weights)
    end = 0
    for start in range(0, n, ROWS_PER_CHUNK):
        kept = first[start : start + ROWS_PER_CHUNK]
        size = int(kept.sum())
        for array in arrays:
            array[end : end + size] = array[start : start + ROWS_PER_CHUNK][kept]
        end += size
    return tuple(array[:end] if end > n // 2 else array[:end].copy() for array in arrays)


def best_first(patterns: Patterns) -> Patterns:
    """Sort the columns: those that leave the fewest inconsistencies come first."""
    p = patterns
    d = len(p.fields)
    alone = p.counts_with(np.zeros(d, dtype=bool), np.arange(d))
    order = np.lexsort((np.arange(len(alone)), alone))
    return Patterns(
        p.words, p.fields[order], p.sizes[order], p.classes, p.weights, p.n_classes, order
    )
