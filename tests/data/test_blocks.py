"""Blocks cover every row once, in order."""

from __future__ import annotations

import numpy as np

from fewest.data._rows import BLOCK_ROWS, row_blocks


def test_blocks_cover_every_row_once():
    for n in (0, 1, BLOCK_ROWS, BLOCK_ROWS + 1, 3 * BLOCK_ROWS + 7):
        rows = [np.arange(n)[block] for block in row_blocks(n)]
        assert np.concatenate([[], *rows]).tolist() == list(range(n))
        assert all(0 < len(part) <= BLOCK_ROWS for part in rows)
