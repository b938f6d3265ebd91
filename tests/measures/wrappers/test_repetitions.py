"""Only candidates with a wide spread of folds get further repetitions."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from fewest.measures._wrappers.splits import mean_over_repetitions


def test_repeats_what_is_not_precise():
    first = np.array([[0.8, 0.8, 0.8], [0.6, 0.8, 1.0]])
    asked = []

    def again(repetition, rows):
        asked.append((repetition, rows.tolist()))
        return np.full((len(rows), 3), 0.5)

    mean = mean_over_repetitions(first, 3, again)
    assert asked == [(1, [1]), (2, [1])]
    assert_allclose(mean, [0.8, (2.4 + 3.0) / 9])
