"""Rows sent down a tree of three leaves, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.trees.tree_scores import send_down

#: x0 <= 1.5: leaf 1; otherwise the nominal x1 decides between leaf 3 and leaf 4; level 2 of it
#: was in no training row.
FEATURE = np.array([0, -1, 1, -1, -1])
CUT = np.array([1.5, 0.0, 0.0, 0.0, 0.0])
FIRST = np.array([0, 2, 2, 5, 5, 5])
CHILDREN = np.array([1, 2, 3, 4, -1])
SHARES = np.array([0.25, 0.75, 0.6, 0.4, 0.0])
LARGEST = np.array([1, 0, 0, 0, 0])
CHANCES = np.array([[0.5, 0.5], [1.0, 0.0], [0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])


def sent(row, split):
    values = np.array([row], dtype=float)
    nominal = np.array([False, True])
    tree = (FEATURE, CUT, FIRST, CHILDREN, SHARES, LARGEST, CHANCES)
    return send_down(values, nominal, *tree, split)[0]


@pytest.mark.parametrize(
    ("row", "split", "expected"),
    [
        ((1.5, 0), True, 1.0),
        ((1.6, 0), True, 0.2),
        ((1.6, 1), True, 0.6),
        ((9.0, 2), True, 0.3),  # stays at the node itself
        ((np.nan, 1), True, 0.25 * 1.0 + 0.75 * 0.6),
        ((np.nan, np.nan), True, 0.25 * 1.0 + 0.75 * (0.6 * 0.2 + 0.4 * 0.6)),
        ((np.nan, 1), False, 0.6),
        ((np.nan, np.nan), False, 0.2),
    ],
)
def test_by_hand(row, split, expected):
    assert sent(row, split) == pytest.approx([expected, 1 - expected])
