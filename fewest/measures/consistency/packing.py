"""A nominal table packed into 64-bit words, a row of words for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table

#: Rows packed at a time, so that nothing as long as the table is made on the way.
CHUNK = 65_536


@dataclass(frozen=True, eq=False)
class Packed:
    """Every value in as few bits as its column needs, no column across two words.

    ``fields`` says for each column its word, its lowest bit and how many bits it has; ``sizes``
    how many values it can take, an unknown value being one of its own. The class is packed as
    one more column after the last.
    """

    words: NDArray[np.uint64]
    fields: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def mask(self, subset: NDArray[np.bool_]) -> NDArray[np.uint64]:
        """The bits of the columns of ``subset``."""
        return mask_words(self.fields, subset, self.words.shape[1])


def mask_words(
    fields: NDArray[np.int64], subset: NDArray[np.bool_], n_words: int
) -> NDArray[np.uint64]:
    """The bits of the columns of ``subset`` in words."""
    mask = [0] * n_words
    for word, shift, bits in fields[np.flatnonzero(subset)].tolist():
        mask[word] |= ((1 << bits) - 1) << shift
    return np.array(mask, dtype=np.uint64)


def pack_table(table: Table) -> Packed:
    """The values and the classes of an all-nominal table, packed."""
    sizes = _sizes(table)
    fields = layout([*sizes.tolist(), max(1, table.n_classes)])
    words = np.zeros((table.n_rows, int(fields[-1, 0]) + 1), dtype=np.uint64)
    for start in range(0, table.n_rows, CHUNK):
        part = slice(start, start + CHUNK)
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
    """Word, lowest bit and number of bits of each column, one after the other."""
    fields, word, used = [], 0, 0
    for size in sizes:
        bits = max(1, (size - 1).bit_length())
        if used + bits > 64:
            word, used = word + 1, 0
        fields.append((word, used, bits))
        used += bits
    return np.array(fields, dtype=np.int64)


def narrow_classes(target: NDArray[Any], n_classes: int) -> NDArray[Any]:
    """A copy of the classes in one byte each if they fit, with two numbers to spare."""
    return np.array(target, dtype=np.uint8 if n_classes <= 254 else np.int32)


def no_class(classes: NDArray[Any]) -> Any:
    """A number of the type of the classes that is none of them, nor the one after the last."""
    return classes.dtype.type(np.iinfo(classes.dtype).max)
