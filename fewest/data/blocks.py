"""Rows in blocks: work on a large table needs no second table."""

from __future__ import annotations

from collections.abc import Iterator

#: So many rows are worked on at a time: small beside a large table, large beside the overhead.
BLOCK_ROWS = 8192


def row_blocks(n_rows: int, size: int = BLOCK_ROWS) -> Iterator[slice]:
    """The rows from the first to the last, in blocks.

    >>> list(row_blocks(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for low in range(0, n_rows, size):
        yield slice(low, min(low + size, n_rows))
