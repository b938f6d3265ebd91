"""Groups of variables."""

from __future__ import annotations

import numpy as np

from fewest._kernels.networks.pairs import copy_groups
from tests.kernels.networks.rows import some_rows


def test_groups_are_copied_from_the_rows_picked():
    rows = some_rows(6)
    picks, group = np.array([[5, 0, 2], [1, 1, 4]]), np.array([0, 1, 0, 1, 1])
    drawn = copy_groups(rows, picks, group)
    for t, i in np.ndindex(3, 5):
        assert drawn[t, i] == rows[picks[group[i], t], i]
