"""Gathered columns are those of numpy, whatever the type and the number of rows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest.kernels.bayes.gather import gather_columns


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 7, 8, 21])
def test_some_rows_by_column(dtype, n):
    rng = np.random.default_rng(n)
    values, rows = rng.normal(size=(30, 3)).astype(dtype), rng.permutation(30)[:n]
    out, columns = np.empty((2, n)), np.array([2, 0])
    gather_columns(values, rows, columns, out)
    assert_array_equal(out, values[rows][:, columns].T)
