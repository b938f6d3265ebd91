"""The distinct rows of an all-nominal table, with their classes and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table
from ...kernels.subsets.inconsistencies import count_cells, few_cells, inconsistencies
from ...kernels.subsets.inconsistency_steps import count_steps
from .equal_rows import count_outside, mixed_groups, repeated
from .packing import CHUNK, mask_words, narrow_classes, no_class, pack_table

#: Longer tables are counted one subset after the other: partitions take as much room as rows.
LONG = 1 << 16
#: A column with so many values by classes is not counted in a table of cells.
MOST_CELLS = 1 << 20
#: Sorting so few subsets takes longer than what their common prefixes save.
FEW = 4


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

    def counts(self, subsets: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The inconsistency count of each subset."""
        permuted = np.asarray(subsets, dtype=bool)[:, self.order]
        if len(self.words) > LONG:
            return np.array([self._count_long(subset) for subset in permuted], dtype=np.int64)
        # Neighbours in lexicographic order share the longest prefixes.
        few = len(permuted) <= FEW
        by_prefix = np.arange(len(permuted)) if few else np.lexsort(permuted.T[::-1])[::-1]
        counts = np.empty(len(permuted), dtype=np.int64)
        counts[by_prefix] = inconsistencies(
            self.words,
            self.fields,
            self.sizes,
            self.classes,
            self.weights,
            self.n_classes,
            no_class(self.classes),
            permuted[by_prefix],
        )
        return counts

    def counts_with(self, base: NDArray[np.bool_], columns: NDArray[np.intp]) -> NDArray[np.int64]:
        """The inconsistency counts of ``base`` with each of some columns that it does not have.

        Those of :meth:`counts`, from one partition by ``base``.
        """
        cells = int(self.sizes.max()) * self.n_classes
        if len(self.words) > LONG or cells > MOST_CELLS:
            subsets = np.repeat(base[None], len(columns), axis=0)
            subsets[np.arange(len(columns)), columns] = True
            return self.counts(subsets)
        place = np.empty(len(self.order), dtype=np.int64)
        place[self.order] = np.arange(len(self.order))
        found: NDArray[np.int64] = count_steps(
            self.words,
            self.fields,
            self.sizes,
            self.classes,
            self.weights,
            self.n_classes,
            np.flatnonzero(base[self.order]).astype(np.int64),
            place[columns],
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
        """The rows of several classes that look the same on ``inside`` (columns in order).

        Returns the rows group after group, and where each group starts.
        """
        mask = mask_words(self.fields, inside, self.words.shape[1])
        return mixed_groups(self.words, mask, self.classes)


def patterns_of(table: Table, weight: NDArray[np.int32] | None = None) -> Patterns:
    """The distinct rows of ``table``, all of whose columns are nominal.

    ``weight`` says how many rows each row stands for.
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
    """The rows of the arrays that have a weight, moved up in place; copied where many go."""
    first, n = weights > 0, len(weights)
    end = 0
    for start in range(0, n, CHUNK):
        kept = first[start : start + CHUNK]
        size = int(kept.sum())
        for array in arrays:
            array[end : end + size] = array[start : start + CHUNK][kept]
        end += size
    return tuple(array[:end] if end > n // 2 else array[:end].copy() for array in arrays)


def best_first(patterns: Patterns) -> Patterns:
    """The same patterns with the columns that leave the fewest inconsistencies first."""
    p = patterns
    d = len(p.fields)
    alone = p.counts_with(np.zeros(d, dtype=bool), np.arange(d))
    order = np.lexsort((np.arange(len(alone)), alone))
    return Patterns(
        p.words, p.fields[order], p.sizes[order], p.classes, p.weights, p.n_classes, order
    )
