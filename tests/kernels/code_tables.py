"""Random tables of codes for the tests of kernels, and the same rows in other forms."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from fewest.measures._consistency.patterns import layout


@st.composite
def tables(draw, most_rows=24, most_columns=5):
    """Codes by column, classes and weights of the rows, the number of values, a generator."""
    n = draw(st.integers(1, most_rows))
    d = draw(st.integers(1, most_columns))
    seed = draw(st.integers(0, 2**32 - 1))
    values = draw(st.integers(1, 4))
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, values, (d, n)).astype(np.uint8)
    classes = rng.integers(0, draw(st.integers(1, 3)), n).astype(np.uint8)
    weights = rng.integers(1, 4, n).astype(np.int64)
    return codes, classes, weights, values, rng


def rows_of(codes, classes, weights):
    """The rows, each as often as it weighs."""
    rows = np.repeat(codes.T, weights, axis=0).tolist()
    return rows, np.repeat(classes, weights).tolist()


def packed(codes, sizes):
    """The rows in words, a few bits per column; a column never lies across two words."""
    fields = layout([int(size) for size in sizes])
    words = np.zeros((codes.shape[1], fields[-1, 0] + 1), dtype=np.uint64)
    for column, (word, shift, _) in zip(codes, fields, strict=True):
        words[:, word] |= column.astype(np.uint64) << np.uint64(shift)
    return words, fields
